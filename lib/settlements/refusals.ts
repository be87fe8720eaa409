import { addSeconds } from "@/lib/core/time";
import { assertLease } from "@/lib/platform/lease";
import { guarded, putOff } from "./faults";
import { apply, lookUp, readFacts } from "./observer";
import { type FailureCode, meaningOf, type Refusal } from "./rules";
import { endWithoutTransfer } from "./service";
import type { Settlement } from "./store";
import { cursor as readCursor } from "./store";
import type { RelayerJob } from "./transactions";

/** Some minutes of blocks before the claim, in which an authorization may have been used elsewhere. */
const LOOK_BEFORE_CLAIM = 2_000n;

/** Ends a settlement that the chain refuses, or puts it off; what goes wrong with one must not hold up the others. */
export async function refuse(job: RelayerJob, settlement: Settlement, reason: string): Promise<void> {
  await guarded(job, settlement, () => decide(job, settlement, meaningOf(reason)));
}

async function decide(job: RelayerJob, settlement: Settlement, refusal: Refusal): Promise<void> {
  if (refusal.next === "wait") return putOff(job, settlement.id);
  if (refusal.next === "look_up") return lookUpUse(job, settlement);
  if (refusal.next === "fail") return end(job, settlement, refusal.code);
  // The token checks these before it looks whether the authorization was used: it may have paid already.
  const [isUsed] = await job.chain.authorizationStates([settlement]);
  return isUsed ? lookUpUse(job, settlement) : end(job, settlement, refusal.code);
}

/** Stops trying, for a reason of ours. */
export const giveUp = (job: RelayerJob, settlement: Settlement, code: FailureCode): Promise<void> =>
  end(job, settlement, code);

async function end(job: RelayerJob, settlement: Settlement, code: string): Promise<void> {
  await job.system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await endWithoutTransfer(tx, [settlement.id], code, job.system.now());
  });
}

/** For so long "spent, but not to be found" is a node that lags and not an authorization of long ago. */
const FIND_SECONDS = 60;

/** The authorization is spent. Since the claim: somebody else submitted it, and it pays. Before: it paid for something else. */
export async function lookUpUse(job: RelayerJob, settlement: Settlement): Promise<void> {
  const { system, chain, network } = job;
  const { logs } = await lookUp(chain, settlement, settlement.claimedAtBlock - LOOK_BEFORE_CLAIM);
  const since = logs.filter((log) => log.block.number > settlement.claimedAtBlock);
  if (since.length === 0) {
    const isOld = system.now() > addSeconds(settlement.createdAt, FIND_SECONDS);
    return logs.length > 0 || isOld ? end(job, settlement, "ALREADY_USED") : putOff(job, settlement.id);
  }
  await putOff(job, settlement.id);
  const cursor = await readCursor(system.db, network);
  if (since.some((log) => !cursor || log.block.number > cursor.blockNumber)) return;
  // The observer passed that block in the moment before the claim was there to be seen.
  const facts = await readFacts(system, network, since);
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    await apply(tx, system, facts);
  });
}
