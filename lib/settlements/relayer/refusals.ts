import { assertLease } from "@/lib/platform/lease";
import { decline } from "../observer/endings";
import { resolveSpent } from "../observer/observer";
import { type FailureCode, meaningOf, type Refusal } from "../rules";
import type { Settlement } from "../store";
import { guarded, putOff } from "./faults";
import type { RelayerJob } from "./transactions";

/** Declines a settlement that the chain refuses, or puts it off; what goes wrong with one must not hold up the others. */
export async function refuse(job: RelayerJob, settlement: Settlement, reason: string): Promise<void> {
  await guarded(job, settlement, () => decide(job, settlement, meaningOf(reason)));
}

async function decide(job: RelayerJob, settlement: Settlement, refusal: Refusal): Promise<void> {
  if (refusal.next === "wait") return putOff(job, settlement.id);
  if (refusal.next === "look_up") return lookUpUse(job, settlement);
  // The token compares with the clock of one block: only a deep one ends it.
  if (refusal.next === "fail_if_unused" && refusal.code === "EXPIRED") return putOff(job, settlement.id);
  if (refusal.next === "fail") return giveUp(job, settlement, refusal.code);
  // The token checks these before it looks whether the authorization was used: it may have paid already.
  const [isUsed] = await job.chain.authorizationStates([settlement]);
  return isUsed ? lookUpUse(job, settlement) : giveUp(job, settlement, refusal.code);
}

/** Stops trying. The chain decides what becomes of the authorization. */
export async function giveUp(job: RelayerJob, settlement: Settlement, code: FailureCode): Promise<void> {
  await job.system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await decline(tx, [settlement.id], code, job.system.now());
  });
}

/** The authorization is spent: reads from the chain on what. */
export async function lookUpUse(job: RelayerJob, settlement: Settlement): Promise<void> {
  await putOff(job, settlement.id);
  await resolveSpent(job.system, job.network, settlement, (tx) => assertLease(tx, job.lease));
}
