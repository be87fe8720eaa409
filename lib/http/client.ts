import { PAGE_OWNER_HEADER } from "./page-owner";

/** The result of an API call from a page: its JSON, or an error with a sentence for the user. */
export type Answer<T> =
  | { ok: true; data: T }
  | { ok: false; message: string; code: string; status: number; details?: Record<string, unknown> };

export type Failure = Extract<Answer<unknown>, { ok: false }>;

/** A status of 500 or more, or no response (0), leaves open whether the call took effect. */
export const isUnknown = ({ status }: Pick<Failure, "status">): boolean => status === 0 || status >= 500;

/** Dispatched at the window when a call was refused because nobody is signed in. */
export const SESSION_ENDED = "tessera:session-ended";

/** The headers of each call of this page: the address of the owner whom it shows. */
const ownHeaders: { [PAGE_OWNER_HEADER]?: string } = {};

export const setPageOwner = (address: string): void => void Object.assign(ownHeaders, { [PAGE_OWNER_HEADER]: address });
export const forgetPageOwner = (): void => void delete ownHeaders[PAGE_OWNER_HEADER];

type Method = "GET" | "POST" | "PATCH" | "DELETE";

const UNREACHABLE = {
  ok: false,
  code: "unreachable",
  status: 0,
  message: "The service could not be reached. Try again.",
} as const;
const GARBLED = { code: "internal_error", message: "Something went wrong on our side. Try again." } as const;

/**
 * Calls this service's API with the session cookie. Never throws. A lost connection is also a result; the write may have
 * happened. `T` is the response type of the endpoint's contract.
 */
export const callApi = <T = unknown>(method: Method, path: `/${string}`, body?: unknown): Promise<Answer<T>> =>
  send(method, path, body, "same-origin");

/** `callApi` without the session cookie, for pages that another site may frame. */
export const callPublicly = <T = unknown>(method: Method, path: `/${string}`, body?: unknown): Promise<Answer<T>> =>
  send(method, path, body, "omit");

/** Sends a file as the body, with the session cookie. Never throws. */
export const uploadTo = <T = unknown>(path: `/${string}`, file: Blob): Promise<Answer<T>> =>
  request(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });

const send = <T>(method: Method, path: string, body: unknown, credentials: RequestCredentials): Promise<Answer<T>> =>
  request(path, {
    method,
    credentials,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
  });

async function request<T>(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Answer<T>> {
  try {
    const headers = { ...init.headers, ...ownHeaders };
    const response = await fetch(path, { cache: "no-store", ...init, headers });
    const json: unknown = await response.json().catch(() => undefined);
    // The contract test checks responses against their schemas; parsing them here would repeat that.
    if (response.ok && json !== undefined) return { ok: true, data: json as T };
    const { status } = response;
    if (typeof json !== "object" || json === null || !("message" in json) || !("code" in json))
      return { ok: false, status, ...GARBLED };
    if (json.code === "session_required") globalThis.dispatchEvent?.(new Event(SESSION_ENDED));
    return { ok: false, status, message: String(json.message), code: String(json.code), details: { ...json } };
  } catch {
    return UNREACHABLE;
  }
}
