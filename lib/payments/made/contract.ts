import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { CSV, endpoint } from "@/lib/core/endpoint";
import { hostText } from "@/lib/core/host-text";
import { agentId } from "@/lib/core/id-text";
import { addSeconds } from "@/lib/core/time";
import { utcDay } from "@/lib/core/time-text";
import { mandateErrors } from "@/lib/mandates/errors";
import { mandateId } from "@/lib/mandates/responses";
import type { ReservationState } from "@/lib/mandates/tables";
import { receiptUrl } from "@/lib/settlements/contract";
import type { AgentPayment, MadeFilter } from "../history";
import { toPaymentView } from "../responses";

export const MADE_STATUSES = ["open", "settled", "ended"] as const;
export type MadeStatus = (typeof MADE_STATUSES)[number];

/** The filters of the list of payments made and of its CSV. */
export const madeFilter = z.object({
  status: z.enum(MADE_STATUSES, "must be open, settled or ended").optional(),
  agent: agentId.optional(),
  mandate: mandateId.optional(),
  host: hostText.optional(),
  /** The first and the last day in UTC, inclusive. */
  from: utcDay.optional(),
  to: utcDay.optional(),
});
export type MadeQuery = z.output<typeof madeFilter>;

const STATES = { open: "open", settled: "committed", ended: "released" } as const satisfies Record<
  MadeStatus,
  ReservationState
>;

const DAY_SECONDS = 86_400;

export const filterOf = ({ status, agent, mandate, host, from, to }: MadeQuery): MadeFilter => ({
  agentId: agent,
  mandateId: mandate,
  host,
  states: status && [STATES[status]],
  from,
  to: to && addSeconds(to, DAY_SECONDS),
});

export const downloadMade = endpoint({
  method: "GET",
  path: "/api/wallet/payments.csv",
  summary: "Payments that the owner's agents made, newest first, as CSV",
  description:
    "The payments of the dashboard's payments page, with the same filters, one line for each payment. Amounts are in atomic units and formatted. For the signed-in owner only.",
  auth: "owner",
  surface: "wallet",
  query: madeFilter,
  limitPerAddress: "download_per_address",
  work: 450,
  response: CSV,
  errors: {
    agent_not_found: agentErrors.table.agent_not_found,
    mandate_not_found: mandateErrors.table.mandate_not_found,
  },
});

export const MADE_COLUMNS = [
  "time",
  "payment_id",
  "status",
  "amount_atomic",
  "amount",
  "currency",
  "network",
  "payer",
  "payee",
  "host",
  "resource",
  "description",
  "agent_id",
  "agent_name",
  "mandate_id",
  "settled",
  "tx_hash",
  "settlement_id",
  "receipt_url",
  "valid_before",
] as const;

export function madeLine(
  { payment, agentName, settlementId }: AgentPayment,
  baseUrl: string,
): Record<(typeof MADE_COLUMNS)[number], unknown> {
  const view = toPaymentView(payment);
  return {
    time: view.createdAt.toISOString(),
    payment_id: view.paymentRecordId,
    status: view.status,
    amount_atomic: view.amount.toString(),
    amount: view.amountFormatted,
    currency: view.currency,
    network: view.network,
    payer: view.from,
    payee: view.payTo,
    host: view.host,
    resource: view.resource,
    description: view.description,
    agent_id: payment.agentId,
    agent_name: agentName,
    mandate_id: view.mandateId,
    settled: view.settledAt?.toISOString(),
    tx_hash: view.txHash,
    settlement_id: settlementId,
    receipt_url: settlementId && receiptUrl(baseUrl, settlementId),
    valid_before: view.validBefore,
  };
}
