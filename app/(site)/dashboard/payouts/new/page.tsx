import type { Metadata } from "next";
import { NewPayout, type NewPayoutProps } from "@/components/payouts/new-payout";
import { shareInput } from "@/components/payouts/words";
import { SessionOver } from "@/components/site/connection";
import { formatUsdc } from "@/lib/core/money";
import { orNotFound } from "@/lib/http/found";
import { toAddressItem } from "@/lib/payouts/address-book/contract";
import * as book from "@/lib/payouts/address-book/service";
import { getOwnedPayout } from "@/lib/payouts/owner/contract";
import { get } from "@/lib/payouts/owner/service";
import type { PayoutView } from "@/lib/payouts/service";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import type { SearchParams } from "../../query";
import { ownerContext } from "../../viewer";

export const metadata: Metadata = { title: "New payout" };

type Props = { searchParams: SearchParams };

export default async function NewPayoutPage({ searchParams }: Props) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const { from, to } = await searchParams;
  const parsed = getOwnedPayout.params?.safeParse({ payoutRecordId: from });
  const [original, balances, entries] = await Promise.all([
    parsed?.success ? orNotFound(get(ctx, parsed.data.payoutRecordId)) : null,
    book.balances(ctx),
    book.list(ctx),
  ]);
  return (
    <NewPayout
      title={original ? "Duplicate a payout" : "New payout"}
      balances={balances.map(({ network, balance, available, reserved, pending }) => ({
        network,
        balance,
        available,
        reserved,
        pending,
      }))}
      book={entries.map(toAddressItem).map(({ address, name }) => ({ address, name }))}
      isDevnet={ctx.config.mode === "devnet"}
      start={original ? startOf(original) : { ...EMPTY, rows: typeof to === "string" ? [{ ...ROW, to }] : [] }}
    />
  );
}

const ROW = { to: "", amount: "", share: "" };
const EMPTY = { network: DEFAULT_NETWORK, mode: "amounts", total: "", description: "", bizId: "" } as const;

/** Repeats a payout without its reference, which would be refused as a duplicate. */
function startOf({ payout, legs }: PayoutView): NewPayoutProps["start"] {
  return {
    network: payout.network,
    mode: legs.some(({ leg }) => leg.shareBps !== null) ? "shares" : "amounts",
    total: formatUsdc(payout.amount),
    description: payout.agentId === null ? payout.description : "",
    bizId: "",
    rows: legs.map(({ leg }) => ({
      to: leg.toAddress,
      amount: formatUsdc(leg.amount),
      share: leg.shareBps === null ? "" : shareInput(leg.shareBps),
    })),
  };
}
