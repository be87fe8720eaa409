import { privateKeyToAddress } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { AppError } from "@/lib/core/errors";
import { fromUnixSeconds } from "@/lib/core/time";
import type { Ctx, Seller, System } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";
import { type Admitted, admit, assertOver, isUsedBeforeClaims } from "@/lib/settlements/admission";
import { settlementErrors } from "@/lib/settlements/errors";
import type { Settlement, SignedAuthorization } from "@/lib/settlements/service";
import * as settlements from "@/lib/settlements/service";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
import { type Mismatch, mismatch } from "@/lib/x402/proof";
import { parseSignature, typedSignature } from "@/lib/x402/signature";
import { facilitatorErrors } from "./errors";
import {
  type FacilitatorRequest,
  isAboutTime,
  REASON_OF,
  type ReadRequest,
  type Reason,
  type Refused,
  readRequest,
  reasonOf,
} from "./rules";
import * as store from "./store";

const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** The settlement of the request's payment, and whether this key requested it; `settlement` is null when it was refused before the claim. */
export type Outcome =
  | { isPaid: true; settlement: Settlement }
  | {
      isPaid: false;
      reason: Reason;
      payer: Address | null;
      message?: string | undefined;
      settlement: Settlement | null;
    };

/**
 * Whether a payment would settle now (x402 v2, 7.1): null, or why not. Claims nothing. A payment that this key has begun to
 * settle stays valid until the seller was told that it is paid, so that its buyer can present it again. Throws
 * too_many_requests, rate_limited, PAYER_OVER_GAS_BUDGET, TOO_MANY_CONTRACT_PAYMENTS and ChainUnavailable.
 */
export async function verify(
  ctx: Ctx<Seller>,
  request: FacilitatorRequest,
): Promise<{ payer: Address; refused: null } | { payer: Address | null; refused: Refused }> {
  const read = await readVerified(ctx, request);
  if (isRefused(read)) return { payer: read.payer, refused: read };
  const { payer, earlier, untimely } = read;
  const refused = (reason: Reason) => ({ payer, refused: { reason, payer } });
  const claimedBefore = async (settlement: Settlement) =>
    (await isAwaited(ctx, settlement, read)) ? { payer, refused: null } : refused("duplicate_settlement");
  if (earlier) return claimedBefore(earlier);
  if (untimely) return refused(REASON_OF[untimely]);
  const admitted = await admission(ctx, read, "verify");
  if (!isRefused(admitted)) return { payer, refused: null };
  const since = await settlementOf(ctx, read.signed);
  return since ? claimedBefore(since) : { payer, refused: admitted };
}

/**
 * Settles a payment (x402 v2, 7.2) and waits for its end. Idempotent: a repeated request returns the outcome of the first one.
 * An outcome is a failure only when the chain shows that the payment can never move, or when it was refused before the claim;
 * `settlement_pending` until then. Throws the errors of `verify`, and too_many_settlements.
 */
export async function settle(ctx: Ctx<Seller>, request: FacilitatorRequest): Promise<Outcome> {
  const read = await readVerified(ctx, request);
  if (isRefused(read)) return failed(read);
  const { earlier, untimely } = read;
  if (earlier) return followUp(ctx, earlier, read);
  if (untimely === "PAYMENT_EXPIRED") {
    const unsure = await whyNotOver(ctx, read.signed);
    if (unsure) return refusedUnlessClaimed(ctx, read, unsure);
  }
  if (untimely) return failed({ reason: REASON_OF[untimely], payer: read.payer });
  await limitOwner(ctx);
  const admitted = await admission(ctx, read, "settle");
  if (isRefused(admitted)) return refusedUnlessClaimed(ctx, read, admitted);
  return claimed(ctx, read, admitted);
}

/** Payment kinds, and the accounts that submit transfers (x402 v2, 7.3). */
export const supported = ({ config }: Pick<System, "config">) => ({
  kinds: [
    ...NETWORK_NAMES.map((network) => ({ x402Version: 2 as const, scheme: "exact" as const, network: caip2(network) })),
    ...NETWORK_NAMES.map((network) => ({
      x402Version: 1 as const,
      scheme: "exact" as const,
      network: network as string,
    })),
  ],
  extensions: [],
  signers: { "eip155:*": config.relayerKeys.map((key) => toAddress(privateKeyToAddress(key))) },
});

const caip2 = (network: (typeof NETWORK_NAMES)[number]): string => NETWORKS[network].caip2;

type Verified = ReadRequest & {
  payer: Address;
  signed: SignedAuthorization;
  /** The settlement of this authorization, if it was claimed. */
  earlier: Settlement | null;
  /** Why it cannot be claimed now, if it was not. */
  untimely: Mismatch | null;
};

const isRefused = (result: object): result is Refused => "reason" in result;

const failed = ({ reason, payer, message }: Refused): Outcome => ({
  isPaid: false,
  reason,
  payer,
  message,
  settlement: null,
});

/** Reads the request and checks everything that needs no simulation. Throws too_many_requests. */
async function readVerified(ctx: Ctx<Seller>, request: FacilitatorRequest): Promise<Verified | Refused> {
  const { keyId, requestsPerMinute: max } = ctx.actor;
  const use = { keyId, kind: "request" as const, max, windowSeconds: MINUTE_SECONDS };
  const retryAfterSeconds = await store.takeUse(ctx.db, use, ctx.now());
  if (retryAfterSeconds !== null) throw facilitatorErrors.too_many_requests({ retryAfterSeconds });
  const read = readRequest(request);
  if (isRefused(read)) return read;
  const { proof, requirement } = read;
  const { authorization, signature } = proof;
  const why = mismatch(proof, requirement, ctx.now());
  const payer = authorization.from;
  if (why && !isAboutTime(why)) return { reason: REASON_OF[why], payer };
  const signed = { network: requirement.network, authorization, signature };
  const earlier = await settlementOf(ctx, signed);
  if (!(earlier && isSame(earlier, signed)) && !(await settlements.isSignedByPayer(ctx, signed))) {
    const isUndeployed = parseSignature(signature).kind === "erc6492";
    const kind = isUndeployed ? "undeployed_smart_wallet" : "signature";
    return { reason: `invalid_exact_evm_payload_${kind}`, payer };
  }
  return { proof, requirement, payer, signed, earlier, untimely: why };
}

const settlementOf = (ctx: Ctx<Seller>, { network, authorization }: SignedAuthorization): Promise<Settlement | null> =>
  settlements.findUse(ctx, { network, ...authorization });

/**
 * A refusal before the claim; if a request at the same moment has claimed the authorization since, that one's outcome. A use
 * without a settlement is a duplicate only once no such request can still claim it.
 */
async function refusedUnlessClaimed(ctx: Ctx<Seller>, read: Verified, refused: Refused): Promise<Outcome> {
  const { network, authorization } = read.signed;
  const isFinal =
    refused.reason !== "duplicate_settlement" || (await isUsedBeforeClaims(ctx, { network, ...authorization }));
  const earlier = await settlementOf(ctx, read.signed);
  if (earlier) return followUp(ctx, earlier, read);
  return failed(isFinal ? refused : { ...refused, reason: "settlement_pending", message: USED_JUST_NOW });
}

const USED_JUST_NOW =
  "The payment was used a moment ago, and no settlement of it is recorded yet. Settle the same payment again";

/** What this key requested about the settlement; null if another key did, or this one for another resource of the seller. */
async function requestedFor(ctx: Ctx<Seller>, { id, resource }: Settlement, { requirement }: Verified) {
  const payment = await store.findPayment(ctx.db, id);
  return payment?.keyId === ctx.actor.keyId && resource === requirement.resource ? payment : null;
}

/** Whether this key requested the settlement and was not told yet that it is paid. */
async function isAwaited(ctx: Ctx<Seller>, settlement: Settlement, read: Verified): Promise<boolean> {
  const payment = await requestedFor(ctx, settlement, read);
  return payment !== null && payment.answeredAt === null && settlement.state !== "void";
}

/** Whether the settlement has exactly this authorization and signature, which were verified when it was claimed. */
const isSame = (earlier: Settlement, { network, authorization: a, signature }: SignedAuthorization): boolean =>
  earlier.payee === a.to &&
  earlier.amount === a.value &&
  earlier.validAfter === a.validAfter &&
  earlier.validBefore === a.validBefore &&
  earlier.signature === typedSignature(network, a, signature).signature;

/** Simulates the transfer. Throws rate_limited and the errors of `admit`, except PAYMENT_ALREADY_USED. */
async function admission(ctx: Ctx<Seller>, { signed, payer }: Verified, step: string): Promise<Admitted | Refused> {
  // Counted only after the signature is verified, so that a caller cannot use up another payer's limit.
  const retryAfterSeconds = await takeTurn(ctx, "payment_per_payer", `${step} ${signed.network} ${payer}`);
  if (retryAfterSeconds !== null) throw facilitatorErrors.rate_limited({ retryAfterSeconds });
  try {
    const result = await admit(ctx, signed, ctx.actor.keyId);
    if (result.by === null) return result;
    if (result.by === "us") return { reason: REASON_OF[result.code], payer };
    return {
      reason: reasonOf(result.failureCode),
      payer,
      message: canBePaid(result.failureCode, signed.authorization),
    };
  } catch (thrown) {
    if (settlementErrors.PAYMENT_ALREADY_USED.is(thrown)) return { reason: "duplicate_settlement", payer };
    throw thrown;
  }
}

/** A node has seen the proof, so anybody may have it. */
function canBePaid(code: string | null, { validBefore }: { validBefore: bigint }): string {
  const until = fromUnixSeconds(Number(validBefore)).toISOString();
  return `The transfer was refused (${code}). It can still be made until ${until}: settle the same payment again before you request a new one`;
}

async function limitOwner(ctx: Ctx<Seller>): Promise<void> {
  const retryAfterSeconds = await takeTurn(ctx, "facilitator_settle_per_owner", ctx.actor.ownerId);
  if (retryAfterSeconds !== null) throw facilitatorErrors.rate_limited({ retryAfterSeconds });
}

/** Why an authorization that is expired by our clock has perhaps been used, or can be; null when the chain shows neither. */
async function whyNotOver(ctx: Ctx<Seller>, signed: SignedAuthorization): Promise<Refused | null> {
  const payer = signed.authorization.from;
  try {
    await assertOver(ctx, signed);
    return null;
  } catch (thrown) {
    if (settlementErrors.PAYMENT_ALREADY_USED.is(thrown)) return { reason: "duplicate_settlement", payer };
    if (!settlementErrors.PAYMENT_NOT_OVER_YET.is(thrown)) throw thrown;
    return { reason: "settlement_pending", payer, message: thrown.message };
  }
}

async function claimed(ctx: Ctx<Seller>, read: Verified, { readTo }: Admitted): Promise<Outcome> {
  const { keyId, ownerId, settlementsPerDay: max } = ctx.actor;
  const { signed, proof, payer } = read;
  const { resource, description } = read.requirement;
  const claim: settlements.Claim = {
    ...signed,
    purpose: "facilitator",
    subject: keyId,
    ownerId,
    resource,
    description,
    readTo,
    alongside: async (tx, settlementId) => {
      const createdAt = ctx.now();
      const use = { keyId, kind: "settlement" as const, max, windowSeconds: DAY_SECONDS };
      const retryAfterSeconds = await store.takeUse(tx, use, createdAt);
      if (retryAfterSeconds !== null) throw facilitatorErrors.too_many_settlements({ retryAfterSeconds });
      await store.addPayment(tx, { settlementId, keyId, ownerId, x402Version: proof.version, createdAt });
    },
  };
  try {
    return await outcomeOf(ctx, await settlements.settle(ctx, claim, ctx.config.settleWaitSeconds));
  } catch (thrown) {
    if (!AppError.is(thrown)) throw thrown;
    if (settlementErrors.SETTLEMENT_UNKNOWN.is(thrown)) {
      const message = "We could not determine whether this payment was taken. Settle the same payment again";
      return failed({ reason: "settlement_pending", payer, message });
    }
    // A request at the same time has claimed it.
    const earlier = settlementErrors.PAYMENT_ALREADY_USED.is(thrown) ? await settlementOf(ctx, signed) : null;
    if (!earlier) throw thrown;
    return followUp(ctx, earlier, read);
  }
}

/** The outcome of an authorization that was claimed before: its settlement's, for the key that requested it. */
async function followUp(ctx: Ctx<Seller>, earlier: Settlement, read: Verified): Promise<Outcome> {
  if (!(await requestedFor(ctx, earlier, read)))
    return failed({ reason: "duplicate_settlement", payer: earlier.payer });
  return outcomeOf(ctx, await settlements.waitForEnd(ctx, earlier.id, ctx.config.settleWaitSeconds));
}

async function outcomeOf(ctx: Ctx<Seller>, settlement: Settlement): Promise<Outcome> {
  const { id, state, failureCode, payer } = settlement;
  if (state === "settled") {
    await store.markAnswered(ctx.db, id, ctx.now());
    return { isPaid: true, settlement };
  }
  if (state === "void") {
    const message = `Not settled (${failureCode}). No money moved, and this payment can never be made`;
    return { isPaid: false, reason: reasonOf(failureCode), payer, message, settlement };
  }
  const message =
    state === "declined"
      ? canBePaid(failureCode, settlement)
      : "The transfer is in progress and its outcome is not known yet. Settle the same payment again";
  return { isPaid: false, reason: "settlement_pending", payer, message, settlement };
}
