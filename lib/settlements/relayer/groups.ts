import type { SettlementId } from "@/lib/core/ids";
import { assertLease } from "@/lib/platform/lease";
import { decline } from "../observer/endings";
import {
  decideGroup,
  type FailureCode,
  type GroupLeg,
  type GroupState,
  groupStateOf,
  isOpen,
  meaningOf,
} from "../rules";
import type { Settlement } from "../store";
import { type Item, itemsOf, simulateItems, simulateTogether } from "./calls";
import { blame, putOff } from "./faults";
import type { RelayerJob } from "./job";
import * as store from "./queue-store";
import { resolveUse } from "./refusals";
import { hasSettler } from "./settler";
import { type Load, send } from "./transactions";

/** Mempools reliably keep about sixteen transactions per account; batches need the other half. */
const GROUPS_IN_FLIGHT_MAX = 8;

/** Sends the longest-waiting group in its own transaction, declines it, or postpones it. Returns whether a group was waiting. */
export async function sendNextGroup(job: RelayerJob): Promise<boolean> {
  const { system, network, signer } = job;
  if ((await store.countGroupsInFlight(system.db, network, signer)) >= GROUPS_IN_FLIGHT_MAX) return false;
  const groupId = await store.nextGroup(system.db, network, signer, system.now());
  if (groupId === null) return false;
  const legs = await system.db.transaction((tx) => store.pickGroup(tx, groupId, network, signer, system.now()));
  const open = legs.filter(isOpen);
  if (open.length === 0) return false;
  const load = await loadOf(job, groupId, open, groupStateOf(legs));
  if (load) await send(job, load);
  return true;
}

/**
 * The load to send for a group now; null when it was declined or postponed. An error in one group must not delay the others.
 * Why: docs/decisions.md, 81.
 */
async function loadOf(job: RelayerJob, groupId: SettlementId, open: Settlement[], state: GroupState) {
  try {
    const items = await itemsOf(job, open);
    // A leg whose call cannot be built is retried and finally declined; until then the other legs wait for it.
    if (items.length < open.length && state === "intact") {
      await putOff(job, ...open.map(({ id }) => id));
      return null;
    }
    return await (state === "partial" ? loadOfRest(job, groupId, items) : loadOfAll(job, groupId, items, state));
  } catch (err) {
    await blame(job, open, err);
    return null;
  }
}

/** One leg has already moved, so the others are sent or declined individually, as in a batch. */
async function loadOfRest(job: RelayerJob, groupId: SettlementId, items: Item[]): Promise<Load | null> {
  const ready = await simulateTogether(job, items);
  // Without the settler, one leg is sent per round.
  const [first, ...tail] = (await hasSettler(job.chain)) ? ready : ready.slice(0, 1);
  if (!first) return null;
  return {
    items: [first, ...tail],
    holds: async (tx) => groupStateOf(await store.lockGroup(tx, groupId)) === "partial",
  };
}

async function loadOfAll(
  job: RelayerJob,
  groupId: SettlementId,
  items: Item[],
  state: "intact" | "failed",
): Promise<Load | null> {
  const settlements = items.map((item) => item.settlement);
  const results = await simulateItems(job, items);
  const refusals = results.map((result) => (result.ok ? null : meaningOf(result.reason)));
  const isFine = state === "intact" && refusals.every((refusal) => refusal === null);
  // A used leg may have moved, even if the token reports another reason first. The others must then follow.
  const spent = isFine ? [] : await job.chain.authorizationStates(settlements);
  const legs = settlements.map(({ id }, index): GroupLeg => {
    return { id, refusal: refusals[index] ?? null, isSpent: spent[index] ?? false };
  });
  const decision = decideGroup(legs, state);
  switch (decision.next) {
    case "send": {
      const [first, ...tail] = items;
      if (!first) return null;
      return {
        items: [first, ...tail],
        isAllOrNothing: true,
        holds: async (tx) => groupStateOf(await store.lockGroup(tx, groupId)) === "intact",
      };
    }
    case "wait":
      await putOff(job, ...settlements.map(({ id }) => id));
      return null;
    case "look_up":
      await putOff(job, ...settlements.map(({ id }) => id));
      for (const row of settlements.filter(({ id }) => decision.ids.includes(id))) await resolveUse(job, row);
      return null;
    case "end":
      await endTogether(job, groupId, decision.codes);
      return null;
    default:
      return decision satisfies never;
  }
}

/** Declines the open legs of a group, each with its code, unless a leg has moved or was sent since the group was picked. */
async function endTogether(job: RelayerJob, groupId: SettlementId, codes: Map<SettlementId, FailureCode>) {
  const { system, signer } = job;
  await system.db.transaction(async (tx) => {
    await assertLease(tx, job.lease);
    const legs = await store.lockGroup(tx, groupId);
    const open = legs.filter(isOpen);
    const isAsPicked = open.every(
      ({ id, state, ...row }) => codes.has(id) && state === "claimed" && row.signer === signer,
    );
    if (groupStateOf(legs) === "partial" || !isAsPicked) return;
    for (const code of new Set(codes.values())) {
      const ids = open.filter(({ id }) => codes.get(id) === code).map(({ id }) => id);
      await decline(tx, ids, code, system.now());
    }
  });
}
