import type { Address } from "@/lib/core/address";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { record } from "@/lib/platform/events";
import { assertLease } from "@/lib/platform/lease";
import type { Job } from "@/lib/platform/worker";
import { deniedAmong, OWNERS_LIST } from "@/lib/screening/service";
import * as store from "./store";

type Open = { reservationId: number; payee: Address };

/**
 * Records, once for each, that payments which were signed before their payee was listed can still settle: only the chain ends an
 * authorization. `listOf`: by default the owner's own list.
 */
export async function recordUnderWay(
  tx: Tx,
  open: readonly Open[],
  time: Date,
  listOf: (payee: Address) => string = () => OWNERS_LIST,
): Promise<void> {
  if (open.length === 0) return;
  const found = open.map(({ reservationId, payee }) => ({ reservationId, address: payee, list: listOf(payee) }));
  const denied = await store.addUnderWay(tx, found, time);
  await record(
    tx,
    time,
    ...denied.map(({ ownerId, agentId, list, payee, network, amount }) => ({
      type: "payee.denied_under_way",
      subject: payee,
      ownerId,
      agentId,
      meta: { list, network, amount },
    })),
  );
}

const PAUSE_MS = 5_000;
const IDLE_MS = 3_600_000;
/** How many payments are read and compared before other work has its turn. */
const AT_ONCE = 2_000;

/** Finds payments under way to addresses that the operator has listed since. Each process reads the lists on its own. */
export const deniedUnderWayJob = (system: System): Job => ({
  name: "denied-under-way",
  round: async (lease) => {
    if (system.config.screening.lists.length === 0) return IDLE_MS;
    for (let after = 0; ; ) {
      const open = await store.openPayees(system.db, after, AT_ONCE);
      const denied = await deniedAmong(system, [...new Set(open.map(({ payee }) => payee))]);
      const lists = new Map(denied.map(({ address, list }) => [address, list]));
      const found = open.filter(({ payee }) => lists.has(payee));
      if (found.length > 0)
        await system.db.transaction(async (tx) => {
          await assertLease(tx, lease);
          await recordUnderWay(tx, found, system.now(), (payee) => lists.get(payee) ?? "");
        });
      const last = open.at(-1);
      if (!last || open.length < AT_ONCE) return PAUSE_MS;
      after = last.reservationId;
    }
  },
});
