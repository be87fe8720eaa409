import type { Subscriber } from "@/lib/platform/subscriber";
import * as store from "./store";

/** Marks spending wallets for reading after their payments, and invalidates readings of replaced blocks. */
export const subscriber: Subscriber = {
  transferred: async (tx, facts) => {
    const [first] = facts;
    if (!first) return;
    const payers = facts.map(({ from: address, block }) => ({ address, block: block.number }));
    await store.markPaid(tx, first.network, payers);
  },
  unwound: (tx, network, firstBlock) => store.unread(tx, network, firstBlock),
};
