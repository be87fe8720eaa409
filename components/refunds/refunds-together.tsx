"use client";

import { Together } from "@/components/approvals/together";
import type { Balances, TogetherItem, TogetherKind } from "@/components/approvals/together-types";
import { usdcText } from "@/components/ui/format";
import { shorten } from "@/components/ui/shorten";
import { Time } from "@/components/ui/time";
import type { Usdc } from "@/lib/core/usdc";
import type { Failure } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";

/** Replaces the API's messages, which address programs, with advice for people. */
const sentenceFor = (failure: Failure): string => SENTENCES[failure.code] ?? failure.message;

const UNKNOWN = "We do not know whether this was done. Its page shows what we know; a refund is paid only once.";

const SENTENCES: Record<string, string> = {
  session_required: "Your session has ended. Sign in again.",
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

export type RefundsTogetherProps = { refunds: readonly WaitingRefund[]; balances: Balances };

export const RefundsTogether = ({ refunds, balances }: RefundsTogetherProps) => (
  <Together kind={KIND} items={refunds.map(toItem)} balances={balances} section={{ id: "refunds", title: "Refunds" }} />
);

const KIND: TogetherKind = {
  one: "refund",
  many: "refunds",
  path: "/api/refunds/approve",
  rejectPath: (id) => `/api/refunds/${id}/reject`,
  ids: "refundIds",
  id: "refundId",
  afterwards: "Approved refunds are on their way.",
  note: "Each refund goes to the address that paid, and the refunds of a payment together never exceed it. If one cannot be paid, the others are not affected. A refund cannot be reversed.",
  sentenceFor,
};

function toItem(refund: WaitingRefund, index: number, all: readonly WaitingRefund[]): TogetherItem {
  const { refundId, originalAmount, refundTo, reason, agentName, expiresAt, ...sharedFields } = refund;
  const payer = <span className="mono">{shorten(refundTo)}</span>;
  return {
    ...sharedFields,
    id: refundId,
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
    isRepeat: all.slice(0, index).some((above) => repeatKey(above) === repeatKey(refund)),
    alone: null,
    isFirst: false,
  };
}

const repeatKey = ({ agentName, network, refundTo, amount }: WaitingRefund): string =>
  [agentName, network, refundTo, amount].join(" ");
