"use client";

import { sentenceFor } from "@/components/mandates/words";
import { usdcText } from "@/components/ui/format";
import { shorten } from "@/components/ui/shorten";
import { Time } from "@/components/ui/time";
import type { Usdc } from "@/lib/core/usdc";
import type { NetworkName } from "@/lib/x402/networks";
import { Together } from "./together";
import type { Balances, TogetherItem, TogetherKind } from "./together-types";

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

export type PaymentsTogetherProps = { payments: readonly WaitingPayment[]; balances: Balances };

export const PaymentsTogether = ({ payments, balances }: PaymentsTogetherProps) => (
  <Together kind={KIND} items={payments.map(toItem)} balances={balances} />
);

const KIND: TogetherKind = {
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

function toItem(payment: WaitingPayment, index: number, all: readonly WaitingPayment[]): TogetherItem {
  const {
    approvalId,
    host,
    payTo,
    description,
    agentId: _agentId,
    agentName,
    expiresAt,
    isLookalike,
    ...sharedFields
  } = payment;
  const address = <span className="mono">{shorten(payTo)}</span>;
  return {
    ...sharedFields,
    id: approvalId,
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
    isRepeat: all.slice(0, index).some((above) => repeatKey(above) === repeatKey(payment)),
    alone: isLookalike ? "Looks like another address" : null,
    opensBeside: true,
  };
}

const repeatKey = ({ agentId, network, payTo, amount }: WaitingPayment): string =>
  [agentId, network, payTo, amount].join(" ");
