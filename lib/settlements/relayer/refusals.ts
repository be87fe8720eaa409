import { assertLease } from "@/lib/platform/lease";
import { decline } from "../observer/endings";
import { resolveSpent } from "../observer/search";
import { type FailureCode, meaningOf } from "../rules";
import type { Settlement } from "../store";
import { guarded, putOff } from "./faults";
import type { RelayerJob } from "./job";

/** Declines or postpones a settlement that the chain rejects. An error in one must not delay the others. */
export async function refuse(job: RelayerJob, settlement: Settlement, reason: string): Promise<void> {
  const refusal = meaningOf(reason);
  await guarded(job, settlement, async () => {
    if (refusal.next === "wait") return putOff(job, settlement.id);
    if (refusal.next === "look_up") return resolveUse(job, settlement);
    // The simulation sees one block's clock. Only a block at CONFIRMATIONS depth ends an expired authorization.
    if (refusal.next === "fail_if_unused" && refusal.code === "EXPIRED") return putOff(job, settlement.id);
    if (refusal.next === "fail") return giveUp(job, settlement, refusal.code);
    // The token checks these conditions before it checks for use: the authorization may already have paid.
    const [isUsed] = await job.chain.authorizationStates([settlement]);
    return isUsed ? resolveUse(job, settlement) : giveUp(job, settlement, refusal.code);
  });
}

/** Declines the settlement and stops submitting it. Anyone can still submit an authorization that is valid: only the chain ends it. */
export async function giveUp(job: RelayerJob, settlement: Settlement, code: FailureCode): Promise<void> {
  await job.system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await decline(tx, [settlement.id], code, job.system.now());
  });
}

/** Reads from the chain what spent the authorization. */
export async function resolveUse(job: RelayerJob, settlement: Settlement): Promise<void> {
  await putOff(job, settlement.id);
  await resolveSpent(job.system, job.network, settlement, (tx) => assertLease(tx, job.lease));
}
