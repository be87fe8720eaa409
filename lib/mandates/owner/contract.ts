import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { CSV, endpoint } from "@/lib/core/endpoint";
import { agentId, id } from "@/lib/core/id-text";
import { formatUsdc } from "@/lib/core/money";
import { cursorText, pageSize } from "@/lib/core/page";
import { shownText } from "@/lib/core/shown";
import { addSeconds } from "@/lib/core/time";
import { isoDate, utcDay } from "@/lib/core/time-text";
import type { PastEvent } from "@/lib/platform/events";
import * as sample from "@/lib/samples";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { mandateErrors } from "../errors";
import type { OwnedMandate, OwnersFilter } from "../lists";
import { mandateId } from "../responses";
import { MANDATE_GROUPS } from "../rules";

const TEXT_MAX = 200;

/** The filters of the mandates page and of its CSV. */
export const ownersFilter = z.object({
  status: z.enum(MANDATE_GROUPS, "must be active, paused, waiting or ended").optional(),
  agent: agentId.optional(),
  network: z.enum(NETWORK_NAMES, "must be base or base-sepolia").optional(),
  mode: z.enum(["wallet", "vault"], "must be wallet or vault").optional(),
  /** Searched in the purpose, the category and the hosts. */
  text: shownText({ max: TEXT_MAX, hasLines: true, error: "must be a text" }).optional(),
  /** The first and the last day of the request in UTC, inclusive. */
  from: utcDay.optional(),
  to: utcDay.optional(),
});
export type MandateQuery = z.output<typeof ownersFilter>;

const DAY_SECONDS = 86_400;

export const filterOf = ({ status, agent, text, to, ...filters }: MandateQuery): OwnersFilter => ({
  ...filters,
  group: status,
  agentId: agent,
  text: text?.trim() || undefined,
  to: to && addSeconds(to, DAY_SECONDS),
});

export const downloadMandates = endpoint({
  method: "GET",
  path: "/api/wallet/mandates.csv",
  summary: "The owner's mandates as CSV: active ones first, then paused, waiting and ended ones",
  description:
    "The table of the dashboard's mandates page, with the same filters, one line for each mandate. Amounts are in atomic units and formatted. For the signed-in owner only.",
  auth: "owner",
  surface: "wallet",
  query: ownersFilter,
  limitPerAddress: "download_per_address",
  work: 14,
  response: CSV,
  errors: { agent_not_found: agentErrors.table.agent_not_found },
});

const eventView = z.object({
  eventId: id("event"),
  type: z.string().describe("mandate.… or vault.…, as in webhooks"),
  createdAt: isoDate,
  data: z.record(z.string(), z.unknown()).describe("What the event's type says of it"),
});

export const listMandateEvents = endpoint({
  method: "GET",
  path: "/api/mandates/{mandateId}/events",
  summary: "What happened to a mandate and its vault, newest first; not the payments under it",
  description:
    "The proposal, its changes, the signature, pauses, the end, and what became of its vault. `data` depends on the type, as in the [webhooks](/docs/webhooks) of the same name. Payments are in `GET /api/payments` of the agent.",
  auth: "owner",
  surface: "wallet",
  params: z.object({ mandateId }),
  query: z.object({ limit: pageSize(20), cursor: cursorText.optional() }),
  response: z.object({ status: z.literal("ok"), events: z.array(eventView), nextCursor: z.string().nullable() }),
  errors: { mandate_not_found: mandateErrors.table.mandate_not_found },
  example: {
    responses: {
      200: {
        ...sample.OK,
        events: [
          {
            eventId: "evt_4Jc8Qm2Lk7Rz9TnV6yWb1PdX",
            type: "mandate.signed",
            createdAt: sample.CREATED,
            data: { limitAmount: "5000000" },
          },
        ],
        ...sample.LAST_PAGE,
      },
    },
  },
});

export const toEventView = ({ id: eventId, type, createdAt, meta }: PastEvent): z.output<typeof eventView> => ({
  // Made by newId("event").
  eventId: eventId as `evt_${string}`,
  type,
  createdAt,
  data: meta,
});

export const MANDATE_COLUMNS = [
  "created",
  "mandate_id",
  "status",
  "is_enabled",
  "agent_id",
  "agent_name",
  "purpose",
  "category",
  "currency",
  "network",
  "mode",
  "limit_atomic",
  "limit",
  "spent_atomic",
  "pending_atomic",
  "remaining_atomic",
  "remaining",
  "max_per_payment_atomic",
  "max_per_day_atomic",
  "max_per_month_atomic",
  "hosts",
  "confirms_payees",
  "valid_from",
  "valid_until",
  "signed",
  "mandate_hash",
] as const;

export const mandateLine = (m: OwnedMandate): Record<(typeof MANDATE_COLUMNS)[number], unknown> => ({
  created: m.createdAt.toISOString(),
  mandate_id: m.mandateId,
  status: m.status,
  is_enabled: m.isEnabled,
  agent_id: m.agentId,
  agent_name: m.agentName,
  purpose: m.naturalLanguage,
  category: m.category,
  currency: m.currency,
  network: m.network,
  mode: m.mode,
  limit_atomic: m.limitAmount.toString(),
  limit: formatUsdc(m.limitAmount),
  spent_atomic: m.spentAmount.toString(),
  pending_atomic: m.pendingSpentAmount.toString(),
  remaining_atomic: m.remainingAmount.toString(),
  remaining: formatUsdc(m.remainingAmount),
  max_per_payment_atomic: m.maxAmountPerPayment?.toString(),
  max_per_day_atomic: m.maxAmountPerDay?.toString(),
  max_per_month_atomic: m.maxAmountPerMonth?.toString(),
  hosts: m.hostAllowlist.join(" "),
  confirms_payees: m.confirmPayees,
  valid_from: m.validFrom.toISOString(),
  valid_until: m.validUntil.toISOString(),
  signed: m.signedAt?.toISOString(),
  mandate_hash: m.mandateHash,
});
