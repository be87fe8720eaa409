import { textOf } from "../../x402/src/json.ts";
import { readProofResponse, readRedirect } from "../../x402/src/responses.ts";
import { type Outcome, PaymentError, TesseraError } from "./errors.ts";
import type { Proof, Receipt } from "./proof.ts";
import type { Purse } from "./sign.ts";
import { backoff, errorOf, exchange, headerOf, type Json, jsonOf, type Reply, retryAfter, sleep } from "./transport.ts";

export type Presenting = {
  init: RequestInit;
  proof: Proof;
  maxBytes: number;
  waitSeconds: number;
  signal: AbortSignal | undefined;
};

export type Presented = { reply: Reply; receipt: Receipt };

/** Must be longer than the service waits for a transfer before it responds. */
const PRESENT_SECONDS = 90;
const READ_SECONDS = 30;
const REDIRECTS_MAX = 5;

/** Reads the receipt header: PAYMENT-RESPONSE in x402 v2, X-PAYMENT-RESPONSE in v1. */
const receiptIn = (reply: Reply): Json =>
  headerOf(reply, reply.headers.has("payment-response") ? "payment-response" : "x-payment-response");

/**
 * Presents the same proof until its end is known or `waitSeconds` have passed. Signs nothing: one proof can be paid only once.
 * Throws PaymentError with the proof.
 * Why: docs/decisions.md, 112.
 */
export async function present(purse: Purse, presenting: Presenting): Promise<Presented> {
  const { proof, init, maxBytes, signal, waitSeconds } = presenting;
  const { origin } = new URL(proof.url);
  const isOurs = origin === new URL(purse.baseUrl).origin;
  const deadline = Date.now() + waitSeconds * 1000;
  let url = proof.url;
  let redirects = 0;
  let last: Reply | undefined;
  try {
    for (let n = 0; ; n++) {
      const end = await send(url).catch(networkError);
      if (!TesseraError.is(end)) {
        last = end;
        const request = { url: new URL(url), method: init.method?.toUpperCase() ?? "GET", isPaying: true };
        const redirect = readRedirect({ status: end.status, location: end.headers.get("location") }, request);
        if (redirect.type === "followed" && redirects++ < REDIRECTS_MAX) {
          n--;
          url = redirect.url.href;
          continue;
        }
        const done = await ended(end);
        if (done) return done;
      }
      const wait = TesseraError.is(end) ? backoff(n) : (retryAfter(end) ?? backoff(n));
      if (Date.now() + wait * 1000 > deadline)
        throw failure("unknown", last, TesseraError.is(end) ? { cause: end } : {});
      await sleep(wait, signal);
    }
  } catch (error) {
    if (!signal?.aborted || PaymentError.is(error)) throw error;
    throw failure("unknown", last, { code: "aborted", cause: error });
  }

  function send(href: string): Promise<Reply> {
    const headers = new Headers(init.headers);
    headers.set(proof.header, proof.value);
    // With redirect "follow", fetch would send the proof to any origin.
    const request: RequestInit = { ...init, headers, redirect: "manual" };
    return exchange(purse.fetch, href, request, { signal, seconds: PRESENT_SECONDS, maxBytes });
  }

  /** Returns the end of the payment, or undefined if the proof must be presented again. Throws PaymentError. */
  async function ended(reply: Reply): Promise<Presented | undefined> {
    const { status, bytes } = reply;
    const receipt = receiptIn(reply);
    if (bytes === null)
      throw failure(receipt.success === true ? "paid" : "unknown", reply, { code: "response_too_large" });
    const body = jsonOf(reply);
    const required = headerOf(reply, "payment-required");
    const outcome = readProofResponse({ status, receipt, required, body, isOwn: isOurs });
    switch (outcome.type) {
      case "undecided":
        return undefined;
      case "accepted":
        if (outcome.settlementId !== undefined) return follow(outcome.settlementId, outcome.contentUrl);
        break;
      case "used":
        if (outcome.settlementId === undefined) throw failure("unknown", reply);
        return follow(outcome.settlementId, outcome.contentUrl, outcome.result);
      case "refused":
        // The seller may refuse contract payers: the service then pays it differently next time. A lost report is sent at the next refusal.
        if (status === 402 && outcome.end === "declined")
          await purse.refused(proof.paymentRecordId, errorOf(reply).message).catch(networkError);
        throw failure(outcome.end, reply);
    }
    return { reply, receipt: receiptOf(receipt, body) };
  }

  /** Polls the settlement at the seller's origin until it ends or the deadline passes. */
  async function follow(
    settlementId: string,
    contentUrl: string | undefined,
    result?: unknown,
  ): Promise<Presented | undefined> {
    const limits = { signal, seconds: READ_SECONDS, maxBytes };
    const href = `${origin}/api/settlements/${encodeURIComponent(settlementId)}`;
    for (let n = 0; ; n++) {
      const reply = await exchange(purse.fetch, href, {}, limits).catch(networkError);
      const view = TesseraError.is(reply) ? {} : jsonOf(reply);
      const { settlementStatus } = view;
      const isMine = [view.payer, view.payee].join().toLowerCase() === [proof.payer, proof.payTo].join().toLowerCase();
      if (settlementStatus === "settled" && isMine && view.amount === proof.amount)
        return delivered(view, settlementId, contentUrl, result);
      const end = TesseraError.is(reply) ? undefined : reply;
      if (settlementStatus === "failed") throw failure(isOurs ? "not_paid" : "declined", end, { details: view });
      if (textOf(view.stillValidUntil) !== undefined) throw failure("declined", end, { details: view });
      const wait = Math.max(1, backoff(n));
      if (end?.status === 404 || Date.now() + wait * 1000 > deadline) throw failure("unknown", end);
      await sleep(wait, signal);
    }
  }

  /** Obtains the purchase of a payment that settled after its first response. */
  async function delivered(
    view: Json,
    settlementId: string,
    contentUrl: string | undefined,
    result: unknown,
  ): Promise<Presented | undefined> {
    const receipt = receiptOf({ transaction: view.txHash }, { ...view, settlementId });
    const body: Json = {
      success: true,
      status: "success",
      txHash: view.txHash,
      settledAmount: view.amount,
      network: view.network,
      payer: view.payer,
      payee: view.payee,
      settlementId,
      receiptUrl: view.receiptUrl,
    };
    const limits = { signal, seconds: READ_SECONDS, maxBytes };
    if (contentUrl !== undefined && URL.canParse(contentUrl) && new URL(contentUrl).origin === origin) {
      const headers = { Accept: "application/json" };
      const reply = await exchange(purse.fetch, contentUrl, { headers }, limits).catch(networkError);
      if (TesseraError.is(reply) || reply.status !== 200)
        throw failure("paid", undefined, { details: { ...body, contentUrl } });
      const { content = null, redirectUrl } = jsonOf(reply);
      Object.assign(body, { resource: content, contentUrl, redirectUrl });
    } else if (result === undefined) {
      // After settlement, a seller responds to the same proof with the purchase.
      const retryReply = await send(url).catch(networkError);
      const refusal = TesseraError.is(retryReply) ? {} : jsonOf(retryReply);
      if (!TesseraError.is(retryReply) && retryReply.status === 200) return { reply: retryReply, receipt };
      if (refusal.result !== undefined) return respondWith(refusal.result);
      // The service does not deliver a link's content for this proof: after settlement, anyone can read it on the chain.
      if (view.purpose === "link" || view.purpose === "firewall")
        throw failure("paid", undefined, { code: "response_lost", details: body });
    }
    return respondWith(result ?? body);

    function respondWith(json: unknown): Presented {
      const headers = new Headers({ "Content-Type": "application/json" });
      return { reply: { status: 200, headers, url, bytes: new TextEncoder().encode(JSON.stringify(json)) }, receipt };
    }
  }

  function receiptOf(receipt: Json, body: Json): Receipt {
    const { amount, network, payer, payTo, paymentRecordId } = proof;
    return {
      proof,
      amount,
      network,
      payer,
      payTo,
      paymentRecordId,
      txHash: textOf(receipt.transaction) || null,
      settlementId: textOf(body.settlementId) ?? null,
      receiptUrl: textOf(body.receiptUrl) ?? null,
    };
  }

  function failure(
    outcome: Outcome,
    reply: Reply | undefined,
    overrides: { code?: string; cause?: unknown; details?: Json } = {},
  ): PaymentError {
    const error = reply && errorOf(reply);
    const isOpen = outcome === "declined" || outcome === "unknown";
    const details = {
      ...error?.details,
      ...overrides.details,
      // From the signed proof, not from the seller's response, which is not trusted.
      stillValidUntil: isOpen ? proof.validUntil : undefined,
    };
    return new PaymentError({
      code:
        overrides.code ?? (outcome === "unknown" || !error || error.status < 400 ? `payment_${outcome}` : error.code),
      status: error?.status ?? 0,
      message: `${NEXT[outcome]}${error && error.status >= 400 ? ` (${error.message})` : ""}`,
      details,
      cause: overrides.cause ?? error,
      outcome,
      proof,
    });
  }
}

const NEXT: Record<Outcome, string> = {
  not_paid: "Not paid: no money moved. A new payment is safe",
  declined: "Refused, but this proof can still be paid until stillValidUntil. Present it again, or wait until then",
  unknown:
    "It is not known whether it was paid. Sign nothing else: pass error.proof to pay, or read payments.get(error.proof.paymentRecordId)",
  paid: "Paid, but the response was lost. Do not pay again",
};

/** Returns a TesseraError as a value; rethrows any other error, such as the signal's reason. */
function networkError(error: unknown): TesseraError {
  if (TesseraError.is(error)) return error;
  throw error;
}
