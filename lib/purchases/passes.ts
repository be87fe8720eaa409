import { hash } from "node:crypto";
import { fieldsOf, textOf } from "@tessera/x402/json";
import { chooseOffers } from "@tessera/x402/offers";
import { AMOUNT_LEFT_HEADER, CALLS_LEFT_HEADER, COST_MAX_HEADER, findPass } from "@tessera/x402/passes";
import { approvalErrors } from "@/lib/approvals/errors";
import { AppError } from "@/lib/core/errors";
import type { MandateId } from "@/lib/core/ids";
import { formatUsdc, toUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { toPaymentView } from "@/lib/payments/responses";
import * as payments from "@/lib/payments/service";
import type { Agent, Ctx } from "@/lib/platform/context";
import { isOwnUrl } from "@/lib/platform/outbound-guard";
import { headerIn, jsonIn } from "@/lib/x402/required";
import { purchaseErrors } from "./errors";
import { answerOf, type Reached, type SellerPath, type SellerRequest, type StoredAnswer, storedAnswer } from "./fetch";
import { offersOf } from "./offers";
import { SAME_KEY } from "./rules";
import { storedProof, unseal } from "./sealed";
import * as store from "./store";
import { type PassState, type PurchaseView, passState } from "./view";

/** A request that can be sent on a pass. */
export type PassCall = {
  /** Held. */
  purchase: store.Purchase;
  httpRequest: SellerRequest;
  path: SellerPath;
  /** The most that it may take from a pass by use. */
  maxAmount: Usdc;
  /** Of the purchase of the pass. */
  keyHash: string;
  /** Buys a pass for the call, or continues its purchase. */
  buy: (keyHash: string, url: URL, maxAmount: Usdc) => Promise<PurchaseView>;
  keep: (answer: StoredAnswer) => Promise<void>;
};

/** Longer than an API takes whose seller sets no time; with the time for a purchase, shorter than the hold of the call. */
const CALL_MS_MAX = 30_000;
const STATE_MS_MAX = 5_000;

/**
 * The key of the pass for a URL below `/paid/` of this service, one for each mandate that calls name; null for other requests. No caller can
 * name it: their keys have no spaces.
 */
export function keyHashFor(ctx: Ctx, { url, headers }: SellerRequest, mandateId: MandateId | undefined): string | null {
  const [prefix] = /^\/paid\/[^/]+/.exec(url.pathname) ?? [];
  if (prefix === undefined || !isOwnUrl(ctx, url) || "authorization" in headers) return null;
  return hash("sha256", `pass ${url.origin}${prefix} ${mandateId ?? ""}`, "hex");
}

/** Sends a call again on its pass: the one that was bought for it, or on which an earlier try may have arrived. */
export async function callOnOwn(ctx: Ctx<Agent>, call: PassCall, ownPass: store.Purchase): Promise<PurchaseView> {
  const { proof, token: keptToken } = openPass(ctx, ownPass);
  if (keptToken !== undefined || !proof || ownPass.answerDeletedAt !== null) return callOrExplain(ctx, call, ownPass);
  const view = await call.buy(ownPass.keyHash, new URL(proof.url), ZERO);
  return afterPurchase(ctx, call, await reread(ctx, ownPass), view);
}

/** `none`: there is no pass that may be used, and another one can be bought. `refused`: the pass may open again. */
type Kept = { type: "called"; view: PurchaseView } | { type: "none" | "refused" };

/** Sends a call on the pass that the agent has. */
export async function callOnKept(ctx: Ctx<Agent>, call: PassCall): Promise<Kept> {
  const pass = await store.find(ctx.db, { agentId: ctx.actor.agentId, keyHash: call.keyHash });
  const token = pass ? openPass(ctx, pass).token : undefined;
  if (!pass || token === undefined) return { type: "none" };
  const result = await send(ctx, call, pass, token);
  if (result.type === "called") return result;
  if (!(await hasEnded(call, token, result.code))) return { type: "refused" };
  await store.endPass(ctx.db, pass, ctx.now());
  return { type: "none" };
}

/**
 * Buys the pass that a 402 offers, or continues its purchase, and sends the call on it. Null if none is worth its price, or it is refused
 * before anything was signed: the call can be paid for itself. Throws purchase_in_progress while another call buys it.
 */
export async function buyAndCall(
  ctx: Ctx<Agent>,
  call: PassCall,
  reply: Reached,
  preferPass: Usdc,
): Promise<PurchaseView | null> {
  const { keyHash, maxAmount } = call;
  const key = { agentId: ctx.actor.agentId, keyHash };
  const begun = await store.find(ctx.db, key);
  const proof = begun && openPass(ctx, begun).proof;
  const choice = chooseOffers(offersOf(reply, reply.url), { maxAmount });
  const offer = findPass(fieldsOf(headerIn(reply, "payment-required")).extensions, {
    origin: reply.url.origin,
    amountMax: preferPass,
    callPrice: choice.type === "affordable" ? choice.offers[0].amount : null,
    callMax: maxAmount,
  });
  const order = proof ? { url: proof.url, amount: ZERO } : offer;
  if (!order) return null;
  const buy = () => call.buy(keyHash, new URL(order.url), toUsdc(BigInt(order.amount)));
  const { offer_changed, purchase_key_reused } = purchaseErrors;
  const view = await buy()
    .catch(async (error: unknown) => {
      const isStale =
        offer_changed.is(error) || purchase_key_reused.is(error) || approvalErrors.approval_used.is(error);
      if (!begun || proof || !isStale) throw error;
      // It waits for an approval of a pass that is no longer offered, or of which the proof was lost.
      await store.endPass(ctx.db, begun, ctx.now());
      return buy();
    })
    .catch((error: unknown) => unlessRefused(ctx, call, error));
  // The link may have stopped to sell it since.
  if (view === null || view.outcome === "not_required") return null;
  if (view.outcome === "approval_required")
    return { ...view, message: `For a pass, in place of this call: ${view.message}` };
  const pass = await reread(ctx, key);
  const { token } = openPass(ctx, pass);
  if (token === undefined || pass.boughtFor === call.purchase.id) return afterPurchase(ctx, call, pass, view);
  const result = await send(ctx, call, pass, token);
  return result.type === "called" ? result.view : null;
}

/** Null for a refusal before a pass was paid for the call. */
async function unlessRefused(ctx: Ctx<Agent>, { purchase }: PassCall, error: unknown): Promise<null> {
  const isRefusal = error instanceof AppError && !purchaseErrors.purchase_in_progress.is(error);
  if (isRefusal && !(await store.findPassOf(ctx.db, purchase))) return null;
  throw error;
}

/** What a call gets whose pass was just paid for, or could not be. */
async function afterPurchase(
  ctx: Ctx<Agent>,
  call: PassCall,
  pass: store.Purchase,
  { outcome, message, nextStep }: PurchaseView,
): Promise<PurchaseView> {
  if (openPass(ctx, pass).token !== undefined) return callOrExplain(ctx, call, pass);
  if (outcome === "not_paid") await store.endPass(ctx.db, pass, ctx.now());
  return toView(ctx, call, pass, {
    outcome: outcome === "not_paid" ? outcome : "unknown",
    message: `The pass for this call: ${message}`,
    nextStep,
    answer: null,
  });
}

/** What is not expected to change for a call: its pass was refunded, or its price is more than the pass has left or the call may cost. */
const CLOSED_FOR_CALL = ["PASS_REFUNDED", "PASS_INSUFFICIENT"];

/** Sends a call on the only pass that it may be sent on. */
async function callOrExplain(ctx: Ctx<Agent>, call: PassCall, pass: store.Purchase): Promise<PurchaseView> {
  const { token } = openPass(ctx, pass);
  const wasSent = call.purchase.passId !== null;
  const result =
    token === undefined ? ({ type: "refused", code: "PASS_OVER" } as const) : await send(ctx, call, pass, token);
  if (result.type === "called") return result.view;
  const { code = "refused" } = result;
  const isOver = token === undefined || (await hasEnded(call, token, code)) || CLOSED_FOR_CALL.includes(code);
  const newKey = wasSent
    ? "Use a new idempotencyKey only if the request may be carried out twice"
    : "Use a new idempotencyKey";
  return toView(ctx, call, pass, {
    outcome: "unknown",
    message: `The pass does not admit the call (${code}). ${wasSent ? "Whether an earlier try was carried out is not known" : "The call was not made"}`,
    nextStep: isOver ? newKey : SAME_KEY,
    answer: null,
  });
}

type Sent = { type: "called"; view: PurchaseView } | { type: "refused"; code: string | undefined };

/**
 * Sends the call on a pass, which is written before: the same call is never sent on another one. Its name is the same for each try, so an API
 * that is idempotent carries it out once.
 */
async function send(ctx: Ctx<Agent>, call: PassCall, pass: store.Purchase, token: string): Promise<Sent> {
  const { purchase, path, maxAmount, keep } = call;
  const { url, method, headers, body } = call.httpRequest;
  const { "x-idempotency-key": _, ...callers } = headers;
  const own = { authorization: `Bearer ${token}`, "idempotency-key": purchase.id, [COST_MAX_HEADER]: `${maxAmount}` };
  if (!(await store.setPass(ctx.db, purchase, pass.id)))
    throw purchaseErrors.purchase_in_progress({ retryAfterSeconds: 2 });
  const msMax = CALL_MS_MAX;
  const reply = await path.send(url, { method, body, headers: { ...path.headers, ...callers, ...own }, msMax });
  if (!reply.isAnswered) return called(unanswered(reply.why));
  if (MARKS.some((name) => name in reply.headers)) {
    const answer = answerOf({ ...reply, url });
    if (!answer) return called(unanswered("incomplete"));
    await keep(answer);
    return { type: "called", view: await answeredView(ctx, call, pass, { answer }) };
  }
  const { code, reason } = fieldsOf(jsonIn(reply.bytes));
  const isRefused = reply.status >= 400 && reply.status < 500 && reply.status !== 429;
  if (!isRefused) return called(unanswered(textOf(reason) ?? textOf(code) ?? `${reply.status}`));
  if (purchase.passId === null) await store.clearPass(ctx.db, purchase);
  return { type: "refused", code: code === "PASS_REFUSED" ? textOf(reason) : textOf(code) };

  async function called(part: ViewPart): Promise<Sent> {
    return { type: "called", view: await toView(ctx, call, pass, part) };
  }
}

/** An answer that took a call has one of these headers. The seller's API cannot set them. */
const MARKS = [CALLS_LEFT_HEADER, AMOUNT_LEFT_HEADER];

const unanswered = (why: string): ViewPart => ({
  outcome: "unknown",
  message: `The call on the pass has no answer (${why}). Whether it was carried out is not known`,
  nextStep: `${SAME_KEY}: it is sent on the same pass, with the same Idempotency-Key, and can take another call of it`,
  answer: null,
});

/** Whether no call comes back to a pass that was refused. A refunded one stays: its link is not trusted with another. */
async function hasEnded(call: PassCall, token: string, code: string | undefined): Promise<boolean> {
  if (code !== "PASS_USED_UP") return code === "PASS_OVER";
  const state = await readState(call, token);
  // One may have come back since.
  return state?.status === "used_up" && state.callsUnderWay === 0;
}

async function readState({ httpRequest: { url }, path }: PassCall, token: string): Promise<PassState | null> {
  const passUrl = new URL(url.pathname.replace(/^\/paid(\/[^/]+).*/, "/pass$1"), url);
  const headers = { ...path.headers, authorization: `Bearer ${token}` };
  const reply = await path.send(passUrl, { method: "GET", headers, msMax: STATE_MS_MAX });
  if (!reply.isAnswered || reply.status !== 200) return null;
  return passState.safeParse(fieldsOf(jsonIn(reply.bytes)).pass).data ?? null;
}

/** The parts of a pass's purchase. */
function openPass(ctx: Ctx<Agent>, pass: store.Purchase) {
  const answer = unseal(ctx, pass, "answer", storedAnswer);
  const { token } = fieldsOf(fieldsOf(jsonIn(Buffer.from(answer?.body ?? ""))).pass);
  return { proof: unseal(ctx, pass, "proof", storedProof), token: textOf(token) };
}

async function reread(ctx: Ctx<Agent>, key: Pick<store.Purchase, "agentId" | "keyHash">): Promise<store.Purchase> {
  const pass = await store.find(ctx.db, key);
  if (!pass) throw new Error("a pass has ended while it was bought");
  return pass;
}

export const answeredView = (
  ctx: Ctx<Agent>,
  call: PassCall,
  pass: store.Purchase,
  { answer, deleted = "" }: { answer: StoredAnswer | null; deleted?: string },
): Promise<PurchaseView> =>
  toView(ctx, call, pass, {
    outcome: "delivered",
    message: `The URL responded ${answer ? `${answer.status} ` : ""}on a pass${deleted}`,
    nextStep: "Nothing",
    answer,
  });

type ViewPart = Pick<PurchaseView, "outcome" | "message" | "nextStep" | "answer">;

/** Always with the payment of the pass, and what is left of it now. */
async function toView(ctx: Ctx<Agent>, call: PassCall, pass: store.Purchase, part: ViewPart): Promise<PurchaseView> {
  const { token } = openPass(ctx, pass);
  if (pass.paymentId === null) throw new Error(`${pass.id} has no payment`);
  const payment = toPaymentView(await payments.getForAgent(ctx, pass.paymentId));
  const wasBoughtForThis = pass.boughtFor === call.purchase.id;
  const state = token === undefined ? null : await readState(call, token);
  const price = `${payment.amountFormatted} USDC`;
  const isPaid = state !== null || payment.status === "settled";
  const bought = isPaid
    ? `${price} was paid for the pass, which was bought for this call`
    : `A payment of ${price} for the pass was signed for this call`;
  const paid = wasBoughtForThis ? bought : "Nothing was paid for this call";
  return {
    ...part,
    message: `${part.message}. ${paid}${leftIn(state)}`,
    payment: null,
    pass: { wasBoughtForThis, payment, state },
  };
}

function leftIn(state: PassState | null): string {
  if (state === null) return "";
  if (state.status !== "usable") return `. The pass admits no call now (${state.status})`;
  const { callsLeft, amountLeft, validUntil } = state;
  const calls = callsLeft === null ? "any number of calls" : `${callsLeft} ${callsLeft === 1 ? "call" : "calls"}`;
  const left = amountLeft === null ? calls : `${formatUsdc(toUsdc(BigInt(amountLeft)))} USDC`;
  return `. The pass is left with ${left}${validUntil === null ? "" : ` until ${validUntil}`}`;
}
