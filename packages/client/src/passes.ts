import { fieldsOf, textOf } from "../../x402/src/json.ts";
import { parseUrl } from "../../x402/src/url.ts";
import { invalid, PaymentError, tooLarge } from "./errors.ts";
import {
  ASK_SECONDS,
  MAX_BYTES,
  type PassStore,
  type PayOptions,
  type PayResult,
  pay as payOnce,
  responseOf,
} from "./pay.ts";
import type { Proof, Receipt } from "./proof.ts";
import type { Purse } from "./sign.ts";
import { exchange, headerOf, jsonOf, type Reply, repeated } from "./transport.ts";

// Loaded only for calls with `preferPass`.

/** The passes of this process that are kept nowhere else, and those that are being bought. */
type Memory = { tokens: PassStore; buying: Map<string, Promise<Bought>>; proofs: Map<string, Proof> };
type Bought = { token: string; receipt: Receipt | null };
/** By a function that a client keeps: it makes a purse for each payment. */
const memories = new WeakMap<Purse["sign"], Memory>();

/** Implements `Tessera.pay` with `preferPass`. */
export async function pay(
  purse: Purse,
  input: string | URL,
  init: RequestInit,
  options: PayOptions,
): Promise<PayResult> {
  const { preferPass: passMax = "", passes, maxResponseBytes: maxBytes = MAX_BYTES } = options;
  if (!/^\d{1,78}$/.test(passMax)) throw invalid("preferPass must be a string of atomic USDC units");
  const signal = options.signal ?? init.signal ?? undefined;
  const url = parseUrl(input);
  const paidUrl = url && paidUrlOf(url);
  const proofUrl = options.proof && parseUrl(options.proof.url);
  const isOfPass = proofUrl?.origin === url?.origin && /^\/pass\//.test(proofUrl?.pathname ?? "");
  if (!paidUrl || (options.proof && !isOfPass)) return payOnce(purse, input, init, options);
  const memory = memories.get(purse.sign) ?? { tokens: new Map(), buying: new Map(), proofs: new Map() };
  memories.set(purse.sign, memory);
  const tokens = passes ?? memory.tokens;

  if (options.proof) {
    memory.proofs.set(options.proof.url, options.proof);
    return callWithNew(options.proof.url);
  }
  const keptToken = await tokens.get(paidUrl);
  if (keptToken !== undefined) {
    const reply = await call(keptToken);
    if (reply.status !== 402) return { response: responseOf(reply), receipt: null };
    // While a refund waits, or the block of its payment is replaced, the pass may open again: another one would be paid too much.
    if (!/^PASS_(USED_UP|OVER)$/.test(`${jsonOf(reply).code}`)) return payCall();
    await tokens.delete(paidUrl);
  }
  const price = await call(null);
  if (price.status !== 402) return { response: responseOf(price), receipt: null };
  const passUrl = passUrlIn(price);
  return passUrl === null ? payCall() : callWithNew(passUrl);

  function payCall(): Promise<PayResult> {
    return payOnce(purse, input, init, { ...options, proof: undefined });
  }

  async function callWithNew(newPassUrl: string): Promise<PayResult> {
    const bought = await buyOnce(newPassUrl).catch((error: unknown) => {
      // Nothing was paid for a pass, so that the call can be.
      if (PaymentError.is(error) && error.outcome === "not_paid") return null;
      throw error;
    });
    if (bought === null) return payCall();
    return { response: responseOf(await call(bought.token)), receipt: bought.receipt };
  }

  async function call(token: string | null): Promise<Reply> {
    const headers = new Headers(init.headers);
    if (token !== null) headers.set("Authorization", `Bearer ${token}`);
    // A redirect must not carry the token elsewhere.
    const request: RequestInit = { ...init, headers, redirect: "manual" };
    const limits = { signal, seconds: token === null ? ASK_SECONDS : CALL_SECONDS, maxBytes };
    const send = () => exchange(purse.fetch, String(input), request, limits);
    const reply = await (/^(get|head)$/i.test(init.method ?? "GET") ? repeated(send, signal) : send());
    if (reply.bytes === null) throw tooLarge(reply.status);
    return reply;
  }

  /** The address of the pass that a 402 offers for at most `preferPass`, at the seller's own origin. */
  function passUrlIn(reply: Reply): string | null {
    const { extensions } = headerOf(reply, "payment-required");
    const { url: text, amount } = fieldsOf(fieldsOf(fieldsOf(extensions)["tessera-pass"]).info);
    const target = typeof text === "string" ? parseUrl(text) : null;
    const isAffordable = typeof amount === "string" && /^\d{1,78}$/.test(amount) && BigInt(amount) <= BigInt(passMax);
    return target && target.origin === url?.origin && isAffordable ? target.href : null;
  }

  /** Concurrent calls share one purchase. The result goes to the call that made it, with its receipt. */
  async function buyOnce(newPassUrl: string): Promise<Bought> {
    const underway = memory.buying.get(newPassUrl);
    if (underway) return { ...(await underway), receipt: null };
    const purchase = buy(newPassUrl).finally(() => memory.buying.delete(newPassUrl));
    memory.buying.set(newPassUrl, purchase);
    return purchase;
  }

  async function buy(newPassUrl: string): Promise<Bought> {
    const { idempotencyKey, ...rest } = options;
    const key = idempotencyKey && `${idempotencyKey}-pass`;
    const order = {
      ...rest,
      maxAmount: passMax,
      idempotencyKey: key,
      method: "GET",
      proof: memory.proofs.get(newPassUrl),
    };
    const { response, receipt } = await payOnce(purse, newPassUrl, {}, order).catch((error: unknown) => {
      // Another proof could pay a second time.
      if (PaymentError.is(error) && error.proof && error.outcome !== "not_paid")
        memory.proofs.set(newPassUrl, error.proof);
      else memory.proofs.delete(newPassUrl);
      throw error;
    });
    memory.proofs.delete(newPassUrl);
    const token = textOf(fieldsOf(fieldsOf(await response.json().catch(() => null)).pass).token);
    if (token === undefined) {
      const message = "Paid for a pass, but the response has none. Do not pay again";
      throw new PaymentError({
        code: "response_lost",
        outcome: "paid",
        status: response.status,
        message,
        proof: receipt?.proof,
      });
    }
    await tokens.set(paidUrl ?? newPassUrl, token);
    return { token, receipt };
  }
}

/** Must be longer than a seller's API may take. */
const CALL_SECONDS = 150;

/** What a pass is for: all paths below the first two segments. */
function paidUrlOf({ origin, pathname }: URL): string | null {
  const [, prefix] = /^(\/paid\/[^/]+)/.exec(pathname) ?? [];
  return prefix === undefined ? null : `${origin}${prefix}`;
}
