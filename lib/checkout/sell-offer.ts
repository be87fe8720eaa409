import type { Address } from "@/lib/core/address";
import { type Reply, reply } from "@/lib/core/endpoint";
import { AppError, type Kind } from "@/lib/core/errors";
import { fromUnixSeconds } from "@/lib/core/time";
import { callerOf } from "@/lib/http/caller";
import type { Ctx } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { admit, isClaimed } from "@/lib/settlements/admission";
import { settlementErrors } from "@/lib/settlements/errors";
import type {
  AcceptedPayment,
  PaymentRequiredBody,
  PendingPayment,
  SettlementFailed,
} from "@/lib/settlements/responses";
import { isOpen, publicStatus } from "@/lib/settlements/rules";
import {
  alreadyUsed,
  type SaleOffer,
  type Settlement,
  settle,
  spentElsewhere,
  stillValid,
} from "@/lib/settlements/service";
import { encodeHeader } from "@/lib/x402/header";
import { type Proof, settleResponse } from "@/lib/x402/proof";
import { credentialRefusal } from "./challenge";
import { chargeRefused, limitAddress, limitPayer, type RefusedByToken, refusedByToken } from "./door";
import {
  assertNewIdentifier,
  earlierPurchase,
  identifierOf,
  rememberIdentifier,
  type SamePurchase,
} from "./identifier";
import { type PaymentHeader, type PresentedPayment, paymentHeader, readPayment } from "./presented";
import { credentialReceipt, receiptExtension } from "./receipt";
import { type ProofRefusal, pending, settlementFailed } from "./replies";
import { type Extensions, paymentRequired } from "./required";
import { type BoughtBy, closedToOthers, signedIn } from "./sign-in";

type Claim = (tx: Tx, id: Settlement["id"]) => Promise<void>;

/** A seller's responses to the outcomes of a payment: `T` once it settled, the fields `M` while it is pending. */
export type Answers<T, M extends object> = {
  onSettled: (settlement: Settlement) => T | Promise<T>;
  onPending: (settlement: Pick<Settlement, "id">) => M;
  /** Runs when a proof was refused, with the payer it names (unverified). Must not throw. */
  onRefused?: (code: string, payer: Address | null) => Promise<void>;
  /**
   * Runs before any node has the proof: what is wrong with the request is told while nobody can make the payment, and what takes its time
   * does not age the admission.
   */
  beforeChain?: () => Promise<void>;
  /** Runs before the claim; the returned function runs inside the claim's transaction. */
  onClaim?: () => Claim | Promise<Claim>;
  /** Adds fields to PAYMENT_ALREADY_USED when the proof of this settlement is presented again. */
  onReplay?: ((id: Settlement["id"]) => Promise<object>) | undefined;
  /** Whether a settlement of the same purpose paid for this request. Default: whether it has the offer's subject. */
  isSame?: SamePurchase;
  /** Whether a used proof without an identifier may be from its buyer. Default: never, because anybody can read it on the chain. */
  isBuyer?: (id: Settlement["id"]) => Promise<boolean>;
  /** Lets buyers sign in to read a purchase again; absent where this is not possible. */
  boughtBy?: BoughtBy | undefined;
  /** Additional entries of `accepts`. */
  others?: readonly AcceptedPayment[];
  /** Additional extensions of a 402. */
  extensions?: Extensions;
  /** Why something else in the request than a payment does not open it. */
  refusal?: ProofRefusal | undefined;
};

/** A response of `paymentResponses`. */
export type PaymentReply<T, M extends object> =
  | Reply<200, T>
  | Reply<202, PendingPayment & M>
  | Reply<402, PaymentRequiredBody>
  | Reply<500, SettlementFailed>;

/**
 * Sells `offer`: 402 with the price to a request without a payment. Otherwise takes the payment and responds to every
 * outcome: settled (through `handlers`), refused, failed for certain, used before, or not known yet. Delivers nothing before
 * the chain shows the transfer. Sources: x402 v1 and v2 HTTP transport; draft-evm-charge; statuses of the UPL contract.
 */
export async function sellOffer<T, M extends object>(
  ctx: Ctx,
  req: Request,
  offer: SaleOffer,
  handlers: Answers<T, M>,
): Promise<PaymentReply<T, M>> {
  // Why: docs/decisions.md, 149.
  // The response to HEAD has no content: a payment would buy nothing.
  const isHead = req.method === "HEAD";
  if (isHead) await assertUnusedProof(ctx, req);
  const header = isHead ? null : paymentHeader(req);
  if (header) {
    await limitAddress(ctx, req);
    return takePayment(ctx, { header, sender: callerOf(req) }, offer, handlers);
  }
  const { boughtBy } = handlers;
  const signInResult = boughtBy && !isHead ? await signedIn(ctx, req, offer.requirement, boughtBy) : null;
  if (signInResult !== null && typeof signInResult !== "string")
    return buildResponse(ctx, offer, signInResult, handlers, null);
  if (offer.closed) throw boughtBy ? await closedToOthers(ctx, offer.closed, offer) : offer.closed;
  return paymentRequired(ctx, offer.requirement, { ...handlers, refusal: signInResult ?? handlers.refusal });
}

async function takePayment<T, M extends object>(
  ctx: Ctx,
  { header, sender }: { header: PaymentHeader; sender: string },
  offer: SaleOffer,
  handlers: Answers<T, M>,
): Promise<PaymentReply<T, M>> {
  const presented = readPayment(header);
  const report = (code: string) => handlers.onRefused?.(code, presented?.proof.authorization.from ?? null);
  const outcome = await takeReadable(ctx, { header, presented, sender }, offer, handlers).catch(
    async (error: unknown) => {
      if (error instanceof AppError && REFUSING.has(error.kind)) await report(error.code);
      throw await withExtra(error, handlers);
    },
  );
  switch (outcome.type) {
    case "claimed":
      return buildResponse(ctx, offer, outcome.settlement, handlers, presented);
    case "refused":
      if (outcome.refusedBy === "token") {
        await report(outcome.failureCode);
        return refusedByToken(ctx, outcome);
      }
      await report(outcome.code);
      return paymentRequired(ctx, offer.requirement, { ...handlers, refusal: outcome.code });
    default:
      return outcome satisfies never;
  }
}

/**
 * Adds the settlement id to SETTLEMENT_UNKNOWN: the claim may have been committed, and the payer has no other way to find
 * it. Adds the seller's fields to PAYMENT_ALREADY_USED: the payer may have lost the first response.
 */
async function withExtra(
  error: unknown,
  { onPending, onReplay }: Partial<Pick<Answers<unknown, object>, "onPending" | "onReplay">>,
): Promise<unknown> {
  if (!(error instanceof AppError)) return error;
  const { code, details, cause } = error;
  const id = details?.settlementId as Settlement["id"] | undefined;
  if (code === "SETTLEMENT_UNKNOWN" && id)
    return settlementErrors.SETTLEMENT_UNKNOWN({ ...details, ...onPending?.({ id }) }, cause);
  if (code === "PAYMENT_ALREADY_USED" && id && onReplay)
    return settlementErrors.PAYMENT_ALREADY_USED({ ...details, ...(await onReplay(id)) });
  return error;
}

/** Kinds of errors reported as a refusal: an unreadable proof, and a sale that has closed. A proof used before is not a refusal. */
const REFUSING: ReadonlySet<Kind> = new Set(["invalid", "gone"]);

type Claiming = Pick<Answers<unknown, object>, "beforeChain" | "onClaim" | "isSame" | "isBuyer">;

/** The result of presenting a proof. `claimed`, now or earlier, does not mean paid: that depends on the settlement's state. */
type Taken =
  | { type: "claimed"; settlement: Settlement }
  | { type: "refused"; refusedBy: "us"; code: ProofRefusal }
  | RefusedByToken;

/** Throws INVALID_PAYMENT_HEADER for x402. The scheme `Payment` demands a 402 with a new challenge instead. */
async function takeReadable(
  ctx: Ctx,
  { header, presented, sender }: { header: PaymentHeader; presented: PresentedPayment | null; sender: string },
  offer: SaleOffer,
  claiming: Claiming,
): Promise<Taken> {
  if (presented?.proof.scheme === "exact") return takeProof(ctx, { ...presented, sender }, offer, claiming);
  if (header.protocol === "x402") throw settlementErrors.INVALID_PAYMENT_HEADER();
  if (offer.closed) throw offer.closed;
  return { type: "refused", refusedBy: "us", code: "PAYMENT_CREDENTIAL_INVALID" };
}

/**
 * Claims and settles the proof, or returns why it was refused before the claim. A repeated payment identifier returns the
 * settlement of the first request.
 */
async function takeProof(
  ctx: Ctx,
  { proof, challenge, sender }: PresentedPayment & { sender: string },
  offer: SaleOffer,
  { beforeChain, onClaim, isSame, isBuyer }: Claiming,
): Promise<Taken> {
  const idHash = identifierOf(proof);
  const identified = { proof, idHash, offer, isSame, isBuyer };
  const admission = await admit(ctx, {
    proof,
    requirement: offer.closed ? null : offer.requirement,
    why: await credentialRefusal(ctx, { proof, challenge }, offer.requirement),
    sender,
    beforeChain: async () => {
      await assertNewIdentifier(ctx, identified);
      await limitPayer(ctx, proof);
      await beforeChain?.();
    },
  });
  switch (admission.type) {
    case "same":
    case "conflicting":
      return { type: "claimed", settlement: await earlierPurchase(ctx, identified, admission) };
    case "spent_elsewhere":
      await chargeRefused(ctx, sender);
      throw spentElsewhere();
    case "unsold":
      throw offer.closed;
    case "refused":
      await chargeRefused(ctx, sender);
      if (offer.closed) throw offer.closed;
      return admission;
    case "new":
      break;
    default:
      return admission satisfies never;
  }
  const { signed, readTo } = admission;
  const write = await onClaim?.();
  const remember = rememberIdentifier(ctx, proof, idHash);
  const claim = {
    ...signed,
    resource: offer.recordedResource ?? offer.requirement.resource,
    description: offer.requirement.description,
    purpose: offer.purpose,
    subject: offer.subject,
    agentId: offer.agentId,
    ownerId: offer.ownerId,
    readTo,
    turn: idHash === null ? "" : `${proof.authorization.from} ${idHash}`,
    alongside: async (tx: Tx, id: Settlement["id"]) => {
      await write?.(tx, id);
      await remember(tx, id);
    },
  };
  const settlement = await settle(ctx, claim, ctx.config.settleWaitSeconds).catch(async (error: unknown) => {
    // A request with the same identifier may have claimed the proof meanwhile.
    const isTaken = settlementErrors.PAYMENT_ALREADY_USED.is(error);
    const secondAdmission = isTaken ? await admit(ctx, { proof, requirement: null, sender }) : null;
    if (secondAdmission && isClaimed(secondAdmission)) return earlierPurchase(ctx, identified, secondAdmission);
    throw notClaimed(error, signed);
  });
  return { type: "claimed", settlement };
}

/** Adds to the error of a rolled-back claim that the proof can still be paid, because a node has seen it. */
function notClaimed(error: unknown, { authorization }: Pick<Proof, "authorization">): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, kind, details, cause } = error;
  // Any other error was not thrown inside the claim's transaction.
  if (!REFUSING.has(kind) && kind !== "not_found" && code !== "PAYMENT_IDENTIFIER_REUSED") return error;
  const until = fromUnixSeconds(Number(authorization.validBefore)).toISOString();
  const message = `${error.message}. The proof was not accepted, but it can still be paid until ${until}: after that time, present it again before you sign another one`;
  return new AppError(code, kind, message, { ...details, stillValidUntil: until }, { cause });
}

/**
 * For a URL that no longer sells anything. Throws PAYMENT_ALREADY_USED when the request contains a used proof, because its
 * payer must learn the outcome of the payment. `onReplay`: as in `Answers`.
 */
export async function assertUnusedProof(
  ctx: Ctx,
  req: Request,
  onReplay?: Answers<unknown, object>["onReplay"],
): Promise<void> {
  const header = paymentHeader(req);
  if (!header) return;
  await limitAddress(ctx, req);
  const presented = readPayment(header);
  if (!presented) return;
  const admission = await admit(ctx, { proof: presented.proof, requirement: null, sender: callerOf(req) });
  if (isClaimed(admission)) throw await withExtra(alreadyUsed(admission.settlement), { onReplay });
}

async function buildResponse<T, M extends object>(
  ctx: Ctx,
  offer: SaleOffer,
  settlement: Settlement,
  handlers: Answers<T, M>,
  presented: PresentedPayment | null,
): Promise<PaymentReply<T, M>> {
  if (isOpen(settlement)) return pending(settlement, handlers.onPending(settlement));
  if (settlement.state !== "settled") return notSettled(ctx, offer, settlement, handlers);
  const content = await contentOf(ctx, settlement, handlers);
  if (content === null) return pending(settlement, handlers.onPending(settlement));
  const { network, payer, txHash } = settlement;
  const receipt = { transaction: txHash ?? "", network, payer };
  const headers = {
    "X-PAYMENT-RESPONSE": encodeHeader(settleResponse(1, receipt)),
    "PAYMENT-RESPONSE": encodeHeader({ ...settleResponse(2, receipt), ...(await receiptExtension(ctx, settlement)) }),
    ...(presented?.challenge && credentialReceipt(settlement, presented.challenge)),
  };
  return reply(200, content, { headers });
}

/** The seller's response, or null when it cannot be built now. The money has moved: an error would make the payer pay again. */
async function contentOf<T>(
  ctx: Ctx,
  settlement: Settlement,
  handlers: Pick<Answers<T, object>, "onSettled">,
): Promise<T | null> {
  try {
    return await handlers.onSettled(settlement);
  } catch (err) {
    ctx.log.error({ settlementId: settlement.id, err }, "settlement.response_failed");
    return null;
  }
}

/** The response to a proof that the relayer stopped submitting, or that can never move money. */
async function notSettled(
  ctx: Ctx,
  offer: SaleOffer,
  settlement: Settlement,
  offered: Pick<Answers<unknown, object>, "others" | "extensions" | "boughtBy">,
): Promise<Reply<402, PaymentRequiredBody> | Reply<500, SettlementFailed>> {
  const { id: settlementId, state, failureCode } = settlement;
  if (failureCode === "ALREADY_USED") {
    const settlementStatus = publicStatus(state);
    throw settlementErrors.PAYMENT_ALREADY_USED({
      settlementId,
      settlementStatus,
      txHash: null,
      ...stillValid(settlement),
    });
  }
  if (state === "void" && failureCode === "EXPIRED") {
    if (offer.closed) throw offer.closed;
    return paymentRequired(ctx, offer.requirement, { ...offered, refusal: "PAYMENT_EXPIRED" });
  }
  return settlementFailed(ctx, { ...settlement, settlementId, ...stillValid(settlement) });
}
