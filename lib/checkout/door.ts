import type { Reply } from "@/lib/core/endpoint";
import { REFUSED_PROOF_WORK } from "@/lib/core/limits";
import { fromUnixSeconds } from "@/lib/core/time";
import { callerOf } from "@/lib/http/caller";
import { limit } from "@/lib/http/limit";
import type { Ctx } from "@/lib/platform/context";
import { takeWork } from "@/lib/platform/limiter";
import type { Admission } from "@/lib/settlements/admission";
import type { SettlementFailed } from "@/lib/settlements/responses";
import { networkNamed } from "@/lib/x402/networks";
import type { Proof } from "@/lib/x402/proof";
import { settlementFailedReply } from "./replies";

/** Counts a received proof against the client's address. Throws rate_limited. */
export async function limitAddress(ctx: Ctx, req: Request): Promise<void> {
  await limit(ctx, "payment_per_address", callerOf(req));
}

/** Counts a correctly signed proof against its payer. Throws rate_limited. */
export async function limitPayer(ctx: Ctx, { network, authorization }: Proof): Promise<void> {
  const name = networkNamed(network)?.name ?? network;
  await limit(ctx, "payment_per_payer", `${name} ${authorization.from}`);
}

/** Charges a refused proof to its sender's work limit, which may then refuse the sender's next calls. */
export async function chargeRefused(ctx: Ctx, sender: string): Promise<void> {
  await takeWork(ctx, "work_per_address", sender, REFUSED_PROOF_WORK);
}

export type RefusedByToken = Extract<Admission, { refusedBy: "token" }>;

/** 500 SETTLEMENT_FAILED for a proof that was never claimed. Has no settlementId; anyone can submit the proof until `stillValidUntil`. */
export function refusedByToken(ctx: Ctx, { failureCode, signed }: RefusedByToken): Reply<500, SettlementFailed> {
  const { network, authorization } = signed;
  const stillValidUntil = fromUnixSeconds(Number(authorization.validBefore)).toISOString();
  const message = `Not settled (${failureCode}), and no payment was taken. The proof can still be paid until ${stillValidUntil}: present it again, and sign a new one only after the response PAYMENT_EXPIRED`;
  return settlementFailedReply(ctx, { message, failureCode, stillValidUntil, network, payer: authorization.from });
}
