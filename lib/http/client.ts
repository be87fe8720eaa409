/** What our API answered a page: its JSON, or why not in a sentence for the person. */
export type Answer<T> =
  | { ok: true; data: T }
  | { ok: false; message: string; code: string; status: number; details?: Record<string, unknown> };

type Method = "GET" | "POST" | "PATCH" | "DELETE";

const UNREACHABLE = {
  ok: false,
  code: "unreachable",
  status: 0,
  message: "We could not be reached. Try again.",
} as const;
const GARBLED = { code: "internal_error", message: "Something went wrong on our side. Try again." } as const;

/**
 * Calls our own API with the session cookie. Never throws: being cut off is an answer too, and after one the write may
 * have happened. `T` is what the endpoint's contract promises on the wire.
 */
export async function callApi<T = unknown>(method: Method, path: `/${string}`, body?: unknown): Promise<Answer<T>> {
  try {
    const answer = await fetch(path, {
      method,
      cache: "no-store",
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    const json: unknown = await answer.json().catch(() => undefined);
    // The contract test holds the server to its schemas; a second reading here would only repeat it.
    if (answer.ok && json !== undefined) return { ok: true, data: json as T };
    return { ok: false, status: answer.status, ...failureIn(json) };
  } catch {
    return UNREACHABLE;
  }
}

function failureIn(json: unknown): { message: string; code: string; details?: Record<string, unknown> } {
  if (typeof json !== "object" || json === null || !("message" in json) || !("code" in json)) return GARBLED;
  return { message: String(json.message), code: String(json.code), details: { ...json } };
}
