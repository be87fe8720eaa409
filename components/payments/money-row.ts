import { soldTitle } from "@/components/links/words";
import type { BadgeTone } from "@/components/ui/badge";
import type { SaleView } from "@/lib/links/sales/contract";
import type { PaymentView } from "@/lib/payments/responses";
import type { SettlementView } from "@/lib/settlements/contract";
import { CREDITS, worthOn } from "@/lib/x402/credits";
import { DEFAULT_NETWORK, type NetworkName } from "@/lib/x402/networks";
import { canStillBePaid, failureWords } from "./failure-words";

export type SettledKind = "deposit" | "withdrawal" | "refund" | "payout" | "credits" | "received";

/** One row of a list of transfers: deposits, withdrawals, payments, refunds. */
export type MoneyRow = {
  id: string;
  /** The row's own page, if there is one. */
  href?: string | undefined;
  /** What was sold, which is untrusted text. */
  purpose?: string | undefined;
  /** The buyer's answers, which are untrusted texts. */
  answers?: readonly string[] | undefined;
  kind: SettledKind | VaultMovement["kind"] | "made";
  amount: bigint;
  network: NetworkName;
  /** The counterparty's address, or the service that was paid in credits. */
  party: string;
  isInCredits?: boolean | undefined;
  host: string | undefined;
  agentName: string | undefined;
  /** True if a vault paid, not the spending wallet. */
  isFromVault?: boolean | undefined;
  status: { tone: BadgeTone; label: string };
  /** Why no money moved, if this is certain. */
  reason: string | undefined;
  /** Why it is not settled and until when it still can be. */
  warning?: string | undefined;
  at: Date;
  receiptHref: string | undefined;
  txHash: string | undefined;
};

export function madeRow(
  payment: PaymentView,
  { agentName, settlementId }: { agentName: string; settlementId: string | null },
  isFromVault?: boolean,
): MoneyRow {
  const isInCredits = payment.network === CREDITS.network;
  return {
    id: payment.paymentRecordId,
    href: madeHref(payment.paymentRecordId),
    kind: "made",
    amount: worthOn(payment.network, payment.amount),
    network: payment.network === CREDITS.network ? DEFAULT_NETWORK : payment.network,
    isInCredits,
    party: payment.payTo,
    host: payment.host,
    agentName,
    isFromVault,
    status: MADE[payment.status],
    reason: NOT_MADE[payment.status],
    at: payment.createdAt,
    receiptHref: settlementId === null ? undefined : receiptHref(settlementId),
    txHash: payment.txHash ?? undefined,
  };
}

/** A deposit, a withdrawal, a refund, or a payment to one of the owner's agents. */
export function settlementRow(settlement: SettlementView, kind: SettledKind, agentName?: string): MoneyRow {
  const { settlementStatus: status, failureCode, stillValidUntil } = settlement;
  return {
    id: settlement.settlementId,
    kind,
    amount: settlement.amount,
    network: settlement.network,
    party: kind === "received" || kind === "deposit" ? settlement.payer : settlement.payee,
    host: undefined,
    agentName,
    status: stillValidUntil === null ? SETTLED[status] : DECLINED,
    warning: stillValidUntil ? `${failureWords(failureCode, kind)} ${canStillBePaid(stillValidUntil)}` : undefined,
    reason: status === "failed" ? failureWords(failureCode, kind) : undefined,
    at: settlement.createdAt,
    receiptHref: receiptHref(settlement.settlementId),
    txHash: settlement.txHash ?? undefined,
  };
}

type VaultMovement = Pick<MoneyRow, "amount" | "network" | "agentName"> & {
  kind: "vault_in" | "vault_out";
  mandateId: string;
  vault: string;
  occurredAt: Date;
};

/** A deposit into a vault, or what the vault sent back. */
export const vaultRow = ({
  kind,
  mandateId,
  network,
  vault,
  agentName,
  amount,
  occurredAt,
}: VaultMovement): MoneyRow => ({
  id: `${kind}-${mandateId}`,
  href: `/mandates/${mandateId}`,
  kind,
  amount,
  network,
  party: vault,
  host: undefined,
  agentName,
  status: SETTLED.settled,
  reason: undefined,
  at: occurredAt,
  receiptHref: undefined,
  txHash: undefined,
});

/** A payment to one of the owner's agents, with a page of its own. */
export function saleRow(sale: SaleView): MoneyRow {
  const { id, settlement, agentName, refunded, answers: buyerAnswers } = sale;
  return {
    ...settlementRow(settlement, "received", agentName),
    ...(refunded > 0n && { status: refunded >= settlement.amount ? REFUNDED : PARTLY_REFUNDED }),
    href: saleHref(id),
    purpose: soldTitle(sale) ?? undefined,
    answers: buyerAnswers.map(({ value }) => value),
  };
}

export const madeHref = (id: string) => `/dashboard/payments/${id}`;

const saleHref = (id: number) => `/dashboard/payments/${id}`;

export const receiptHref = (settlementId: string) => `/receipt/${settlementId}`;

/** True if the row can still change without an action of the owner. */
export const isOpen = (row: MoneyRow): boolean => row.status.tone === "info" || row.warning !== undefined;

type Status = MoneyRow["status"];

const REFUNDED = { tone: "neutral", label: "Refunded" } as const satisfies Status;
const PARTLY_REFUNDED = { tone: "good", label: "Partly refunded" } as const satisfies Status;

const MADE = {
  signed: { tone: "info", label: "Signed, not presented" },
  submitted: { tone: "info", label: "On its way" },
  settled: { tone: "good", label: "Settled" },
  expired: { tone: "neutral", label: "Not used" },
  cancelled: { tone: "neutral", label: "Cancelled" },
} satisfies Record<PaymentView["status"], Status>;

const NOT_MADE: Partial<Record<PaymentView["status"], string>> = {
  expired: "The agent did not use it in time. No money moved.",
  cancelled: "It can no longer be used. No money moved.",
};

const DECLINED = { tone: "warn", label: "Not settled" } as const satisfies Status;

const SETTLED = {
  pending: { tone: "info", label: "On its way" },
  settled: { tone: "good", label: "Settled" },
  failed: { tone: "bad", label: "Failed" },
} satisfies Record<SettlementView["settlementStatus"], Status>;
