import type { BuiltRequest } from "./request";

export type Answer = {
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  /** Only those that a reader needs. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Whether `text` is only the beginning of the body. */
  readonly isCut: boolean;
};

/** In the order in which they are shown. */
const SHOWN = [
  "Retry-After",
  "PAYMENT-REQUIRED",
  "WWW-Authenticate",
  "PAYMENT-RESPONSE",
  "Payment-Receipt",
  "Location",
  "Idempotency-Replayed",
  "Content-Type",
  "X-Request-Id",
];

/** More would make the page slow. */
const TEXT_MAX = 100_000;

export const shownHeaders = (headers: Headers): Answer["headers"] =>
  SHOWN.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });

/** The JSON in a header that is base64 of JSON, such as PAYMENT-REQUIRED. Null for any other value. */
export function decoded(value: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    const content: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof content === "object" ? content : null;
  } catch {
    return null;
  }
}

export const cut = (text: string): Pick<Answer, "text" | "isCut"> =>
  text.length > TEXT_MAX ? { text: text.slice(0, TEXT_MAX), isCut: true } : { text, isCut: false };

/** Sends the request to this service only: a redirect to another origin fails. */
export async function send(
  { method, url, headers, body }: BuiltRequest,
  withSession: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const start = performance.now();
  const res = await fetch(url, {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    body,
    mode: "same-origin",
    credentials: withSession ? "same-origin" : "omit",
    cache: "no-store",
    signal,
  });
  const text = await res.text();
  const milliseconds = Math.round(performance.now() - start);
  return {
    status: res.status,
    statusText: res.statusText,
    milliseconds,
    headers: shownHeaders(res.headers),
    ...cut(text),
  };
}
