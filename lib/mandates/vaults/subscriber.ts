import type { Subscriber } from "@/lib/platform/subscriber";
import * as operations from "./operation-store";
import * as returns from "./return-store";
import * as store from "./store";

/** Has vaults read again after transfers from or to them, and reverts the effects of replaced blocks. */
export const subscriber: Subscriber = {
  transferred: async (tx, facts) => {
    const [first] = facts;
    if (first) await store.markStale(tx, first.network, [...new Set(facts.flatMap(({ from, to }) => [from, to]))]);
  },
  unwound: async (tx, network, firstBlock) => {
    await store.unread(tx, network, firstBlock);
    await operations.reopen(tx, network, firstBlock);
    await returns.unwind(tx, network, firstBlock);
  },
};
