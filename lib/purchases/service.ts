import { createHash } from "node:crypto";
import { chooseOffers } from "@tessera/x402/offers";
import { hostOfResource } from "@/lib/core/host";
import { type MandateId, newId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { formatUsdc, type Usdc } from "@/lib/core/money";
import { addSeconds, fromUnixSeconds } from "@/lib/core/time";
import * as mandates from "@/lib/mandates/service";
import { toPayeeRequired } from "@/lib/payees/contract";
import { witnessRefusal } from "@/lib/payments/refusals/service";
import { toPaymentView } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { Agent, Ctx } from "@/lib/platform/context";
import { failpoint } from "@/lib/platform/failpoint";
import { answerOf, deliveryIn, reasonIn, type StoredAnswer, storedAnswer } from "./answer";
import { approvalFor, redeemApproval, type StoredApproval, storedApproval, wordsForApproval } from "./approval";
import { purchaseErrors } from "./errors";
import { type Path, pathTo, present, type Reached, request, requestPrice, type SellerRequest, type Way } from "./fetch";
import { creditOfferOf, type Offer, offersOf } from "./offers";
import { createProof, type StoredProof, signCreditOffer, storedProof } from "./proof";
import { ANSWER_DAYS, headersFrom, type Known, type Outcome, outcomeOf, wordsFor } from "./rules";
import { seal, unseal } from "./sealed";
import * as store from "./store";
import { assertSigned, storeFree, takeStorageOfPurchase } from "./strangers";

export type Order = {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  maxAmount: Usdc;
  mandateId: MandateId | undefined;
  idempotencyKey: string;
  /** Requests the user's approval of this one payment when no mandate covers its price. */
  asksUser?: boolean;
};

export type PurchaseView = {
  outcome: Outcome;
  message: string;
  nextStep: string;
  payment: ReturnType<typeof toPaymentView> | null;
  /** The seller's text: untrusted. */
  answer: StoredAnswer | null;
  /** Present while the payment waits for the user's approval. */
  approval?: StoredApproval;
};

const HOLD_SECONDS = 90;

/**
 * Requests a URL and pays for it if it responds 402. An idempotency key gives at most one proof: repeated calls present the
 * stored proof again or return the stored answer. Throws errors of purchaseErrors, payments and mandates; this call has then
 * presented no proof.
 * Why: docs/decisions.md, 123.
 */
export async function purchase(ctx: Ctx<Agent>, order: Order, transport: Way = {}): Promise<PurchaseView> {
  const httpRequest = sellerRequest(order);
  await assertSigned(ctx, transport);
  const heldPurchase = await hold(
    ctx,
    order.idempotencyKey,
    hashOf(canonicalJson({ ...httpRequest, url: httpRequest.url.href })),
  );
  try {
    return await proceed(ctx, heldPurchase, { asked: httpRequest, order, way: transport });
  } finally {
    await store.release(ctx.db, heldPurchase.id, heldPurchase.heldUntil, ctx.now());
  }
}

type Buying = { asked: SellerRequest; order: Order; way: Way };

async function proceed(ctx: Ctx<Agent>, heldPurchase: store.Purchase, buying: Buying): Promise<PurchaseView> {
  const { asked: httpRequest, order, way: transport } = buying;
  if (isAnswered(heldPurchase)) return viewOf(ctx, heldPurchase);
  const path = pathTo(ctx, transport);
  if (heldPurchase.sealedProof === null) {
    const reply = await requestPrice(ctx, path, httpRequest);
    if (reply.status !== 402) return unpaid(ctx, heldPurchase, reply);
    if (reply.url.origin !== httpRequest.url.origin) throw purchaseErrors.redirect_refused();
    const outcome = await signFor(ctx, reply, { held: heldPurchase, order, way: transport });
    if (outcome.type === "unapproved") return waitFor(ctx, heldPurchase, outcome.approval);
    const { proof } = outcome;
    await failpoint("purchase.signed");
    const sealedProof = seal(ctx, heldPurchase, "proof", proof);
    // Writes nothing if this call's hold expired and another call stored a proof first. This proof then never leaves the process.
    await store.setProof(ctx.db, heldPurchase, { paymentId: proof.paymentId, sealedProof });
    await failpoint("purchase.proved");
  }
  const proved = await reread(ctx, heldPurchase);
  if (proved.requestHash !== heldPurchase.requestHash) throw purchaseErrors.purchase_key_reused();
  if (isAnswered(proved) || (await isOver(ctx, proved))) return viewOf(ctx, proved);
  await presentProof(ctx, proved, { path, asked: httpRequest });
  return viewOf(ctx, await reread(ctx, heldPurchase));
}

/** The price of a URL. Nothing is signed or stored. Throws errors of purchaseErrors. */
export async function checkPrice(
  ctx: Ctx<Agent>,
  { url, method }: { url: string; method: string },
  transport: Way = {},
): Promise<{ status: number; options: Offer[]; wasRedirected: boolean }> {
  const httpRequest = sellerRequest({ url, method, headers: {}, body: undefined });
  await assertSigned(ctx, transport);
  const reply = await request(ctx, pathTo(ctx, transport), httpRequest);
  const options = reply.status === 402 ? offersOf(reply, reply.url) : [];
  return { status: reply.status, options, wasRedirected: reply.url.origin !== httpRequest.url.origin };
}

const URL_CHARACTERS_MAX = 4096;

function sellerRequest(order: Pick<Order, "url" | "method" | "headers" | "body">): SellerRequest {
  const url = URL.canParse(order.url) ? new URL(order.url) : null;
  const isPlain = order.url.length <= URL_CHARACTERS_MAX && !/[\p{Cc}\p{Cs}\\\s]/u.test(order.url);
  if (!url || !isPlain || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw purchaseErrors.invalid_url();
  url.hash = "";
  const parsedHeaders = headersFrom(order.headers);
  if (parsedHeaders.type === "refused") throw purchaseErrors.invalid_header({ field: parsedHeaders.name });
  const type = order.body !== undefined && { "content-type": "application/json" };
  return { url, method: order.method, headers: { ...type, ...parsedHeaders.headers }, body: order.body };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Whether the seller's answer is stored, or was stored and has been deleted. */
const isAnswered = ({ sealedAnswer, answerDeletedAt }: store.Purchase): boolean =>
  sealedAnswer !== null || answerDeletedAt !== null;

/** Holds the purchase of a key for this call; creates it if needed. Throws purchase_in_progress, purchase_key_reused, rate_limited. */
async function hold(ctx: Ctx<Agent>, key: string, requestHash: string): Promise<store.Purchase> {
  const time = ctx.now();
  const heldUntil = addSeconds(time, HOLD_SECONDS);
  const row = { agentId: ctx.actor.agentId, keyHash: hashOf(key), requestHash };
  if (!(await store.find(ctx.db, row))) {
    await takeStorageOfPurchase(ctx);
    await store.insert(ctx.db, { ...row, id: newId("purchase"), heldUntil: time, createdAt: time });
  }
  const storedPurchase = await reread(ctx, row);
  const isUsed =
    isAnswered(storedPurchase) || storedPurchase.sealedProof !== null || storedPurchase.sealedApproval !== null;
  if (isUsed && storedPurchase.requestHash !== requestHash) throw purchaseErrors.purchase_key_reused();
  const heldPurchase = await store.hold(ctx.db, storedPurchase.id, { at: time, heldUntil, requestHash });
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
  if (storedResponse && isSuccess && isAsGiven) await storeFree(ctx, heldPurchase, storedResponse);
  const message = `The URL responded ${reply.status} without requiring a payment`;
  return notRequired(storedResponse, isAsGiven ? message : `${message}${PLAIN_ONLY}`);
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

const isOver = async (ctx: Ctx<Agent>, purchase: store.Purchase): Promise<boolean> => {
  const payment = purchase.paymentId && (await payments.getForAgent(ctx, purchase.paymentId));
  return payment !== null && (payment.status === "expired" || payment.status === "cancelled");
};

/**
 * Signs the payment that the user has approved, or the first offer that costs at most `maxAmount` and that a mandate covers.
 * Otherwise returns the approval that the payment waits for.
 */
async function signFor(
  ctx: Ctx<Agent>,
  reply: Reached,
  { held: heldPurchase, order, way: transport }: Pick<Buying, "order" | "way"> & { held: store.Purchase },
): Promise<{ type: "signed"; proof: StoredProof } | { type: "unapproved"; approval: StoredApproval }> {
  const inCredits = transport.isOwn ? creditOfferOf(reply.bytes) : null;
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
    if (outcome.type === "unconfirmed")
      throw purchaseErrors.payee_confirmation_required(toPayeeRequired(outcome.payee, ctx.config.baseUrl));
    return { type: "signed", proof: createProof(outcome, offer, reply.url) };
  }
  const [preferredOffer] = affordable;
  if (order.asksUser && !order.mandateId) {
    const earlier = approval && redeemed && { approval, state: redeemed.type };
    return { type: "unapproved", approval: await approvalFor(ctx, preferredOffer, earlier) };
  }
  const [first = preferredOffer] = offers;
  throw purchaseErrors.no_mandate({
    amount: first.amount.toString(),
    host: reply.url.host,
    network: first.network,
    ...(!order.mandateId && (await whyUncovered(ctx, preferredOffer))),
  });
}

async function whyUncovered(ctx: Ctx<Agent>, { network, amount, terms }: Offer) {
  const host = hostOfResource(terms.resource) ?? "";
  const {
    code: reason,
    message,
    mandateId,
    authorizationUrl,
  } = await mandates.uncovered(ctx, { host, amount, network });
  return { why: reason, message, ...(mandateId && { mandateId }), ...(authorizationUrl && { authorizationUrl }) };
}

/** Stores the approval that a purchase waits for. Throws purchase_in_progress if another call has taken the purchase since. */
async function waitFor(ctx: Ctx<Agent>, heldPurchase: store.Purchase, approval: StoredApproval): Promise<PurchaseView> {
  if (!(await store.setApproval(ctx.db, heldPurchase, seal(ctx, heldPurchase, "approval", approval))))
    throw purchaseErrors.purchase_in_progress({ retryAfterSeconds: 2 });
  return { outcome: "approval_required", ...wordsForApproval(approval), payment: null, answer: null, approval };
}

/** The named mandate, or null if it is for another network. If none is named: the first mandate that covers the offer, or null. */
async function mandateFor(ctx: Ctx<Agent>, offer: Offer, named: MandateId | undefined): Promise<MandateId | null> {
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
  { path, asked: httpRequest }: { path: Path; asked: SellerRequest },
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

async function viewOf(ctx: Ctx<Agent>, purchase: store.Purchase): Promise<PurchaseView> {
  const { paymentId, answerDeletedAt } = purchase;
  const storedResponse = unseal(ctx, purchase, "answer", storedAnswer);
  const deleted = answerDeletedAt ? `. The answer was kept for ${ANSWER_DAYS} days` : "";
  if (paymentId === null)
    return notRequired(
      storedResponse,
      `The URL responded ${storedResponse ? `${storedResponse.status} ` : ""}without requiring a payment${deleted}`,
    );
  const payment = await payments.getForAgent(ctx, paymentId);
  const progress: Known = { hasAnswer: isAnswered(purchase), status: payment.status };
  const guidance = wordsFor(progress, fromUnixSeconds(Number(payment.validBefore)).toISOString());
  const isSilent = progress.hasAnswer || purchase.lastStatus === null;
  const seller = isSilent ? "" : ` (the seller's last response: ${purchase.lastStatus})`;
  return {
    outcome: outcomeOf(progress),
    message: `${guidance.message}${seller}${deleted}`,
    nextStep: guidance.nextStep,
    payment: toPaymentView(payment),
    answer: storedResponse,
  };
}
