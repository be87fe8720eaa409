"use client";

import { sentenceFor } from "@/components/mandates/words";
import { decideHref, sentenceFor as payoutSentenceFor } from "@/components/payouts/words";
import { usdcText } from "@/components/ui/format";
import { shorten } from "@/components/ui/shorten";
import { Time } from "@/components/ui/time";
import type { Usdc } from "@/lib/core/usdc";
import type { Failure } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";
import { Together } from "./together";
import type { Balances, Left, TogetherItem, TogetherKind } from "./together-types";

/**
 * A payment that waits for approval. `isLookalike`: the address resembles a known one, so the owner must compare it on the payment's page.
 */
export type WaitingPayment = {
  approvalId: string;
  amount: Usdc;
  network: NetworkName;
  host: string;
  payTo: string;
  /** The payee's description, as passed on by the agent. */
  description: string;
  agentId: string;
  agentName: string;
  expiresAt: Date;
  isFirst: boolean;
  isLookalike: boolean;
};

export type PaymentsTogetherProps = { payments: readonly WaitingPayment[] } & Left;

export const PaymentsTogether = ({ payments, ...left }: PaymentsTogetherProps) => (
  <Together kind={PAYMENTS} items={payments.map(paymentItem)} {...left} />
);

const PAYMENTS: TogetherKind = {
  one: "payment",
  many: "payments",
  path: "/api/approvals/approve",
  rejectPath: (id) => `/api/approvals/${id}/deny`,
  ids: "approvalIds",
  id: "approvalId",
  afterwards: "Your agents can now repeat their requests.",
  note: "Each payment can go only to its address, once, before it expires. If one cannot be approved, the others are not affected. A payment cannot be reversed.",
  sentenceFor,
};

function paymentItem(payment: WaitingPayment, index: number, all: readonly WaitingPayment[]): TogetherItem {
  const { approvalId, host, payTo, description, agentId, agentName, expiresAt, isLookalike, ...sharedFields } = payment;
  const address = <span className="mono">{shorten(payTo)}</span>;
  return {
    ...sharedFields,
    id: approvalId,
    agent: { id: agentId, name: agentName },
    to: <bdi>{host}</bdi>,
    toInFull: (
      <>
        <bdi className="font-medium text-ink">{host}</bdi>, at {address}
      </>
    ),
    hint: (
      <>
        <bdi>{agentName}</bdi>, to {address}, until <Time at={expiresAt} form="short" />
      </>
    ),
    href: `/authorize/payment/${approvalId}`,
    linkLabel: `See the payment of ${usdcText(sharedFields.amount)} to ${host}`,
    purpose: description === "" ? null : description,
    isRepeat: all.slice(0, index).some((above) => paymentRepeatKey(above) === paymentRepeatKey(payment)),
    alone: isLookalike ? "Looks like another address" : null,
    opensBeside: true,
  };
}

const paymentRepeatKey = ({ agentId, network, payTo, amount }: WaitingPayment): string =>
  [agentId, network, payTo, amount].join(" ");

/** A payout that waits for approval. `isLookalike`: an address resembles a known one, so the owner must compare it on the payout's page. */
export type WaitingPayout = {
  payoutRecordId: string;
  amount: Usdc;
  network: NetworkName;
  /** The recipients with the owner's names for them. */
  recipients: readonly { address: string; name: string | null }[];
  description: string;
  /** Null: the owner prepared it. */
  agent: TogetherItem["agent"];
  expiresAt: Date;
  isFirst: boolean;
  isLookalike: boolean;
};

type PayoutsTogetherProps = { payouts: readonly WaitingPayout[] } & Left;

export const PayoutsTogether = ({ payouts, ...left }: PayoutsTogetherProps) => (
  <Together kind={PAYOUTS} items={payouts.map(payoutItem)} section={SECTION} {...left} />
);

const SECTION = { id: "payouts", title: "Payouts", more: { href: "/dashboard/payouts", label: "All payouts" } };

/** Payouts with more recipients are reviewed on their own page: nobody compares so many addresses in a list. */
const RECIPIENTS_MAX = 5;

const PAYOUTS: TogetherKind = {
  one: "payout",
  many: "payouts",
  path: "/api/wallet/payouts/approve",
  rejectPath: (id) => `/api/wallet/payouts/${id}/deny`,
  ids: "payoutRecordIds",
  id: "payoutRecordId",
  afterwards: "Approved payouts are on their way.",
  note: "Each payout goes to its addresses only, once. If one cannot be paid, the others are not affected. A payout cannot be reversed.",
  sentenceFor: payoutSentenceFor,
};

function payoutItem(payout: WaitingPayout, index: number, all: readonly WaitingPayout[]): TogetherItem {
  const { payoutRecordId, recipients, description, expiresAt, isLookalike, ...sharedFields } = payout;
  const { agent } = payout;
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
        {agent === null ? "You created it" : <bdi>{agent.name}</bdi>}, until <Time at={expiresAt} form="short" />
      </>
    ),
    href: decideHref(payoutRecordId),
    linkLabel: `See the payout of ${usdcText(sharedFields.amount)}`,
    purpose: description === "" ? null : description,
    isRepeat: all.slice(0, index).some((above) => payoutRepeatKey(above) === payoutRepeatKey(payout)),
    alone: aloneFor(recipients.length, isLookalike),
  };
}

const payoutRepeatKey = ({ agent, network, amount, recipients }: WaitingPayout): string =>
  [agent?.id, network, amount, ...recipients.map(({ address }) => address)].join(" ");

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

/** Replaces the API's messages, which address programs, with advice for people. */
const refundSentenceFor = (failure: Failure): string => SENTENCES[failure.code] ?? failure.message;

const UNKNOWN = "We do not know whether this was done. Its page shows what we know; a refund is paid only once.";

const SENTENCES: Record<string, string> = {
  refund_not_found: "This refund no longer exists, or it belongs to another account.",
  refund_approved: "It is already approved: its transfer is under way or completed.",
  refund_cancelled: "It was rejected before. Nothing moved.",
  refund_expired: "It was not approved in time. Nothing moved.",
  insufficient_balance: "Your spending wallet holds too little. Nothing moved. Add money, then try again.",
  payment_not_final: "The chain can still reverse the payment. Nothing moved. Try again in a few minutes.",
  settlement_unknown: UNKNOWN,
  unavailable: UNKNOWN,
};

export type WaitingRefund = {
  refundId: string;
  amount: Usdc;
  originalAmount: Usdc;
  network: NetworkName;
  refundTo: string;
  /** The agent's text. */
  reason: string | null;
  agentName: string;
  expiresAt: Date;
};

type RefundsTogetherProps = { refunds: readonly WaitingRefund[]; balances: Balances };

export const RefundsTogether = ({ refunds, balances }: RefundsTogetherProps) => (
  <Together
    kind={REFUNDS}
    items={refunds.map(refundItem)}
    balances={balances}
    caps={NO_CAPS}
    section={{ id: "refunds", title: "Refunds" }}
  />
);

/** Refunds go back to buyers. */
const NO_CAPS: Left["caps"] = [];

const REFUNDS: TogetherKind = {
  one: "refund",
  many: "refunds",
  path: "/api/refunds/approve",
  rejectPath: (id) => `/api/refunds/${id}/reject`,
  ids: "refundIds",
  id: "refundId",
  afterwards: "Approved refunds are on their way.",
  note: "Each refund goes to the address that paid, and the refunds of a payment together never exceed it. If one cannot be paid, the others are not affected. A refund cannot be reversed.",
  sentenceFor: refundSentenceFor,
};

function refundItem(refund: WaitingRefund, index: number, all: readonly WaitingRefund[]): TogetherItem {
  const { refundId, originalAmount, refundTo, reason, agentName, expiresAt, ...sharedFields } = refund;
  const payer = <span className="mono">{shorten(refundTo)}</span>;
  return {
    ...sharedFields,
    id: refundId,
    agent: null,
    to: payer,
    toInFull: (
      <>
        {payer}, who paid {usdcText(originalAmount)}
      </>
    ),
    hint: (
      <>
        of {usdcText(originalAmount)} paid to <bdi>{agentName}</bdi>, until <Time at={expiresAt} form="short" />
      </>
    ),
    href: `/authorize/refund/${refundId}`,
    linkLabel: `See the refund of ${usdcText(sharedFields.amount)}`,
    purpose: reason,
    isRepeat: all.slice(0, index).some((above) => refundRepeatKey(above) === refundRepeatKey(refund)),
    alone: null,
    isFirst: false,
  };
}

const refundRepeatKey = ({ agentName, network, refundTo, amount }: WaitingRefund): string =>
  [agentName, network, refundTo, amount].join(" ");
