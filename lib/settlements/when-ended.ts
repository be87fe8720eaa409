import type { SettlementId } from "@/lib/core/ids";
import type { System } from "@/lib/platform/context";

/** Resolves on the hub's notification, or after `ms` in case a lost connection dropped it. */
export function whenEnded(system: Pick<System, "hub">, id: SettlementId, ms: number) {
  let cancel = () => {};
  const promise = new Promise<void>((resolve) => {
    const timer = setTimeout(finish, ms);
    const off = system.hub.on("settlement_ended", (ended) => ended === id && finish());
    function finish() {
      clearTimeout(timer);
      off();
      resolve();
    }
    cancel = finish;
  });
  return { promise, cancel };
}
