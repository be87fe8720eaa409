import { decodeHeader } from "../../x402/src/header.ts";
import { fieldsIn, fieldsOf, textOf } from "../../x402/src/json.ts";
import { readCode } from "../../x402/src/responses.ts";
import { TesseraError } from "./errors.ts";

export type Fetch = typeof globalThis.fetch;

export type Reply = {
  status: number;
  headers: Headers;
  /** Null if the body was larger than allowed. */
  bytes: Uint8Array<ArrayBuffer> | null;
  /** The final URL after redirects; empty if unknown. */
  url: string;
};

type Limits = { signal?: AbortSignal | undefined; seconds: number; maxBytes: number };

/**
 * Sends one request and reads its body. Throws the signal's reason, TesseraError `network_error` or `timeout`, or the TesseraError
 * that `fetch` itself throws.
 */
export async function exchange(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  { signal, seconds, maxBytes }: Limits,
): Promise<Reply> {
  signal?.throwIfAborted();
  const timeoutSignal = AbortSignal.timeout(seconds * 1000);
  try {
    const res = await fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
    });
    const { status, headers } = res;
    return { status, headers, url: res.url, bytes: await readBytes(res, maxBytes) };
  } catch (cause) {
    signal?.throwIfAborted();
    if (TesseraError.is(cause)) throw cause;
    const code = timeoutSignal.aborted ? "timeout" : "network_error";
    throw new TesseraError({ code, message: `No response from ${new URL(url).origin} (${code})`, cause });
  }
}

async function readBytes(res: Response, max: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = res.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > max) {
      await reader.cancel().catch(() => {});
      return null;
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let index = 0;
  for (const part of parts) {
    bytes.set(part, index);
    index += part.length;
  }
  return bytes;
}

export type Json = Record<string, unknown>;

/** Returns the JSON object in a body; an empty object if the body is anything else. */
export function jsonOf({ bytes }: Pick<Reply, "bytes">): Json {
  return fieldsIn(new TextDecoder().decode(bytes ?? undefined));
}

/** Returns the JSON object in an x402 header; an empty object if the header is missing or is anything else. */
export const headerOf = ({ headers }: Pick<Reply, "headers">, name: string): Json =>
  fieldsOf(decodeHeader(headers.get(name) ?? ""));

/** Reads the error of a reply from its body, and from the PAYMENT-REQUIRED header, where x402 v2 states it. */
export function errorOf(reply: Reply): TesseraError {
  const details = { ...headerOf(reply, "payment-required"), ...jsonOf(reply) };
  const { status } = reply;
  const message = textOf(details.message) ?? textOf(details.error) ?? `HTTP ${status}`;
  return new TesseraError({ code: readCode(details) ?? `http_${status}`, status, details, message });
}

const REPEATS = 3;
const WAIT_SECONDS_MAX = 60;

/** Returns Retry-After in seconds (RFC 9110, section 10.2.3); undefined if the header is missing or is a date. */
export function retryAfter({ headers }: Pick<Reply, "headers">): number | undefined {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** Seconds before retry `n`: about 0.3, 0.6, 1.1, 2.3, then 4.5. Jitter keeps clients from retrying at the same moment. */
export const backoff = (n: number): number => Math.min(2 ** n / 4, 4) * (1 + Math.random() / 4);

/** Returns the seconds to wait before a retry; undefined if the result is final or the wait is not known. */
function waitAfter(end: Reply | TesseraError, n: number): number | undefined {
  if (TesseraError.is(end)) return end.status === 0 ? backoff(n) : undefined;
  const wait = retryAfter(end);
  if (end.status === 429) return wait;
  if (end.status === 503) return wait ?? backoff(n);
  return end.status === 409 && errorOf(end).code === "idempotency_in_progress" ? backoff(n + 1) : undefined;
}

/**
 * Sends a request that is safe to repeat, at most four times: again after a network error, a timeout, 503, 429 with Retry-After, and
 * 409 `idempotency_in_progress` (the first request with its key is still running).
 */
export async function repeated(send: () => Promise<Reply>, signal?: AbortSignal): Promise<Reply> {
  for (let n = 0; ; n++) {
    const end = await send().catch((error: unknown) => {
      if (TesseraError.is(error)) return error;
      throw error;
    });
    const wait = n < REPEATS ? waitAfter(end, n) : undefined;
    if (wait === undefined || wait > WAIT_SECONDS_MAX) {
      if (TesseraError.is(end)) throw end;
      return end;
    }
    await sleep(wait, signal);
  }
}

/** Waits; rejects with the signal's reason when it aborts. */
export const sleep = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });

/** 128 random bits in hexadecimal. crypto.randomUUID exists only in secure contexts. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
