import { fieldsOf, textOf } from "../../x402/src/json.ts";
import { chooseOffers } from "../../x402/src/offers.ts";
import { COST_MAX_HEADER, findPass, type PassOffer } from "../../x402/src/passes.ts";
import { parseUrl } from "../../x402/src/url.ts";
import { invalid, PaymentError, TesseraError, tooLarge } from "./errors.ts";
import {
  ASK_SECONDS,
  MAX_BYTES,
  offersOf,
  type PassStore,
  type PayOptions,
  type PayResult,
  pay as payOnce,
  receiptOf,
  responseOf,
} from "./pay.ts";
import type { Proof, Receipt } from "./proof.ts";
import type { Purse } from "./sign.ts";
import { exchange, headerOf, jsonOf, newKey, type Reply, repeated } from "./transport.ts";

// Loaded only for calls with `preferPass`.

/** What this process knows of the passes of one client. */
type Memory = {
  /** Passes that are kept nowhere else. */
  tokens: PassStore;
  /** Purchases under way, by link: a seller can change the URL of the pass. */
  buying: Map<string, Promise<Bought>>;
  /** Purchases whose end is not known, by link. */
  open: Map<string, OpenPurchase>;
  uses: Map<string, Use>;
  /** Where no pass is bought again. */
  avoided: Set<string>;
};
/** `token`: of a 202. It admits calls once the payment has settled. */
type OpenPurchase = { proof: Proof; token: string | undefined; begunAt: number; limits: Limits | null };
type Bought = { token: string; receipt: Receipt | null };
type Offered = { url: string; amount: string; limits: Limits | null };
type Limits = Pick<PassOffer, "calls" | "hours" | "amount" | "isByUse">;
/** `underway`: calls that have no response yet, oldest first. `limits` and `begunAt` (milliseconds): of a pass that this process bought. */
type Use = { underway: Set<object>; sends: number; limits?: Limits; begunAt?: number };

/** By a function that a client keeps: it makes a purse for each payment. */
const memories = new WeakMap<Purse["sign"], Memory>();

const isAmount = (value: unknown): value is string => typeof value === "string" && /^\d{1,78}$/.test(value);

function amountIn(options: PayOptions, name: "maxAmount" | "preferPass"): string {
  const { [name]: amount } = options;
  if (isAmount(amount)) return amount;
  throw invalid(`${name} must be a string of atomic USDC units`);
}

const newUse = (): Use => ({ underway: new Set(), sends: 0 });

/** Implements `Tessera.pay` with `preferPass`. */
export async function pay(
  purse: Purse,
  input: string | URL,
  init: RequestInit,
  options: PayOptions,
): Promise<PayResult> {
  const { idempotencyKey, passes, maxResponseBytes: maxBytes = MAX_BYTES } = options;
  const passMax = amountIn(options, "preferPass");
  const maxAmount = amountIn(options, "maxAmount");
  const signal = options.signal ?? init.signal ?? undefined;
  const url = parseUrl(input);
  const callsUrl = url && callsUrlOf(url);
  const proofUrl = options.proof && parseUrl(options.proof.url);
  const isOfPass = proofUrl?.origin === url?.origin && /^\/pass\//.test(proofUrl?.pathname ?? "");
  if (!callsUrl || (options.proof && !isOfPass)) return payOnce(purse, input, init, options);
  const paidUrl: string = callsUrl;
  const { origin } = url;
  const memory = memories.get(purse.sign) ?? {
    tokens: new Map(),
    buying: new Map(),
    open: new Map(),
    uses: new Map(),
    avoided: new Set(),
  };
  memories.set(purse.sign, memory);
  const tokens = passes ?? memory.tokens;
  // The service names the call by it: a repeated POST is one order.
  const callKey = idempotencyKey ?? newKey();
  // A key pays once.
  if (!options.proof && idempotencyKey !== undefined && (await purse.findProof(idempotencyKey))) return payCall();

  let token = await tokens.get(paidUrl);
  let bought: Bought | null = null;
  if (options.proof) {
    const { proof } = options;
    if (BigInt(proof.amount) > BigInt(passMax)) throw invalid("The proof is for more than preferPass");
    if (memory.open.get(paidUrl)?.proof.value !== proof.value)
      memory.open.set(paidUrl, { proof, token: undefined, begunAt: 0, limits: null });
    bought = await buyOnce({ url: proof.url, amount: proof.amount, limits: null });
    token = bought.token;
  }
  for (;;) {
    const { reply, isOldest } = await call(token).catch((error: unknown) => {
      throw bought?.receipt ? purchaseError(bought.receipt, error) : error;
    });
    const result: PayResult = { response: responseOf(reply), receipt: bought?.receipt ?? null };
    if (reply.status !== 402) return result;
    const keptToken = await tokens.get(paidUrl);
    if (keptToken !== undefined && keptToken !== token) {
      token = keptToken;
      continue;
    }
    const mayBuy = token === undefined || mayReplace(token, reply, isOldest);
    // One call buys one pass at most.
    if (bought) return bought.receipt || options.proof ? result : payCall();
    const offered = mayBuy ? passIn(reply) : null;
    bought = offered && (await buyOnce(offered, token).catch(unlessNotPaid));
    if (!bought) return payCall();
    token = bought.token;
  }

  function payCall(): Promise<PayResult> {
    return payOnce(purse, input, init, { ...options, proof: undefined });
  }

  async function call(passToken: string | undefined): Promise<{ reply: Reply; isOldest: boolean }> {
    const headers = new Headers(init.headers);
    if (passToken !== undefined) {
      headers.set("Authorization", `Bearer ${passToken}`);
      if (!headers.has("Idempotency-Key")) headers.set("Idempotency-Key", callKey);
      // Of a pass by use, whose call can take all of its price.
      headers.set(COST_MAX_HEADER, maxAmount);
    }
    // A redirect must not carry the token elsewhere.
    const request: RequestInit = { ...init, headers, redirect: "manual" };
    const limits = { signal, seconds: passToken === undefined ? ASK_SECONDS : CALL_SECONDS, maxBytes };
    const use = passToken === undefined ? newUse() : useOf(passToken);
    const self = {};
    use.underway.add(self);
    const send = () => {
      use.sends += 1;
      return exchange(purse.fetch, String(input), request, limits);
    };
    try {
      const reply = await (/^(get|head)$/i.test(init.method ?? "GET") ? repeated(send, signal) : send());
      if (reply.bytes === null) throw tooLarge(reply.status);
      return { reply, isOldest: use.underway.values().next().value === self };
    } finally {
      use.underway.delete(self);
    }
  }

  function useOf(passToken: string): Use {
    const use = memory.uses.get(passToken) ?? newUse();
    memory.uses.set(passToken, use);
    return use;
  }

  /** Whether another pass may be bought after this 402. */
  function mayReplace(passToken: string, reply: Reply, isOldest: boolean): boolean {
    const { code } = jsonOf(reply);
    // Otherwise a seller could sell a pass, refund a part of it, and sell the next.
    if (code === "PASS_REFUNDED") memory.avoided.add(paidUrl);
    // While a refund is on its way, or the block of its payment is replaced, the pass may open again: another one would be paid too much.
    if (code !== "PASS_USED_UP" && code !== "PASS_OVER") return false;
    if (isEarly(passToken, code, reply)) memory.avoided.add(paidUrl);
    // An older call that fails comes back to the pass.
    return code === "PASS_OVER" || isOldest;
  }

  /** Whether a pass ended before what its seller promised. */
  function isEarly(passToken: string, code: "PASS_USED_UP" | "PASS_OVER", reply: Reply): boolean {
    const { limits, sends, begunAt = 0 } = useOf(passToken);
    if (!limits) return false;
    const { calls, hours, isByUse, amount } = limits;
    if (code === "PASS_OVER") return hours === null || Date.now() < begunAt + hours * 3_600_000;
    // The refused call is one of `sends`, and took nothing.
    if (isByUse) return BigInt(sends) * (priceOf(reply) ?? BigInt(maxAmount)) <= BigInt(amount);
    // The refused call is one of `sends`. Calls that other processes made on a kept pass make it look early: it is then not bought again.
    return calls === null || sends <= calls;
  }

  /** The pass that a 402 offers for at most `preferPass`, and for no more than its calls would cost. */
  function passIn(reply: Reply): Offered | null {
    const openPurchase = memory.open.get(paidUrl);
    if (openPurchase) return offeredIn(openPurchase);
    if (memory.avoided.has(paidUrl)) return null;
    const offer = findPass(headerOf(reply, "payment-required").extensions, {
      origin,
      amountMax: BigInt(passMax),
      callPrice: priceOf(reply),
      callMax: BigInt(maxAmount),
    });
    return offer && { url: offer.url, amount: offer.amount, limits: offer };
  }

  /** The price of a call; null where it is more than `maxAmount`. */
  function priceOf(reply: Reply): bigint | null {
    const choice = chooseOffers(offersOf(reply), { maxAmount: BigInt(maxAmount), network: options.network });
    return choice.type === "affordable" ? BigInt(choice.offers[0].amount) : null;
  }

  /** Concurrent calls share one purchase. The receipt goes to the call that made it. */
  async function buyOnce(offered: Offered, refusedToken?: string): Promise<Bought> {
    const isShared = memory.buying.has(paidUrl);
    const purchase =
      memory.buying.get(paidUrl) ?? buy(offered, refusedToken).finally(() => memory.buying.delete(paidUrl));
    memory.buying.set(paidUrl, purchase);
    const { token: boughtToken, receipt } = await purchase;
    return { token: boughtToken, receipt: isShared ? null : receipt };
  }

  async function buy(offered: Offered, refusedToken: string | undefined): Promise<Bought> {
    // Another call, or another process, may have bought one meanwhile.
    const keptToken = await tokens.get(paidUrl);
    if (!options.proof && keptToken !== undefined && keptToken !== refusedToken)
      return { token: keptToken, receipt: null };
    const key = idempotencyKey && `${idempotencyKey}-pass`;
    const hasPaid = key !== undefined && (await purse.findProof(key)) !== undefined;
    const openPurchase = memory.open.get(paidUrl);
    const { url: passUrl, amount, limits } = openPurchase ? offeredIn(openPurchase) : offered;
    const begunAt = openPurchase?.begunAt ?? Date.now();
    let newToken = openPurchase?.token;
    const watchingPurse: Purse = {
      ...purse,
      fetch: async (target, request) => {
        const response = await purse.fetch(target, request);
        if (response.status !== 202) return response;
        const reply = await exchange(async () => response, passUrl, {}, { signal, seconds: ASK_SECONDS, maxBytes });
        if (reply.bytes === null) throw tooLarge(reply.status);
        newToken = textOf(jsonOf(reply).token) ?? newToken;
        return responseOf(reply);
      },
    };
    const order: PayOptions = {
      ...options,
      maxAmount: amount,
      idempotencyKey: key,
      method: "GET",
      proof: openPurchase?.proof,
    };
    const purchase = await payOnce(watchingPurse, passUrl, {}, order).catch((error: unknown) => {
      if (!PaymentError.is(error)) throw error;
      if (error.outcome === "not_paid") memory.open.delete(paidUrl);
      // Another proof could pay a second time.
      else if (error.proof) memory.open.set(paidUrl, { proof: error.proof, token: newToken, begunAt, limits });
      if (error.outcome !== "paid" || !error.proof || newToken === undefined) throw error;
      // The payment has settled late, and the seller does not show the pass a second time.
      return { response: new Response(null), receipt: receiptOf(error.proof, error.details) };
    });
    memory.open.delete(paidUrl);
    const { response } = purchase;
    const { pass } = fieldsOf(await response.json().catch(() => null));
    const boughtToken = textOf(fieldsOf(pass).token) ?? newToken;
    if (boughtToken === undefined || boughtToken === refusedToken) {
      if (!hasPaid) memory.avoided.add(paidUrl);
      throw new PaymentError({
        code: "response_lost",
        outcome: "paid",
        status: response.status,
        message: hasPaid
          ? "This idempotencyKey has paid for a pass that is used up. Another call needs another key"
          : "Paid for a pass, but the response has no new one. Do not pay again",
        proof: purchase.receipt?.proof,
      });
    }
    if (refusedToken !== undefined) memory.uses.delete(refusedToken);
    if (limits) Object.assign(useOf(boughtToken), { limits, begunAt });
    // Replaces the old one: a token that is deleted could be another call's new one.
    const { receipt } = purchase;
    // If it cannot be stored, the next call presents the same proof.
    if (receipt) memory.open.set(paidUrl, { proof: receipt.proof, token: boughtToken, begunAt, limits });
    await tokens.set(paidUrl, boughtToken);
    memory.open.delete(paidUrl);
    return { token: boughtToken, receipt };
  }
}

/** Null where nothing was paid: the call can be. */
function unlessNotPaid(error: unknown): null {
  if (PaymentError.is(error) && error.outcome === "not_paid") return null;
  throw error;
}

const offeredIn = ({ proof, limits }: OpenPurchase): Offered => ({ url: proof.url, amount: proof.amount, limits });

/** Must be longer than a seller's API may take. */
const CALL_SECONDS = 150;

/** What a pass is for: all paths below the first two segments. */
function callsUrlOf({ origin, pathname }: URL): string | null {
  const [, prefix] = /^(\/paid\/[^/]+)/.exec(pathname) ?? [];
  return prefix === undefined ? null : `${origin}${prefix}`;
}

/** The error of a call on a pass that was paid for it. */
function purchaseError(receipt: Receipt, error: unknown): PaymentError {
  const { code, status } = TesseraError.is(error) ? error : { code: "response_lost", status: 0 };
  const { receiptUrl, txHash } = receipt;
  return new PaymentError({
    code,
    status,
    outcome: "paid",
    message: "Paid for a pass, which is kept, but the call on it has no response",
    details: { receipt, receiptUrl, txHash },
    proof: receipt.proof,
    cause: error,
  });
}
