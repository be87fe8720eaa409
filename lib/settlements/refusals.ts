import { addSeconds } from "@/lib/core/time";
import { assertLease, LeaseLost } from "@/lib/platform/lease";
import { decline } from "./endings";
import { resolveSpent } from "./observer";
import * as store from "./relayer-store";
import { meaningOf, type Refusal } from "./rules";
import type { Settlement } from "./store";
import type { RelayerJob } from "./transactions";

const RETRY_SECONDS = 1;

/** Declines a settlement that the chain refuses, or puts it off; what goes wrong with one must not hold up the others. */
export async function refuse(job: RelayerJob, settlement: Settlement, reason: string): Promise<void> {
  try {
    await decide(job, settlement, meaningOf(reason));
  } catch (err) {
    if (LeaseLost.is(err)) throw err;
    job.system.log.warn({ settlementId: settlement.id, err }, "relayer.postponed");
    await putOff(job, settlement);
  }
}

async function decide(job: RelayerJob, settlement: Settlement, refusal: Refusal): Promise<void> {
  if (refusal.next === "wait") return putOff(job, settlement);
  if (refusal.next === "look_up") return lookUpUse(job, settlement);
  // The token compares with the clock of one block: only a deep one ends it.
  if (refusal.next === "fail_if_unused" && refusal.code === "EXPIRED") return putOff(job, settlement);
  if (refusal.next === "fail") return giveUp(job, settlement, refusal.code);
  // The token checks these before it looks whether the authorization was used: it may have paid already.
  const [isUsed] = await job.chain.authorizationStates([settlement]);
  return isUsed ? lookUpUse(job, settlement) : giveUp(job, settlement, refusal.code);
}

export const putOff = (job: RelayerJob, ...settlements: Settlement[]) =>
  store.postpone(
    job.system.db,
    settlements.map((row) => row.id),
    addSeconds(job.system.now(), RETRY_SECONDS),
  );

async function giveUp(job: RelayerJob, settlement: Settlement, code: string): Promise<void> {
  await job.system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await decline(tx, [settlement.id], code, job.system.now());
  });
}

/** The authorization is spent: reads from the chain on what. */
export async function lookUpUse(job: RelayerJob, settlement: Settlement): Promise<void> {
  await putOff(job, settlement);
  await resolveSpent(job.system, job.network, settlement, (tx) => assertLease(tx, job.lease));
}
