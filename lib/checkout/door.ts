import type { Reply } from "@/lib/core/endpoint";
import { fromUnixSeconds } from "@/lib/core/time";
import { callerOf } from "@/lib/http/caller";
import { edgeErrors } from "@/lib/http/errors";
import type { Ctx } from "@/lib/platform/context";
import { takeTurn } from "@/lib/platform/limiter";
import { type Admitted, admit } from "@/lib/settlements/admission";
import type { SettlementFailed } from "@/lib/settlements/responses";
import type { SignedAuthorization } from "@/lib/settlements/service";
import { type DoorRefusal, settlementFailedReply } from "./replies";

/** Counts a received proof against the client's address. Throws rate_limited. */
export async function limitAddress(ctx: Ctx, req: Request): Promise<void> {
  const retryAfterSeconds = await takeTurn(ctx, "payment_per_address", callerOf(req));
  if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
}

/**
 * Whether a proof with a valid signature may be claimed now, or why not. RefusedByToken holds the result of the chain's
 * simulation, for refusedByToken(). Throws rate_limited and the errors of `admit`.
 */
export async function admitProof(
  ctx: Ctx,
  signed: SignedAuthorization,
  sender: string,
): Promise<DoorRefusal | RefusedByToken | Admitted> {
  // Counted only after the signature is verified, so that a caller cannot use up another payer's limit.
  const retryAfterSeconds = await takeTurn(ctx, "payment_per_payer", `${signed.network} ${signed.authorization.from}`);
  if (retryAfterSeconds !== null) throw edgeErrors.rate_limited({ retryAfterSeconds });
  const admission = await admit(ctx, signed, sender);
  if (admission.by === null) return admission;
  return admission.by === "us" ? admission.code : { failureCode: admission.failureCode, signed };
}

export type RefusedByToken = { failureCode: string; signed: SignedAuthorization };

/** 500 SETTLEMENT_FAILED for a proof that was never claimed: without settlementId, and with the time until which anybody can still submit the proof. */
export function refusedByToken(ctx: Ctx, { failureCode, signed }: RefusedByToken): Reply<500, SettlementFailed> {
  const { network, authorization } = signed;
  const stillValidUntil = fromUnixSeconds(Number(authorization.validBefore)).toISOString();
  const message = `Not settled (${failureCode}), and no payment was taken. The proof can still be paid until ${stillValidUntil}: present it again, and sign a new one only after the response PAYMENT_EXPIRED`;
  return settlementFailedReply(ctx, { message, failureCode, stillValidUntil, network, payer: authorization.from });
}
