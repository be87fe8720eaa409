import type { ReactNode } from "react";
import type { Usdc } from "@/lib/core/usdc";
import type { Failure } from "@/lib/http/client";
import type { SpendingCapView } from "@/lib/mandates/caps/contract";
import type { NetworkName } from "@/lib/x402/networks";

/** A request that waits. */
export type TogetherItem = {
  id: string;
  amount: Usdc;
  network: NetworkName;
  /** Whose spending it is; null: what the owner's limits do not count. */
  agent: { id: string; name: string } | null;
  /** The receiver. Shown after the amount. */
  to: ReactNode;
  /** The receiver with the complete address, for the confirmation dialog. */
  toInFull: ReactNode;
  hint: ReactNode;
  /** The untrusted description; null if there is none. */
  purpose: string | null;
  /** True if an earlier item has the same agent, amount and receiver. */
  isRepeat: boolean;
  /** The request's own page, and the text of the link to it. */
  href: string;
  linkLabel: string;
  /** Why the request can be decided only on its own page; null if it can be chosen here. */
  alone: string | null;
  /** True if the page can be shown beside the list (Panes). */
  opensBeside?: boolean | undefined;
  isFirst: boolean;
};

/** What the owner's spending wallets have left: below zero if they promised more; null while a chain does not respond. */
export type Balances = Readonly<Record<NetworkName, bigint | null>>;

/** What is left for payments. `caps`: the owner's limits over what agents spend. */
export type Left = { balances: Balances; caps: readonly SpendingCapView[] };

export type TogetherKind = {
  one: "payment" | "payout" | "refund";
  many: string;
  path: `/${string}`;
  rejectPath: (id: string) => `/${string}`;
  /** `ids`: the field of the request body with the ids. `id`: the field with the id in each result. */
  ids: string;
  id: string;
  /** The sentence after the number of approved requests: what happens next. */
  afterwards: string;
  /** What an approved request can and cannot do. */
  note: string;
  sentenceFor: (failure: Failure) => string;
};
