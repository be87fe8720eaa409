import { hash } from "node:crypto";
import { chooseOffers } from "@tessera/x402/offers";
import { hostOfResource } from "@/lib/core/host";
import { type MandateId, newId, type PurchaseId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { formatUsdc, type Usdc } from "@/lib/core/money";
import { addSeconds, fromUnixSeconds } from "@/lib/core/time";
import { edgeErrors } from "@/lib/http/errors";
import * as mandates from "@/lib/mandates/service";
import { toPayeeRequired } from "@/lib/payees/contract";
import { isSignedFor } from "@/lib/payees/outbound";
import * as payees from "@/lib/payees/service";
import { signCredits } from "@/lib/payments/credits";
import { witnessRefusal } from "@/lib/payments/refusals/service";
import { toPaymentView, toProofV1, toProofV2 } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { Agent, Ctx, System } from "@/lib/platform/context";
import { failpoint } from "@/lib/platform/failpoint";
import { takeStorage } from "@/lib/platform/storage";
import { type HostHistory, toSummaryJson } from "@/lib/platform/summary";
import { toWireAuthorization } from "@/lib/x402/authorization";
import { toCreditProof } from "@/lib/x402/credit-proof";
import { CREDITS, toCredits } from "@/lib/x402/credits";
import { encodeHeader } from "@/lib/x402/header";
import type { NetworkName } from "@/lib/x402/networks";
import { redeemApproval, requestApproval, type StoredApproval, storedApproval } from "./approval";
import { purchaseErrors } from "./errors";
import {
  answerOf,
  deliveryIn,
  pathTo,
  present,
  type Reached,
  reasonIn,
  request,
  requestPrice,
  type SellerPath,
  type SellerRequest,
  type SellerTransport,
  type StoredAnswer,
  sellerUrl,
  storedAnswer,
} from "./fetch";
import { historyOf } from "./hosts/service";
import { type CreditOffer, creditOfferOf, offersOf, type PurchaseOffer } from "./offers";
import * as passes from "./passes";
import { ANSWER_DAYS, headersFrom, outcomeOf, type PurchaseProgress, wordsFor } from "./rules";
import { type StoredProof, seal, storedProof, unseal } from "./sealed";
import * as store from "./store";
import type { PurchaseView } from "./view";

export type { PurchaseView } from "./view";

export type PurchaseOrder = {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  maxAmount: Usdc;
  mandateId: MandateId | undefined;
  idempotencyKey: string;
  /** Requests the user's approval of this one payment when no mandate covers its price. */
  asksUser?: boolean;
  /** Buys a pass for many calls for at most this, in place of the call. */
  preferPass?: Usdc | undefined;
};

const HOLD_SECONDS = 90;

/**
 * Requests a URL and pays for it if it responds 402. An idempotency key gives at most one proof: repeated calls present the
 * stored proof again or return the stored answer. Throws errors of purchaseErrors, payments and mandates; this call has then
 * presented no proof.
 * Why: docs/decisions.md, 123.
 */
export async function purchase(
  ctx: Ctx<Agent>,
  order: PurchaseOrder,
  transport: SellerTransport = {},
): Promise<PurchaseView> {
  const httpRequest = sellerRequest(order);
  await assertSigned(ctx, transport);
  const keyHash = hash("sha256", order.idempotencyKey, "hex");
  return buy(ctx, keyHash, { httpRequest, order, path: pathTo(ctx, transport) });
}

/** `boughtFor`: of a pass, the call for which it is bought. */
type Buying = {
  httpRequest: SellerRequest;
  order: Omit<PurchaseOrder, "url" | "headers" | "body" | "idempotencyKey">;
  path: SellerPath;
  boughtFor?: PurchaseId;
};

async function buy(ctx: Ctx<Agent>, keyHash: string, buying: Buying): Promise<PurchaseView> {
  const { httpRequest } = buying;
  const requestText = canonicalJson({ ...httpRequest, url: httpRequest.url.href });
  const heldPurchase = await hold(ctx, keyHash, hash("sha256", requestText, "hex"));
  try {
    return await proceed(ctx, heldPurchase, buying);
  } finally {
    await store.release(ctx.db, heldPurchase.id, heldPurchase.heldUntil, ctx.now());
  }
}

async function proceed(ctx: Ctx<Agent>, heldPurchase: store.Purchase, buying: Buying): Promise<PurchaseView> {
  const { httpRequest, order, path, boughtFor = null } = buying;
  const passCall = passCallOf(ctx, heldPurchase, buying);
  if (isAnswered(heldPurchase)) return viewOf(ctx, heldPurchase, passCall);
  if (heldPurchase.sealedProof === null) {
    const { preferPass } = order;
    const ownPass = passCall && (await store.findPassOf(ctx.db, heldPurchase));
    if (ownPass) return passes.callOnOwn(ctx, passCall, ownPass);
    // A call that waits for an approval is paid for itself.
    const mayUsePass = preferPass !== undefined && heldPurchase.sealedApproval === null;
    const kept = passCall && mayUsePass ? await passes.callOnKept(ctx, passCall) : null;
    if (kept?.type === "called") return kept.view;
    const reply = await requestPrice(ctx, path, httpRequest);
    if (reply.status !== 402) return unpaid(ctx, heldPurchase, reply);
    if (reply.url.origin !== httpRequest.url.origin) throw purchaseErrors.redirect_refused();
    if (path.signal?.aborted) throw purchaseErrors.url_unreachable({ why: "connection" });
    if (passCall && preferPass !== undefined && kept?.type === "none") {
      const view = await passes.buyAndCall(ctx, passCall, reply, preferPass);
      if (view) return view;
    }
    const outcome = await signFor(ctx, reply, { heldPurchase, order, path });
    if (outcome.type === "unapproved") {
      const { approval } = outcome;
      const isStored = await store.setApproval(ctx.db, heldPurchase, seal(ctx, heldPurchase, "approval", approval));
      // Another call has taken the purchase since.
      if (!isStored) throw purchaseErrors.purchase_in_progress({ retryAfterSeconds: 2 });
      return {
        outcome: "approval_required",
        message: `${outcome.isAbove ? "This payment is above the owner's limit" : "No mandate covers this payment"}. The user must approve ${approval.amountFormatted} USDC for ${approval.host}. Nothing was signed`,
        nextStep: APPROVAL_STEP,
        payment: null,
        answer: null,
        approval,
      };
    }
    const { proof } = outcome;
    await failpoint("purchase.signed");
    const sealedProof = seal(ctx, heldPurchase, "proof", proof);
    // Writes nothing if this call's hold expired and another call stored a proof first. This proof then never leaves the process.
    await store.setProof(ctx.db, heldPurchase, { paymentId: proof.paymentId, sealedProof, boughtFor });
    await failpoint("purchase.proved");
  }
  const proved = await reread(ctx, heldPurchase);
  if (proved.requestHash !== heldPurchase.requestHash) throw purchaseErrors.purchase_key_reused();
  if (isAnswered(proved)) return viewOf(ctx, proved, passCall);
  // Another call, which took the purchase since, has sent the request on a pass.
  if (proved.passId !== null) throw purchaseErrors.purchase_in_progress({ retryAfterSeconds: 2 });
  const payment = proved.paymentId && (await payments.getForAgent(ctx, proved.paymentId));
  if (payment && (payment.status === "expired" || payment.status === "cancelled")) return viewOf(ctx, proved, passCall);
  await presentProof(ctx, proved, { path, httpRequest });
  return viewOf(ctx, await reread(ctx, heldPurchase), passCall);
}

/** How a request can be sent on a pass; null if no pass can be for it. */
function passCallOf(
  ctx: Ctx<Agent>,
  purchase: store.Purchase,
  { httpRequest, order, path }: Buying,
): passes.PassCall | null {
  const keyHash = passes.keyHashFor(ctx, httpRequest, order.mandateId);
  if (keyHash === null) return null;
  const { mandateId, asksUser } = order;
  return {
    purchase,
    httpRequest,
    path,
    maxAmount: order.maxAmount,
    keyHash,
    buy: (passKeyHash, url, maxAmount) =>
      buy(ctx, passKeyHash, {
        httpRequest: { url, method: "GET", headers: {}, body: undefined },
        order: { method: "GET", maxAmount, mandateId, ...(asksUser && { asksUser }) },
        path,
        boughtFor: purchase.id,
      }),
    keep: (answer) => keepUnpaid(ctx, purchase, answer),
  };
}

const APPROVAL_STEP =
  "Show the user approvalUrl. After they approve, repeat the call with the same idempotencyKey and the same request: it pays. An expired link is replaced by the same call";

/** The price of a URL, and on each network of it what became of the owner's payments for its host. Nothing is signed or stored. Throws errors of purchaseErrors. */
export async function checkPrice(
  ctx: Ctx<Agent>,
  { url, method }: { url: string; method: string },
  transport: SellerTransport = {},
): Promise<{
  status: number;
  options: PurchaseOffer[];
  wasRedirected: boolean;
  histories: Map<NetworkName, HostHistory>;
}> {
  const httpRequest = sellerRequest({ url, method, headers: {}, body: undefined });
  await assertSigned(ctx, transport);
  const reply = await request(ctx, pathTo(ctx, transport), httpRequest);
  const options = reply.status === 402 ? offersOf(reply, reply.url) : [];
  const { ownerId } = ctx.actor;
  const histories = new Map<NetworkName, HostHistory>();
  for (const network of new Set(options.map((option) => option.network))) {
    const history = ownerId && (await historyOf(ctx, { ownerId, network, resource: httpRequest.url.href }));
    if (history) histories.set(network, history);
  }
  return { status: reply.status, options, wasRedirected: reply.url.origin !== httpRequest.url.origin, histories };
}

function sellerRequest(order: Pick<PurchaseOrder, "url" | "method" | "headers" | "body">): SellerRequest {
  const url = sellerUrl(order.url);
  const parsedHeaders = headersFrom(order.headers);
  if (parsedHeaders.type === "refused") throw purchaseErrors.invalid_header({ field: parsedHeaders.name });
  const type = order.body !== undefined && { "content-type": "application/json" };
  return { url, method: order.method, headers: { ...type, ...parsedHeaders.headers }, body: order.body };
}

/** Whether the seller's answer is stored, or was stored and has been deleted. */
const isAnswered = ({ sealedAnswer, answerDeletedAt }: store.Purchase): boolean =>
  sealedAnswer !== null || answerDeletedAt !== null;

/** Holds the purchase of a key for this call; creates it if needed. Throws purchase_in_progress, purchase_key_reused, rate_limited. */
async function hold(ctx: Ctx<Agent>, keyHash: string, requestHash: string): Promise<store.Purchase> {
  const time = ctx.now();
  const heldUntil = addSeconds(time, HOLD_SECONDS);
  const row = { agentId: ctx.actor.agentId, keyHash, requestHash };
  if (!(await store.find(ctx.db, row))) {
    const retryAfterSeconds = await secondsUntilRoom(ctx, 0);
    if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
    await store.insert(ctx.db, { ...row, id: newId("purchase"), heldUntil: time, createdAt: time });
  }
  const storedPurchase = await reread(ctx, row);
  const { sealedProof, sealedApproval, passId } = storedPurchase;
  const isUsed = isAnswered(storedPurchase) || (sealedProof ?? sealedApproval ?? passId) !== null;
  const isOther = storedPurchase.requestHash !== requestHash;
  if (isOther && (isUsed || (await store.findPassOf(ctx.db, storedPurchase))))
    throw purchaseErrors.purchase_key_reused();
  const heldPurchase = await store.hold(ctx.db, storedPurchase.id, { time, heldUntil, requestHash });
  if (!heldPurchase) throw purchaseErrors.purchase_in_progress({ retryAfterSeconds: 2 });
  return heldPurchase;
}

async function reread(ctx: Ctx<Agent>, key: Pick<store.Purchase, "agentId" | "keyHash">): Promise<store.Purchase> {
  const row = await store.find(ctx.db, key);
  if (!row) throw new Error("a purchase was deleted while it was held");
  return row;
}

/** The view of a response that requires no payment. A success is stored, because the request may have had an effect. */
async function unpaid(
  ctx: Ctx<Agent>,
  heldPurchase: store.Purchase,
  { isAsGiven, ...reply }: Reached & { isAsGiven: boolean },
): Promise<PurchaseView> {
  const storedResponse = answerOf(reply);
  const isSuccess = reply.status >= 200 && reply.status < 300;
  if (storedResponse && isSuccess && isAsGiven) await keepUnpaid(ctx, heldPurchase, storedResponse);
  const message = `The URL responded ${reply.status} without requiring a payment`;
  return notRequired(storedResponse, isAsGiven ? message : `${message}${PLAIN_ONLY}`);
}

/** Stores the answer to a request that was not paid for itself. */
async function keepUnpaid(ctx: Ctx<Agent>, heldPurchase: store.Purchase, response: StoredAnswer): Promise<void> {
  const sealedResponse = seal(ctx, heldPurchase, "answer", response);
  const hasRoom = (await secondsUntilRoom(ctx, sealedResponse.length)) === null;
  // Without room for the body, the request itself must still be recorded.
  const withoutBody = { ...response, body: null, isCut: true };
  const sealed = hasRoom ? sealedResponse : seal(ctx, heldPurchase, "answer", withoutBody);
  await store.setFreeAnswer(ctx.db, heldPurchase, sealed);
}

const PLAIN_ONLY =
  ". Your method, headers and body were not sent: they are once the URL responds 402 with a price to a GET or POST without them";

const notRequired = (storedResponse: StoredAnswer | null, message: string): PurchaseView => ({
  outcome: "not_required",
  message: `${message}. Nothing was signed`,
  nextStep: "Nothing",
  payment: null,
  answer: storedResponse,
});

/**
 * Signs the payment that the user has approved, or the first offer that costs at most `maxAmount` and that a mandate covers.
 * Otherwise returns the approval that the payment waits for.
 */
async function signFor(
  ctx: Ctx<Agent>,
  reply: Reached,
  { heldPurchase, order, path }: Pick<Buying, "order" | "path"> & { heldPurchase: store.Purchase },
): Promise<
  { type: "signed"; proof: StoredProof } | { type: "unapproved"; approval: StoredApproval; isAbove: boolean }
> {
  const inCredits = path.isOwn ? creditOfferOf(reply.bytes) : null;
  const offers = offersOf(reply, reply.url);
  const choice = chooseOffers(offers, order);
  if (choice.type === "none") throw purchaseErrors.no_payable_option();
  if (choice.type === "too_expensive") {
    const { amount, network } = choice.first;
    const price = { amount: amount.toString(), amountFormatted: formatUsdc(amount), network };
    throw purchaseErrors.max_amount_exceeded({ ...price, maxAmount: order.maxAmount.toString() });
  }
  const { offers: affordable } = choice;
  // Before any mandate: a payment that the user denied must not be made under one.
  const approval = unseal(ctx, heldPurchase, "approval", storedApproval);
  const redeemed = approval && (await redeemApproval(ctx, approval, affordable));
  if (redeemed?.type === "signed")
    return { type: "signed", proof: createProof(redeemed.signed, redeemed.offer, reply.url) };
  for (const offer of affordable) {
    const mandateId = await mandateFor(ctx, offer, order.mandateId);
    if (!mandateId) continue;
    if (inCredits) return { type: "signed", proof: await signCreditOffer(ctx, mandateId, inCredits, reply.url) };
    const outcome = await payments.sign(ctx, mandateId, { ...offer.terms, method: order.method });
    if (outcome.type === "unconfirmed") {
      const summary = await payees.summaryOf(ctx, outcome.payee);
      const required = toPayeeRequired(outcome.payee, summary, ctx.config.baseUrl);
      throw purchaseErrors.payee_confirmation_required({ ...required, summary: toSummaryJson(summary) });
    }
    // The owner lets payments above their limit wait, whichever mandate was named.
    if (outcome.type === "above_caps") {
      if (!order.asksUser) throw outcome.refusal;
      return { type: "unapproved", approval: await waitFor(offer), isAbove: true };
    }
    return { type: "signed", proof: createProof(outcome, offer, reply.url) };
  }
  const [preferredOffer] = affordable;
  if (order.asksUser && !order.mandateId)
    return { type: "unapproved", approval: await waitFor(preferredOffer), isAbove: false };
  const [first = preferredOffer] = offers;
  throw purchaseErrors.no_mandate({
    amount: first.amount.toString(),
    host: reply.url.host,
    network: first.network,
    ...(!order.mandateId && (await whyUncovered(ctx, preferredOffer))),
  });

  async function waitFor(offer: PurchaseOffer): Promise<StoredApproval> {
    if (redeemed?.type === "changed") throw purchaseErrors.offer_changed();
    const pendingApproval = redeemed?.type === "pending" ? approval : null;
    return pendingApproval ?? requestApproval(ctx, offer);
  }
}

async function whyUncovered(ctx: Ctx<Agent>, { network, amount, terms }: PurchaseOffer) {
  const host = hostOfResource(terms.resource) ?? "";
  const {
    code: reason,
    message,
    mandateId,
    authorizationUrl,
  } = await mandates.explainUncovered(ctx, { host, amount, network });
  return { why: reason, message, ...(mandateId && { mandateId }), ...(authorizationUrl && { authorizationUrl }) };
}

/** The named mandate, or null if it is for another network. If none is named: the first mandate that covers the offer, or null. */
async function mandateFor(
  ctx: Ctx<Agent>,
  offer: PurchaseOffer,
  named: MandateId | undefined,
): Promise<MandateId | null> {
  const { network, amount } = offer;
  if (named) return (await mandates.getForAgent(ctx, named)).network === network ? named : null;
  const host = hostOfResource(offer.terms.resource) ?? "";
  const [mandate] = await mandates.listEligible(ctx, { host, amount, network, currency: "USDC" });
  return mandate?.id ?? null;
}

/** Presents the stored proof and stores what the seller delivers. */
async function presentProof(
  ctx: Ctx<Agent>,
  purchase: store.Purchase,
  { path, httpRequest }: { path: SellerPath; httpRequest: SellerRequest },
): Promise<void> {
  const proof = unseal(ctx, purchase, "proof", storedProof);
  if (!proof) throw new Error(`${purchase.id} has no proof`);
  const { url, header, value } = proof;
  const headers = { ...httpRequest.headers, [header]: value };
  const reply = await present(path, { ...httpRequest, url: new URL(url), headers });
  if (reply === "refused" || !reply.isAnswered) return;
  await store.setLastStatus(ctx.db, purchase.id, reply.status);
  const delivery = await deliveryIn(path, reply);
  if (delivery) await store.setAnswer(ctx.db, purchase.id, seal(ctx, purchase, "answer", delivery));
  const reason = reply.status === 402 ? reasonIn(reply) : undefined;
  if (reason === undefined) return;
  await witnessRefusal(ctx, proof.paymentId, reason, new URL(url)).catch((error: unknown) => {
    // The proof was presented, so the purchase continues. The seller's next refusal is checked again.
    if (!(error instanceof ChainUnavailable)) throw error;
  });
}

async function viewOf(
  ctx: Ctx<Agent>,
  purchase: store.Purchase,
  passCall: passes.PassCall | null,
): Promise<PurchaseView> {
  const { paymentId, passId, answerDeletedAt } = purchase;
  const storedResponse = unseal(ctx, purchase, "answer", storedAnswer);
  const deleted = answerDeletedAt ? `. The answer was kept for ${ANSWER_DAYS} days` : "";
  const pass = passCall && passId && (await store.findPassOf(ctx.db, purchase));
  if (pass) return passes.answeredView(ctx, passCall, pass, { answer: storedResponse, deleted });
  if (paymentId === null)
    return notRequired(
      storedResponse,
      `The URL responded ${storedResponse ? `${storedResponse.status} ` : ""}without requiring a payment${deleted}`,
    );
  const payment = await payments.getForAgent(ctx, paymentId);
  const progress: PurchaseProgress = { hasAnswer: isAnswered(purchase), status: payment.status };
  const guidance = wordsFor(progress, fromUnixSeconds(Number(payment.validBefore)).toISOString());
  // A delivery is named only if it may not be what the buyer hoped for.
  const refusal = storedResponse !== null && storedResponse.status >= 400 ? storedResponse.status : null;
  const lastStatus = progress.hasAnswer ? refusal : purchase.lastStatus;
  const seller = lastStatus === null ? "" : ` (the seller's last response: ${lastStatus})`;
  return {
    outcome: outcomeOf(progress),
    message: `${guidance.message}${seller}${deleted}`,
    nextStep: guidance.nextStep,
    payment: toPaymentView(payment),
    answer: storedResponse,
  };
}

/** Repeats the offer as the seller wrote it, because sellers compare the two. x402 v2 section 5.2.2: `extensions` too. */
function createProof(signed: payments.SignedPayment, { proof }: PurchaseOffer, url: URL): StoredProof {
  const target = { paymentId: signed.paymentId, url: url.href };
  if (proof.version === "mpp") {
    const { signature, authorization } = signed;
    const { value } = proof.toCredential({ signature, authorization: toWireAuthorization(authorization) });
    return { ...target, header: "authorization", value };
  }
  if (proof.version === 1) {
    const value = encodeHeader(toProofV1(signed, proof.network));
    return { ...target, header: "x-payment", value };
  }
  const value = encodeHeader(toProofV2(signed, proof));
  return { ...target, header: "payment-signature", value };
}

/** Throws the errors of `signCredits`, including those of the mandate. */
async function signCreditOffer(
  ctx: Ctx<Agent>,
  mandateId: MandateId,
  { payTo, amount, description }: CreditOffer,
  url: URL,
): Promise<StoredProof> {
  const signed = await signCredits(ctx, mandateId, {
    scheme: "exact",
    network: CREDITS.network,
    currency: CREDITS.currency,
    assetAddress: CREDITS.asset,
    amount: toCredits(BigInt(amount)),
    payTo,
    resource: url.href,
    description,
    validityWindowSeconds: 0,
  });
  const value = encodeHeader(toCreditProof(signed.jws));
  return { paymentId: signed.paymentId, url: url.href, header: "x-payment", value };
}

/** Requires a signed mandate: without one, nobody is accountable for the agent's requests. Throws owner_signature_required. */
async function assertSigned(ctx: Ctx<Agent>, { isOwn }: SellerTransport): Promise<void> {
  if (!isOwn && !(await isSignedFor(ctx))) throw purchaseErrors.owner_signature_required();
}

function secondsUntilRoom({ caller = "unknown", ...ctx }: Ctx<Agent>, bytes: number): Promise<number | null> {
  const { actor } = ctx;
  return takeStorage(ctx, {
    caller,
    actor,
    bytes,
    isPaying: async () => actor.ownerId !== null && mandates.hasSpent(ctx.db, actor.ownerId),
  });
}

const DAY_SECONDS = 86_400;
const AT_ONCE = 1000;

/**
 * Deletes the stored answers of ended purchases whose key was last used more than ANSWER_DAYS ago; returns their number. The
 * rest of the row is kept, so that the key never pays again.
 */
export async function forgetOldAnswers({ db, now }: Pick<System, "db" | "now">): Promise<number> {
  const time = now();
  const cutoff = addSeconds(time, -ANSWER_DAYS * DAY_SECONDS);
  let sum = 0;
  for (let count = AT_ONCE; count === AT_ONCE; sum += count)
    count = await store.forgetAnswers(db, { cutoff, time, limit: AT_ONCE });
  return sum;
}
