"use client";

import { Together } from "@/components/approvals/together";
import type { Balances, TogetherItem, TogetherKind } from "@/components/approvals/together-types";
import { usdcText } from "@/components/ui/format";
import { shorten } from "@/components/ui/shorten";
import { Time } from "@/components/ui/time";
import type { Usdc } from "@/lib/core/usdc";
import type { NetworkName } from "@/lib/x402/networks";
import { sentenceFor } from "./words";

export type WaitingRefund = {
  refundId: string;
  amount: Usdc;
  originalAmount: Usdc;
  network: NetworkName;
  refundTo: string;
  /** The agent's words. */
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
  afterwards: "What was approved is on its way.",
  note: "Each refund goes to the address that paid, and all refunds of a payment never exceed it. If one cannot be paid, the others are not affected. A refund cannot be reversed.",
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
