import { textOf } from "../../x402/src/json.ts";
import { chooseOffers, findOffers, type Offer, readRequired } from "../../x402/src/offers.ts";
import { readProofResponse, readRedirect } from "../../x402/src/responses.ts";
import { parseUrl } from "../../x402/src/url.ts";
import { invalid, type Outcome, PaymentError, TesseraError, tooLarge } from "./errors.ts";
import type { NetworkName, Proof, Receipt } from "./proof.ts";
import type { Purse, SignOptions } from "./sign.ts";
import {
  backoff,
  errorOf,
  exchange,
  headerOf,
  type Json,
  jsonOf,
  newKey,
  type Reply,
  repeated,
  retryAfter,
  sleep,
} from "./transport.ts";

export type PayResult = {
  /** The seller's response, whatever its status. Its body is in memory. */
  response: Response;
  /** Null if the seller required no payment. */
  receipt: Receipt | null;
};

/** Tokens by the address of the calls that they open, as a Map has them. Whoever has a token can use its pass. */
export type PassStore = {
  get(paidUrl: string): string | undefined | Promise<string | undefined>;
  set(paidUrl: string, token: string): unknown;
};

export type PayOptions = SignOptions & {
  /** Atomic USDC ("1000000" is 1.00). A higher price is refused with `max_amount_exceeded`. */
  maxAmount: string;
  /** Only offers on this network. Default: any network of the service. */
  network?: NetworkName | undefined;
  /** Names the purchase: the same key gives the same proof, which is paid once. Default: random. */
  idempotencyKey?: string | undefined;
  /** A proof to present again, from a PaymentError. No other proof is signed. */
  proof?: Proof | undefined;
  /** Seconds until a payment without a result ends with outcome `unknown`. Default: 120. */
  waitSeconds?: number | undefined;
  /** Atomic USDC: buys a pass for many calls in place of each call if the seller offers one for at most this, keeps it and uses it. */
  preferPass?: string | undefined;
  /** Where passes are kept. Default: in this process, whose end loses them. */
  passes?: PassStore | undefined;
  /** Larger responses end with `response_too_large`. Default: 10 MiB. */
  maxResponseBytes?: number | undefined;
  signal?: AbortSignal | undefined;
};

export const MAX_BYTES = 10_485_760;
export const ASK_SECONDS = 30;
const REQUIREMENT_BYTES_MAX = 262_144;

export function receiptOf(proof: Proof, { txHash, settlementId, receiptUrl }: Json): Receipt {
  const { amount, network, payer, payTo, paymentRecordId } = proof;
  return {
    proof,
    amount,
    network,
    payer,
    payTo,
    paymentRecordId,
    txHash: textOf(txHash) || null,
    settlementId: textOf(settlementId) ?? null,
    receiptUrl: textOf(receiptUrl) ?? null,
  };
}

/** Implements `Tessera.pay`. */
export async function pay(
  purse: Purse,
  input: string | URL,
  init: RequestInit,
  options: PayOptions,
): Promise<PayResult> {
  const { maxAmount, maxResponseBytes: maxBytes = MAX_BYTES } = options;
  const signal = options.signal ?? init.signal ?? undefined;
  const url = parseUrl(input);
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid("url must be an http or https URL");
  url.hash = "";
  if (!/^\d{1,78}$/.test(maxAmount)) throw invalid("maxAmount must be a string of atomic USDC units");
  if (typeof init.body === "object" && init.body !== null && "getReader" in init.body)
    throw invalid("body is sent twice: it must be text or bytes");
  const key = options.idempotencyKey ?? newKey();
  const existingProof = options.proof ?? (await purse.findProof(key));
  const requested: Requested = existingProof ? { type: "signed", proof: existingProof } : await requestProof(url);
  if (requested.type === "free") return { response: responseOf(requested.reply), receipt: null };
  const { proof } = requested;
  if (new URL(proof.url).origin !== url.origin) throw invalid("The proof is for another origin");
  if (BigInt(proof.amount) > BigInt(maxAmount)) throw invalid("The proof is for more than maxAmount");
  const presentation: Presentation = { init, proof, maxBytes, signal, waitSeconds: options.waitSeconds ?? 120 };
  const { reply, receipt } = await present(purse, presentation);
  return { response: responseOf(reply), receipt };

  async function requestProof(requestUrl: URL): Promise<Requested> {
    const send = () =>
      exchange(purse.fetch, requestUrl.href, init, {
        signal,
        seconds: ASK_SECONDS,
        maxBytes: Math.max(maxBytes, REQUIREMENT_BYTES_MAX),
      });
    // A resource that requires no payment acts on this request: only GET and HEAD are safe to repeat.
    const reply = await (/^(get|head)$/i.test(init.method ?? "GET") ? repeated(send, signal) : send());
    if (reply.bytes === null) throw tooLarge(reply.status);
    if (reply.status !== 402) return { type: "free", reply };
    // A redirect must not spend `maxAmount` at another seller.
    const target = new URL(reply.url || requestUrl.href);
    if (target.origin !== requestUrl.origin) {
      const message = `${requestUrl.origin} redirects to ${target.origin}`;
      throw new PaymentError({ code: "redirect_refused", outcome: "not_paid", status: 402, message });
    }
    const offers = offersOf(reply);
    const challenges = reply.headers.get("www-authenticate");
    // Loaded only for sellers that speak MPP.
    if (challenges) offers.push(...(await import("../../x402/src/challenges.ts")).findCharges(challenges));
    const offer = requireAffordableOffer(offers, maxAmount, options.network);
    const signed = await purse.signOnce(
      key,
      { offer, url: target },
      { method: init.method?.toUpperCase(), ...options, signal },
    );
    return { type: "signed", proof: signed };
  }
}

/** The reply of a seller that requires no payment, or the proof for one that does. */
type Requested = { type: "free"; reply: Reply } | { type: "signed"; proof: Proof };

/** Drops the headers that describe the encoded body: `bytes` is decoded. */
export function responseOf({ status, headers, bytes }: Reply): Response {
  const responseHeaders = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) responseHeaders.delete(name);
  const isBodiless = status === 204 || status === 205 || status === 304;
  return new Response(isBodiless ? null : bytes, { status, headers: responseHeaders });
}

/** Returns the offers of a 402 in the seller's order: x402 v2 (header or body) or v1 (body). */
export function offersOf(reply: Pick<Reply, "headers" | "bytes">): Offer[] {
  const required = readRequired({ header: headerOf(reply, "payment-required"), body: jsonOf(reply) });
  return required ? findOffers(required) : [];
}

/** Returns the first offer of at most `maxAmount` atomic USDC. Throws PaymentError `no_payable_option` or `max_amount_exceeded`. */
function requireAffordableOffer(offers: readonly Offer[], maxAmount: string, network: NetworkName | undefined): Offer {
  const choice = chooseOffers(offers, { maxAmount: BigInt(maxAmount), network });
  if (choice.type === "affordable") return choice.offers[0];
  if (choice.type === "none") throw unpaid("no_payable_option", "The seller takes no USDC on a supported network");
  const { amount } = choice.first;
  const message = `The seller requires ${amount} atomic USDC, more than maxAmount (${maxAmount})`;
  throw unpaid("max_amount_exceeded", message, { amount, maxAmount });
}

const unpaid = (code: string, message: string, details?: Json) =>
  new PaymentError({ code, outcome: "not_paid", status: 402, message, ...(details && { details }) });

type Presentation = {
  init: RequestInit;
  proof: Proof;
  maxBytes: number;
  waitSeconds: number;
  signal: AbortSignal | undefined;
};

type PaidReply = { reply: Reply; receipt: Receipt };

/** Must be longer than the service waits for a transfer and then for an API before it responds. */
const PRESENT_SECONDS = 150;
const READ_SECONDS = 30;
const REDIRECTS_MAX = 5;

/**
 * Presents the same proof until its end is known or `waitSeconds` have passed. Signs nothing: one proof can be paid only once.
 * Throws PaymentError with the proof.
 * Why: docs/decisions.md, 112.
 */
async function present(purse: Purse, presentation: Presentation): Promise<PaidReply> {
  const { proof, init, maxBytes, signal, waitSeconds } = presentation;
  const { origin } = new URL(proof.url);
  const isOurs = origin === new URL(purse.baseUrl).origin;
  const deadline = Date.now() + waitSeconds * 1000;
  let url = proof.url;
  let redirects = 0;
  let last: Reply | undefined;
  /** How it ends if no response decides it. */
  let openEnd: Outcome = "unknown";
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
        const done = await readEnd(end);
        if (done) return done;
      }
      const wait = TesseraError.is(end) ? backoff(n) : (retryAfter(end) ?? backoff(n));
      if (Date.now() + wait * 1000 > deadline) throw failure(openEnd, last, TesseraError.is(end) ? { cause: end } : {});
      await sleep(wait, signal);
    }
  } catch (error) {
    if (!signal?.aborted || PaymentError.is(error)) throw error;
    throw failure(openEnd, last, { code: "aborted", cause: error });
  }

  function send(href: string): Promise<Reply> {
    const headers = new Headers(init.headers);
    headers.set(proof.header, proof.value);
    // With redirect "follow", fetch would send the proof to any origin.
    const request: RequestInit = { ...init, headers, redirect: "manual" };
    return exchange(purse.fetch, href, request, { signal, seconds: PRESENT_SECONDS, maxBytes });
  }

  /** Returns the end of the payment, or undefined if the proof must be presented again. Throws PaymentError. */
  async function readEnd(reply: Reply): Promise<PaidReply | undefined> {
    const { status, bytes } = reply;
    // PAYMENT-RESPONSE in x402 v2, X-PAYMENT-RESPONSE in v1.
    const receipt = headerOf(reply, reply.headers.has("payment-response") ? "payment-response" : "x-payment-response");
    if (bytes === null)
      throw failure(receipt.success === true ? "paid" : openEnd, reply, { code: "response_too_large" });
    const body = jsonOf(reply);
    const required = headerOf(reply, "payment-required");
    const outcome = readProofResponse({ status, receipt, required, body, isOwn: isOurs });
    switch (outcome.type) {
      case "undecided":
        return undefined;
      case "accepted":
        if (outcome.settlementId !== undefined) return followSettlement(outcome.settlementId, outcome.contentUrl);
        break;
      case "used":
        if (outcome.settlementId === undefined) throw failure(openEnd, reply);
        return followSettlement(outcome.settlementId, outcome.contentUrl, outcome.result);
      case "refused": {
        const refusal = openEnd === "paid" ? openEnd : outcome.end;
        // The seller may refuse contract payers: the service then pays it differently next time. A lost report is sent at the next refusal.
        if (status === 402 && refusal === "declined")
          await purse.refused(proof.paymentRecordId, errorOf(reply).message).catch(networkError);
        throw failure(refusal, reply);
      }
    }
    return { reply, receipt: receiptOf(proof, { ...body, txHash: receipt.transaction }) };
  }

  /** Polls the settlement at the seller's origin until it ends or the deadline passes. */
  async function followSettlement(
    settlementId: string,
    contentUrl: string | undefined,
    result?: unknown,
  ): Promise<PaidReply | undefined> {
    const limits = { signal, seconds: READ_SECONDS, maxBytes };
    const href = `${origin}/api/settlements/${encodeURIComponent(settlementId)}`;
    for (let n = 0; ; n++) {
      const reply = await exchange(purse.fetch, href, {}, limits).catch(networkError);
      const view = TesseraError.is(reply) ? {} : jsonOf(reply);
      const { settlementStatus } = view;
      const isMine = [view.payer, view.payee].join().toLowerCase() === [proof.payer, proof.payTo].join().toLowerCase();
      if (settlementStatus === "settled" && isMine && view.amount === proof.amount)
        return fetchPurchase(view, settlementId, contentUrl, result);
      const end = TesseraError.is(reply) ? undefined : reply;
      if (settlementStatus === "failed") throw failure(isOurs ? "not_paid" : "declined", end, { details: view });
      if (textOf(view.stillValidUntil) !== undefined) throw failure("declined", end, { details: view });
      const wait = Math.max(1, backoff(n));
      if (end?.status === 404 || Date.now() + wait * 1000 > deadline) throw failure("unknown", end);
      await sleep(wait, signal);
    }
  }

  /** Obtains the purchase of a payment that settled after its first response; undefined if the proof must be presented again. */
  async function fetchPurchase(
    view: Json,
    settlementId: string,
    contentUrl: string | undefined,
    result: unknown,
  ): Promise<PaidReply | undefined> {
    const receipt = receiptOf(proof, { ...view, settlementId });
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
    if (contentUrl !== undefined && parseUrl(contentUrl)?.origin === origin) {
      const headers = { Accept: "application/json" };
      const reply = await exchange(purse.fetch, contentUrl, { headers }, limits).catch(networkError);
      if (TesseraError.is(reply) || reply.status !== 200)
        throw failure("paid", undefined, { details: { ...body, contentUrl } });
      const { content = null, redirectUrl } = jsonOf(reply);
      Object.assign(body, { resource: content, contentUrl, redirectUrl });
    } else if (result === undefined) {
      // After settlement, a seller responds to the same proof with the purchase, or with an error that leaves another try.
      if (openEnd !== "paid") {
        openEnd = "paid";
        return undefined;
      }
      // The service does not deliver a link's content for this proof: after settlement, anyone can read it on the chain.
      if (view.purpose === "link" || view.purpose === "firewall")
        throw failure("paid", undefined, { code: "response_lost", details: body });
    }
    const headers = new Headers({ "Content-Type": "application/json" });
    return {
      reply: { status: 200, headers, url, bytes: new TextEncoder().encode(JSON.stringify(result ?? body)) },
      receipt,
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
