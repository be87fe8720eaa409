"use client";

import { Together } from "@/components/approvals/together";
import type { Balances, TogetherItem, TogetherKind } from "@/components/approvals/together-types";
import { usdcText } from "@/components/ui/format";
import { Time } from "@/components/ui/time";
import type { Usdc } from "@/lib/core/usdc";
import type { NetworkName } from "@/lib/x402/networks";
import { decideHref, sentenceFor } from "./words";

/** A payout that waits for approval. `isLookalike`: an address resembles a known one, so the owner must compare it on the payout's page. */
export type WaitingPayout = {
  payoutRecordId: string;
  amount: Usdc;
  network: NetworkName;
  /** The recipients with the owner's names for them. */
  recipients: readonly { address: string; name: string | null }[];
  description: string;
  /** Null: the owner prepared it. */
  agentName: string | null;
  expiresAt: Date;
  isFirst: boolean;
  isLookalike: boolean;
};

export type PayoutsTogetherProps = { payouts: readonly WaitingPayout[]; balances: Balances };

export const PayoutsTogether = ({ payouts, balances }: PayoutsTogetherProps) => (
  <Together kind={KIND} items={payouts.map(toItem)} balances={balances} section={SECTION} />
);

const SECTION = { id: "payouts", title: "Payouts", more: { href: "/dashboard/payouts", label: "All payouts" } };

/** Payouts with more recipients are reviewed on their own page: nobody compares so many addresses in a list. */
const RECIPIENTS_MAX = 5;

const KIND: TogetherKind = {
  one: "payout",
  many: "payouts",
  path: "/api/wallet/payouts/approve",
  rejectPath: (id) => `/api/wallet/payouts/${id}/deny`,
  ids: "payoutRecordIds",
  id: "payoutRecordId",
  afterwards: "Approved payouts are on their way.",
  note: "Each payout goes to its addresses only, once. If one cannot be paid, the others are not affected. A payout cannot be reversed.",
  sentenceFor,
};

function toItem(payout: WaitingPayout, index: number, all: readonly WaitingPayout[]): TogetherItem {
  const { payoutRecordId, recipients, description, agentName, expiresAt, isLookalike, ...sharedFields } = payout;
  return {
    ...sharedFields,
    id: payoutRecordId,
    to: <Names recipients={recipients} />,
    toInFull: (
      <span className="inline-grid gap-1">
        {recipients.map(({ address, name }) => (
          <span key={address}>
            {name !== null && <bdi className="mr-2 font-medium text-ink">{name}</bdi>}
            <span className="mono">{address}</span>
          </span>
        ))}
      </span>
    ),
    hint: (
      <>
        {agentName === null ? "You created it" : <bdi>{agentName}</bdi>}, until <Time at={expiresAt} form="short" />
      </>
    ),
    href: decideHref(payoutRecordId),
    linkLabel: `See the payout of ${usdcText(sharedFields.amount)}`,
    purpose: description === "" ? null : description,
    isRepeat: all.slice(0, index).some((above) => repeatKey(above) === repeatKey(payout)),
    alone: aloneFor(recipients.length, isLookalike),
  };
}

const repeatKey = ({ agentName, network, amount, recipients }: WaitingPayout): string =>
  [agentName, network, amount, ...recipients.map(({ address }) => address)].join(" ");

function aloneFor(count: number, isLookalike: boolean): string | null {
  if (isLookalike) return "Looks like another address";
  return count > RECIPIENTS_MAX ? `Pays ${count} addresses` : null;
}

/** Never shortens an address: address poisoning exploits shortened addresses. */
function Names({ recipients: [first, ...otherRecipients] }: Pick<WaitingPayout, "recipients">) {
  if (!first) return null;
  if (otherRecipients.length > 0) return <>{otherRecipients.length + 1} addresses</>;
  return first.name === null ? <span className="mono">{first.address}</span> : <bdi>{first.name}</bdi>;
}
