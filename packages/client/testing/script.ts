import { vi } from "vitest";
import { encodeHeader } from "../../x402/src/header.ts";

export type Sent = { method: string; url: string; headers: Headers; body: string };
export type Handler = (sent: Sent, at: number) => Response | Error | Promise<Response | Error>;

const BASE = "https://tessera.example";
export const BASE_URL = BASE;

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

const claims = (seconds: number) => {
  const iat = Math.floor(Date.now() / 1000);
  return btoa(JSON.stringify({ iat, exp: iat + seconds }));
};

let logins = 0;
/** A login JWT; each is different. */
export const jwt = (seconds = 900): string => `h.${claims(seconds)}.${++logins}`;

/** A fetch that answers from `handlers` by path ("GET /a", then "/a"); an Error is thrown. Keeps what was sent. */
export function scripted(handlers: Record<string, Handler>) {
  const sent: Sent[] = [];
  const of = (path: string) => sent.filter(({ url }) => new URL(url).pathname === path);
  const fetch = vi.fn(async (input: string | URL | globalThis.Request, init: RequestInit = {}) => {
    const request = new Request(input, { ...init, redirect: "follow" });
    const { pathname } = new URL(request.url);
    const one = { method: request.method, url: request.url, headers: request.headers, body: await request.text() };
    const at = of(pathname).length;
    sent.push(one);
    init.signal?.throwIfAborted();
    const handler = handlers[`${one.method} ${pathname}`] ?? handlers[pathname];
    const answer = handler ? await handler(one, at) : pathname === "/refresh" && json(200, { jwt: jwt() });
    if (!answer) throw new Error(`unexpected ${one.method} ${one.url}`);
    if (answer instanceof Error) throw answer;
    Object.defineProperty(answer, "url", { value: answer.url || request.url });
    return answer;
  });
  return { fetch: fetch as typeof globalThis.fetch, sent, of };
}

/** Lets time pass until the promise ends. Needs fake timers. */
export async function soon<T>(promise: Promise<T>): Promise<T> {
  let isOver = false;
  promise.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  for (let n = 0; !isOver && n < 2000; n++) await vi.advanceTimersByTimeAsync(500);
  return promise;
}

export const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const PAYEE = "0x5B38Da6a701c568545dCfcB03FcB875f56beddC4";
export const PAYER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** An entry of `accepts` in x402 v1. */
export const offerV1 = (change: object = {}) => ({
  scheme: "exact",
  network: "base",
  maxAmountRequired: "10000",
  resource: "https://elsewhere.example/claimed",
  description: "A report",
  mimeType: "application/json",
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  asset: USDC,
  extra: { name: "USD Coin", version: "2" },
  ...change,
});

export const offerV2 = (change: object = {}) => ({
  scheme: "exact",
  network: "eip155:8453",
  amount: "10000",
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  asset: USDC,
  extra: { name: "USD Coin", version: "2" },
  ...change,
});

export const v1 = (...accepts: object[]) => json(402, { x402Version: 1, error: "pay", accepts });

export const v2 = (accepts: object[], more: object = {}) => {
  const required = { x402Version: 2, resource: { url: "https://seller.example/r" }, accepts, ...more };
  return json(402, {}, { "PAYMENT-REQUIRED": encodeHeader(required) });
};

/** A seller of calls at /paid/lnk_1/q for 0.01, and of passes for fifty of them. */
export const passSeller = (token = "pass_1"): Record<string, Handler> => ({
  "/paid/lnk_1/q": ({ headers }) => {
    const sent = headers.get("authorization");
    if (sent === `Bearer ${token}`) return new Response(`on ${token}`);
    const info = { url: "https://seller.example/pass/lnk_1?terms=t", amount: "500000", calls: 50, hours: null };
    return v2([offerV2()], { extensions: { "tessera-pass": { info } } });
  },
  "/pass/lnk_1": ({ headers }) =>
    headers.has("payment-signature") ? json(200, { pass: { token } }) : v2([offerV2({ amount: "500000" })]),
  "/api/payment/x402V3Payment": signed,
});

let signatures = 0;

/** What the service answers to a request to sign. Each signature is another. */
export function signed({ body }: Sent): Response {
  const { amount, payTo } = JSON.parse(body);
  const validBefore = String(Math.floor(Date.now() / 1000) + 60);
  const authorization = { from: PAYER, to: payTo, value: amount, validAfter: "0", validBefore, nonce: "0x01" };
  const payload = { signature: `0x${++signatures}`, authorization };
  const xPayment = { x402Version: 1, scheme: "exact", network: "base", payload };
  const paymentRecordId = `pay_${signatures}`;
  return json(200, { status: "ok", xPaymentB64: encodeHeader(xPayment), xPayment, paymentRecordId, expiresAt: 1 });
}
