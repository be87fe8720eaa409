import type { ReactNode } from "react";
import type { Usdc } from "@/lib/core/usdc";
import type { Failure } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";

/** A request that waits. */
export type TogetherItem = {
  id: string;
  amount: Usdc;
  network: NetworkName;
  /** To whom: it follows the amount. */
  to: ReactNode;
  /** The same for the question before it is approved, with the address. */
  toInFull: ReactNode;
  hint: ReactNode;
  /** What it is for, in the words of others; null if nothing is said. */
  purpose: string | null;
  /** It asks for the same as one above: the same agent, amount and receiver. */
  isRepeat: boolean;
  /** Its own page, and the name of the link there. */
  href: string;
  linkLabel: string;
  /** Why it is decided on its own page only; null if it can be chosen here. */
  alone: string | null;
  /** Its page can be shown beside the list (Panes). */
  opensBeside?: boolean | undefined;
  isFirst: boolean;
};

/** What the owner's spending wallets hold; null while a chain does not respond. */
export type Balances = Readonly<Record<NetworkName, bigint | null>>;

export type TogetherKind = {
  one: "payment" | "payout" | "refund";
  many: string;
  path: `/${string}`;
  rejectPath: (id: string) => `/${string}`;
  /** The names of the ids in the call, and of the id in each result. */
  ids: string;
  id: string;
  /** What happens now, after the number of those approved. */
  afterwards: string;
  /** What each can and cannot do. */
  note: string;
  sentenceFor: (failure: Failure) => string;
};
