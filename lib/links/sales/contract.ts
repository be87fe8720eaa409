import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { addressText, bytes32 } from "@/lib/core/address-text";
import { CSV, endpoint } from "@/lib/core/endpoint";
import { agentId, id } from "@/lib/core/id-text";
import type { AgentId } from "@/lib/core/ids";
import { formatUsdc, type Usdc, ZERO } from "@/lib/core/money";
import { addSeconds } from "@/lib/core/time";
import { utcDay } from "@/lib/core/time-text";
import { type SettlementView, toSettlementView, UNENDED } from "@/lib/settlements/contract";
import type { SettlementState } from "@/lib/settlements/tables";
import { linkErrors } from "../errors";
import type { BuyerAnswer } from "../orders/rules";
import { SALE_SOURCES, SALE_STATUSES, type SaleSource, type SaleStatus } from "../rules";
import type { Sale, SaleFilter } from "./service";

/** The filters of the payments page and of its CSV export. */
export const saleFilter = z.object({
  status: z.enum(SALE_STATUSES, "must be pending, settled, failed or refunded").optional(),
  link: id("link").optional(),
  agent: agentId.optional(),
  source: z.enum(SALE_SOURCES, "must be payment_link or upl").optional(),
  payer: addressText.optional(),
  tx: bytes32.optional(),
  from: utcDay.optional(),
  /** The last day, inclusive. */
  to: utcDay.optional(),
});
export type SaleQuery = z.output<typeof saleFilter>;

const STATES: Record<SaleStatus, readonly SettlementState[]> = {
  pending: UNENDED,
  settled: ["settled"],
  failed: ["void"],
  // lib/refunds narrows these to the refunded ones.
  refunded: ["settled"],
};

const DAY_SECONDS = 86_400;

export const filterOf = ({ status, link, agent, source, payer, tx, from, to }: SaleQuery): SaleFilter => ({
  agentId: agent,
  linkId: link,
  states: status && STATES[status],
  source,
  payer,
  txHash: tx,
  from,
  to: to && addSeconds(to, DAY_SECONDS),
});

export const downloadSales = endpoint({
  method: "GET",
  path: "/api/received-payments.csv",
  summary: "Payments the owner's agents received, newest first, as CSV",
  description:
    "The table of the dashboard's sales page, with the same filters, for bookkeeping. One line for each payment, with its transaction and what was refunded.",
  auth: "owner",
  surface: "wallet",
  query: saleFilter,
  limitPerAddress: "download_per_address",
  work: 500,
  response: CSV,
  errors: {
    agent_not_found: agentErrors.table.agent_not_found,
    LINK_NOT_FOUND: linkErrors.table.LINK_NOT_FOUND,
  },
});

/** One received payment, as shown in the dashboard. */
export type SaleView = {
  id: number;
  settlement: SettlementView;
  source: SaleSource;
  agentId: AgentId;
  agentName: string;
  link: Sale["link"];
  /** The link's title at the time of the sale. */
  title: string | null;
  /** How many were bought. */
  quantity: number;
  answers: readonly BuyerAnswer[];
  /** The sum of its paid refunds. */
  refunded: Usdc;
};

export const toSaleView = (
  { received, settlement, agentName, link }: Sale,
  baseUrl: string,
  refunded: Usdc = ZERO,
): SaleView => ({
  id: received.id,
  settlement: toSettlementView(settlement, baseUrl),
  source: received.source,
  agentId: received.agentId,
  agentName,
  link,
  title: received.title,
  quantity: received.quantity ?? 1,
  answers: received.answers ?? [],
  refunded,
});

/** The status of a sale: refunded once its refunds reach the full amount. */
export const saleStatus = ({ settlement: { settlementStatus, amount }, refunded }: SaleView): SaleStatus =>
  refunded >= amount ? "refunded" : settlementStatus;

export const SALE_COLUMNS = [
  "time",
  "id",
  "status",
  "link_title",
  "quantity",
  "answers",
  "amount_atomic",
  "amount",
  "currency",
  "network",
  "payer",
  "payee",
  "tx_hash",
  "source",
  "description",
  "link_id",
  "link_description",
  "agent_id",
  "agent_name",
  "settlement_id",
  "receipt_url",
  "refunded_atomic",
  "refunded",
  "failure_code",
  "still_valid_until",
  "reference",
  "metadata",
] as const;

/** A CSV row. `link_title` and `description`: as shown to the buyer; `link_description`: the link's current one. */
export const toCsvRow = (sale: SaleView): Record<(typeof SALE_COLUMNS)[number], unknown> => {
  const { settlement, link } = sale;
  return {
    time: settlement.createdAt.toISOString(),
    id: sale.id,
    status: saleStatus(sale),
    link_title: sale.title,
    quantity: sale.quantity,
    answers:
      sale.answers.length === 0 ? null : Object.fromEntries(sale.answers.map(({ name, value }) => [name, value])),
    amount_atomic: settlement.amount.toString(),
    amount: formatUsdc(settlement.amount),
    currency: "USDC",
    network: settlement.network,
    payer: settlement.payer,
    payee: settlement.payee,
    tx_hash: settlement.txHash,
    source: sale.source,
    description: settlement.description,
    link_id: link?.linkId,
    link_description: link?.description,
    agent_id: sale.agentId,
    agent_name: sale.agentName,
    settlement_id: settlement.settlementId,
    receipt_url: settlement.receiptUrl,
    refunded_atomic: sale.refunded.toString(),
    refunded: formatUsdc(sale.refunded),
    failure_code: settlement.failureCode,
    still_valid_until: settlement.stillValidUntil?.toISOString(),
    reference: link?.reference,
    metadata: link?.metadata,
  };
};
