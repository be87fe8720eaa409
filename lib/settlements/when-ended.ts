import type { SettlementId } from "@/lib/core/ids";
import { batchedOn } from "@/lib/platform/batch";
import type { System } from "@/lib/platform/context";
import type { Hub } from "@/lib/platform/queue";
import * as store from "./store";

const RECHECK_MS = 1000;

type Wake = () => void;
/** Calls `wake` when the settlement may have ended. Returns what ends that. */
type Watch = (id: SettlementId, wake: Wake) => () => void;

const watches = new WeakMap<Hub, Watch>();

/** Finds a settlement, in one query with those that are looked up at the same time. */
export const findTogether = batchedOn(store.finder);

/** Resolves when the settlement may have ended, and after `ms` at the latest. */
export function whenEnded(system: Pick<System, "hub" | "db">, id: SettlementId, ms: number) {
  const watch = watches.get(system.hub) ?? openWatch(system);
  watches.set(system.hub, watch);
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    const timer = setTimeout(finish, ms);
    const unwatch = watch(id, finish);
    function finish() {
      clearTimeout(timer);
      unwatch();
      resolve();
    }
    cancel = finish;
  });
  return { promise, cancel };
}

/** One listener and one repeated query for all settlements that the requests of a process wait for. */
function openWatch({ hub, db }: Pick<System, "hub" | "db">): Watch {
  const waiting = new Map<SettlementId, Set<Wake>>();
  let timer: NodeJS.Timeout | null = null;

  const wakeAll = (id: SettlementId) => {
    for (const wake of [...(waiting.get(id) ?? [])]) wake();
  };
  const recheck = async () => {
    const ids = [...waiting.keys()];
    // When the query fails, each request looks again by itself, and answers by what it finds.
    const ended = await store.listEnded(db, ids).catch(() => ids);
    ended.forEach(wakeAll);
    timer = null;
    if (waiting.size > 0) start();
  };
  // A lost connection may have dropped the message.
  const start = () => {
    if (!timer) timer = setTimeout(recheck, RECHECK_MS).unref();
  };

  // The payload is an id that this service wrote.
  hub.on("settlement_ended", (id) => wakeAll(id as SettlementId));
  return (id, wake) => {
    const wakes = waiting.get(id) ?? new Set();
    waiting.set(id, wakes.add(wake));
    start();
    return () => {
      wakes.delete(wake);
      if (wakes.size === 0 && waiting.get(id) === wakes) waiting.delete(id);
    };
  };
}
