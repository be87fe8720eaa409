import { privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import type { SettlementId } from "@/lib/core/ids";
import { addSeconds, fromUnixSeconds } from "@/lib/core/time";
import { limit } from "@/lib/http/limit";
import type { Ctx, Seller, System } from "@/lib/platform/context";
import type { Queryable } from "@/lib/platform/db";
import { type Admission, admit, type RefusalOfUs } from "@/lib/settlements/admission";
import { DEPLOYMENT_REFUSALS } from "@/lib/settlements/deployment";
import { settlementErrors } from "@/lib/settlements/errors";
import type { Claim, Settlement } from "@/lib/settlements/service";
import * as settlements from "@/lib/settlements/service";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { facilitatorErrors } from "./errors";
import {
  type FacilitatorReason,
  type FacilitatorRequest,
  isAboutTime,
  REASON_OF,
  type ReadRequest,
  type RefusedRequest,
  readRequest,
  reasonOf,
} from "./rules";
import * as store from "./store";

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** The result of a settle request. `settlement` is null when the request was refused, or when its claim is unknown. */
export type SettleOutcome =
  | { isPaid: true; settlement: Settlement }
  | {
      isPaid: false;
      reason: FacilitatorReason;
      payer: Address | null;
      message?: string | undefined;
      settlement: Settlement | null;
    };

/**
 * Checks whether a payment would settle now (x402 v2, 7.1). Claims nothing. A payment that this key is already settling stays
 * valid until it is void or /settle has reported success, so that its buyer can present it again. Throws
 * too_many_requests, rate_limited, PAYER_OVER_GAS_BUDGET, TOO_MANY_CONTRACT_PAYMENTS and ChainUnavailable.
 */
export async function verify(
  ctx: Ctx<Seller>,
  request: FacilitatorRequest,
): Promise<{ payer: Address; refused: null } | { payer: Address | null; refused: RefusedRequest }> {
  const parsedRequest = await readLimited(ctx, request);
  if (parsedRequest.type === "refused") return { payer: parsedRequest.payer, refused: parsedRequest };
  const payer = parsedRequest.proof.authorization.from;
  const admitted = await admitPayment(ctx, parsedRequest, "verify");
  if (admitted.type === "refused") return { payer, refused: admitted };
  if (admitted.type === "own" && (admitted.isAnswered || admitted.settlement.state === "void")) {
    return { payer, refused: { type: "refused", reason: "duplicate_settlement", payer } };
  }
  if (admitted.type === "new" && (await secondsUntilFree(ctx, ctx.db)) !== null) {
    const message = "The seller's API key has used all its settlements of this day";
    return { payer, refused: { type: "refused", reason: "invalid_transaction_state", payer, message } };
  }
  const { validBefore } = parsedRequest.proof.authorization;
  const expiresAt = addSeconds(fromUnixSeconds(Number(validBefore)), KEPT_SECONDS);
  const readTo = admitted.type === "new" ? admitted.readTo : null;
  await store.addVerification(ctx.db, { ...proofKey(ctx, parsedRequest), readTo, expiresAt }, ctx.now());
  return { payer, refused: null };
}

/**
 * Settles a payment (x402 v2, 7.2) and waits for its end. Exactly one of the concurrent requests for a payment gets success. A
 * request repeated later gets the same outcome. Reports a failure only when the chain shows that the payment can never move,
 * or when it was refused before the claim; `settlement_pending` until then. `isGone`: whether the seller has closed the
 * connection and cannot receive the response. Throws the errors of `verify`, and too_many_settlements.
 * Why: docs/decisions.md, 384.
 */
export async function settle(
  ctx: Ctx<Seller>,
  request: FacilitatorRequest,
  isGone: () => boolean = () => false,
): Promise<SettleOutcome> {
  const parsedRequest = await readLimited(ctx, request);
  if (parsedRequest.type === "refused") return failed(parsedRequest);
  const admitted = await admitPayment(ctx, parsedRequest, "settle");
  if (admitted.type === "refused") return failed(admitted);
  const claimResult =
    admitted.type === "own" ? await awaitEnd(ctx, admitted) : await claimPayment(ctx, parsedRequest, admitted);
  return claimResult.type === "refused" ? failed(claimResult) : outcomeOf(ctx, parsedRequest, claimResult, isGone);
}

/** Payment kinds, and the accounts that submit transfers (x402 v2, 7.3). */
export const supported = ({ config }: Pick<System, "config">) => ({
  kinds: [
    ...NETWORK_NAMES.map((network) => ({
      x402Version: 2 as const,
      scheme: "exact" as const,
      network: NETWORKS[network].caip2,
    })),
    ...NETWORK_NAMES.map((network) => ({
      x402Version: 1 as const,
      scheme: "exact" as const,
      network: network as string,
    })),
  ],
  extensions: [],
  signers: { "eip155:*": config.relayerKeys.map((key) => toAddress(privateKeyToAddress(key))) },
});

/** A settlement of this key. `isAnswered`: /settle has reported success for it. `wasAnswered`: before this request began. */
type Own = { type: "own"; settlement: Settlement; isAnswered: boolean; wasAnswered: boolean };

const failed = ({ reason, payer, message }: Omit<RefusedRequest, "type">): SettleOutcome => ({
  isPaid: false,
  reason,
  payer,
  message,
  settlement: null,
});

/** Counts and reads the request. Throws too_many_requests. */
async function readLimited(ctx: Ctx<Seller>, request: FacilitatorRequest): Promise<ReadRequest | RefusedRequest> {
  const { keyId, requestsPerMinute: max } = ctx.actor;
  const usage = { keyId, max, windowSeconds: MINUTE_SECONDS };
  const retryAfterSeconds = await store.countRequest(ctx.db, usage, ctx.now());
  if (retryAfterSeconds !== null) throw facilitatorErrors.too_many_requests({ retryAfterSeconds });
  return readRequest(request);
}

/** Classifies a payment for this key and resource: new, already requested by this key, or refused. Throws the errors of `verify`. */
async function admitPayment(
  ctx: Ctx<Seller>,
  parsedRequest: ReadRequest,
  step: "verify" | "settle",
): Promise<New | Own | RefusedRequest> {
  const { proof, requirement } = parsedRequest;
  const { from: payer } = proof.authorization;
  const refuse = (reason: FacilitatorReason, message?: string): RefusedRequest => ({
    type: "refused",
    reason,
    payer,
    message,
  });
  let wasNew = false;
  const { keyId, ownerId } = ctx.actor;
  const { rate_limited } = facilitatorErrors;
  const admitted = await admit(ctx, {
    proof,
    requirement,
    sender: keyId,
    // Counts per API key and payer, and only proofs with a valid signature. A seller that has a payer's proof can therefore not use up
    // the payer's limit at other sellers.
    beforeChain: async () => {
      wasNew = true;
      await limit(ctx, "payment_per_payer", `${step} ${keyId} ${requirement.network} ${payer}`, rate_limited);
      if (step === "settle") await limit(ctx, "facilitator_settle_per_owner", ownerId, rate_limited);
    },
    shownTo: () => store.findShownTo(ctx.db, proofKey(ctx, parsedRequest)),
  }).catch((error: unknown) => {
    if (settlementErrors.PAYMENT_NOT_OVER_YET.is(error)) return { type: "undecided" as const, why: error.message };
    throw error;
  });
  switch (admitted.type) {
    case "undecided":
      return refuse("settlement_pending", admitted.why);
    case "new":
      // The proof was used after an earlier /verify: only the request that was verified then may deliver.
      return admitted.past && step === "verify" ? refuse("duplicate_settlement") : admitted;
    case "same": {
      const { settlement, mismatch } = admitted;
      if (mismatch && !isAboutTime(mismatch)) return refuse(REASON_OF[mismatch]);
      const payment = await store.findPayment(ctx.db, settlement.id);
      const isOwn = payment?.keyId === ctx.actor.keyId && settlement.resource === requirement.resource;
      if (!payment || !isOwn) return refuse("duplicate_settlement");
      const isAnswered = payment.answeredAt !== null;
      return { type: "own", settlement, isAnswered, wasAnswered: isAnswered && !wasNew };
    }
    case "conflicting":
      return refuse("duplicate_settlement");
    case "spent_elsewhere":
      return admitted.isFinal || step === "verify"
        ? refuse("duplicate_settlement")
        : refuse("settlement_pending", USED_JUST_NOW);
    case "refused":
      return admitted.refusedBy === "us"
        ? refuse(REASON_OF[admitted.code], DEPLOYMENT_TEXTS[admitted.code])
        : refuse(reasonOf(admitted.failureCode), canBePaid(admitted.failureCode, proof.authorization));
    case "unsold":
      throw new Error("a seller's request has a requirement");
    default:
      return admitted satisfies never;
  }
}

/** What the reason of the reference implementation does not say. */
const DEPLOYMENT_TEXTS: Partial<Record<RefusalOfUs, string>> = DEPLOYMENT_REFUSALS;

type New = Extract<Admission, { type: "new" }>;

const USED_JUST_NOW =
  "The payment was used a moment ago, and no settlement of it is recorded yet. Settle the same payment again";

/**
 * Seconds until the key may settle again under its daily limit; null if it may now. `except`: the settlement being claimed. An
 * open settlement can free a place soon, because a settlement that ends without a transaction does not count.
 */
async function secondsUntilFree(ctx: Ctx<Seller>, db: Queryable, except?: SettlementId): Promise<number | null> {
  const { keyId, settlementsPerDay: max } = ctx.actor;
  const now = ctx.now();
  const used = await store.readUsed(db, keyId, { max, since: addSeconds(now, -DAY_SECONDS), except });
  if (used.count < max) return null;
  if (used.isAnyOpen) return ctx.config.settleWaitSeconds;
  const end = addSeconds(used.oldest ?? now, DAY_SECONDS);
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
}

/** The message for a refused transfer. A node has seen the proof, so anyone may still submit it. */
function canBePaid(code: string | null, { validBefore }: { validBefore: bigint }): string {
  const until = fromUnixSeconds(Number(validBefore)).toISOString();
  return `The transfer was refused (${code}). It can still be made until ${until}: settle the same payment again before you request a new one`;
}

const awaitEnd = async (ctx: Ctx<Seller>, ownPayment: Own): Promise<Own> => ({
  ...ownPayment,
  settlement: await settlements.waitForEnd(ctx, ownPayment.settlement.id, ctx.config.settleWaitSeconds),
});

/**
 * Claims a new payment, or finds the claim of a concurrent request, and waits for the settlement's end. Throws
 * too_many_settlements.
 */
async function claimPayment(
  ctx: Ctx<Seller>,
  parsedRequest: ReadRequest,
  { signed, readTo, past }: New,
): Promise<Own | RefusedRequest> {
  const { keyId, ownerId } = ctx.actor;
  const { proof, requirement } = parsedRequest;
  const { resource, description } = requirement;
  const createdAt = ctx.now();
  const claim: Claim = {
    ...signed,
    purpose: "facilitator",
    subject: keyId,
    ownerId,
    resource,
    description,
    readTo,
    past,
    alongside: async (tx, settlementId) => {
      await store.lockKey(tx, keyId);
      const retryAfterSeconds = await secondsUntilFree(ctx, tx, settlementId);
      if (retryAfterSeconds !== null) throw facilitatorErrors.too_many_settlements({ retryAfterSeconds });
      await store.addPayment(tx, { settlementId, keyId, ownerId, x402Version: proof.version, createdAt });
    },
  };
  try {
    const settlement = await settlements.settle(ctx, claim, ctx.config.settleWaitSeconds);
    return { type: "own", settlement, isAnswered: false, wasAnswered: false };
  } catch (error) {
    if (settlementErrors.SETTLEMENT_UNKNOWN.is(error)) {
      const message = "We could not determine whether this payment was taken. Settle the same payment again";
      return { type: "refused", reason: "settlement_pending", payer: proof.authorization.from, message };
    }
    if (!settlementErrors.PAYMENT_ALREADY_USED.is(error)) throw error;
    const readmission = await admitPayment(ctx, parsedRequest, "settle");
    if (readmission.type === "refused") return readmission;
    if (readmission.type === "new")
      return { type: "refused", reason: "settlement_pending", payer: proof.authorization.from, message: UNDER_WAY };
    return awaitEnd(ctx, { ...readmission, wasAnswered: false });
  }
}

/** How long a verification outlives its proof: a seller may deliver before the proof expires and settle afterwards. */
const KEPT_SECONDS = 3_600;

const proofKey = ({ actor }: Ctx<Seller>, { proof, requirement }: ReadRequest): store.ProofKey => {
  const { from: payer, nonce } = proof.authorization;
  return { keyId: actor.keyId, network: requirement.network, payer, nonce };
};

async function outcomeOf(
  ctx: Ctx<Seller>,
  parsedRequest: ReadRequest,
  { settlement, wasAnswered }: Own,
  isGone: () => boolean,
): Promise<SettleOutcome> {
  const { state, failureCode, payer } = settlement;
  if (state === "settled" && !isGone()) {
    const pendingAnswer = { settlementId: settlement.id, proof: proofKey(ctx, parsedRequest), wasAnswered };
    return (await store.takeAnswer(ctx.db, pendingAnswer, ctx.now()))
      ? { isPaid: true, settlement }
      : failed({ reason: "duplicate_settlement", payer, message: TOLD_ANOTHER });
  }
  if (state === "void") {
    const message = `Not settled (${failureCode}). No money moved, and this payment can never be made`;
    return { isPaid: false, reason: reasonOf(failureCode), payer, message, settlement };
  }
  const message = state === "declined" ? canBePaid(failureCode, settlement) : UNDER_WAY;
  return { isPaid: false, reason: "settlement_pending", payer, message, settlement };
}

const TOLD_ANOTHER =
  "The payment is settled, and another request for it was told so: it pays for one delivery. Do not deliver for this request";

const UNDER_WAY = "The transfer is in progress and its outcome is not known yet. Settle the same payment again";
