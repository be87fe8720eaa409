import { z } from "zod";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import type { Address } from "@/lib/core/address";
import { addressText } from "@/lib/core/address-text";
import { CSV, endpoint } from "@/lib/core/endpoint";
import { agentId } from "@/lib/core/id-text";
import { PAYMENT_SCANS } from "@/lib/core/scans";
import { shownName } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import type { PastEvent } from "@/lib/platform/events";
import * as sample from "@/lib/samples";
import { agentErrors } from "./errors";
import type { agents } from "./tables";

export { isOfKind } from "./rules";

const { agent_not_found, nothing_signed_yet, rate_limited, receiving_address_refused } = agentErrors.table;

const agentName = shownName();

const agentItem = z.object({
  agentId: z.string(),
  name: z.string(),
  clientInfo: z.string(),
  createdAt: isoDate,
  linkedAt: isoDate.nullable(),
  /** null: the owner's spending wallet. */
  receivingAddress: addressText.nullable(),
  /** The address that its UPL currently pays, on Base. */
  effectiveReceivingAddress: addressText,
  uplUrl: z.string(),
  /** Which scan verdicts refuse its payments. */
  paymentScan: z.enum(PAYMENT_SCANS),
  /** Whether its owner has signed or approved something for it. Until then it can unlink itself. */
  isBound: z.boolean(),
  /** Whether the agent was paid while linked. Deleting an agent that is neither bound nor paid only unlinks it. */
  hasSold: z.boolean(),
});

export type AgentItem = z.output<typeof agentItem>;

const ok = z.literal("ok");
const params = z.object({ agentId });

export const listAgents = endpoint({
  method: "GET",
  path: "/api/agents",
  summary: "The signed-in owner's agents",
  description: "Deleted agents are not in it. `isBound` and `hasSold` say what deleting one would mean.",
  auth: "owner",
  surface: "wallet",
  response: z.object({ status: ok, agents: z.array(agentItem) }),
  errors: {},
  example: { responses: { 200: { ...sample.OK, agents: [sample.agent] } } },
});

export const createOwnedAgent = endpoint({
  method: "POST",
  path: "/api/agents",
  summary: "Create an agent that belongs to the signed-in owner from the start. Its token is in this response only",
  description:
    "It can sell at once: create payment links for it with `POST /api/agents/{agentId}/payment-links`. To spend, it needs a mandate like any other agent.",
  auth: "owner",
  surface: "wallet",
  body: z.object({ name: agentName }, { error: "must be an object" }),
  response: {
    201: z.object({
      status: ok,
      agent: agentItem,
      /** Shown once. */
      token: z.string(),
    }),
  },
  errors: { rate_limited },
  example: {
    request: { name: "Research agent" },
    responses: { 201: { ...sample.OK, agent: sample.agent, token: sample.TOKEN } },
  },
});

export const updateAgent = endpoint({
  method: "PATCH",
  path: "/api/agents/{agentId}",
  summary:
    "Rename an agent, set the address it is paid at (null: the owner's spending wallet), or set whether its payments are scanned first. A receiving address that is not the owner's own, and a scan that refuses less, need a signature",
  description:
    "A new receiving address is for payments that begin later. One that is not the owner's, and a `paymentScan` that refuses less, need a signature. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
  work: 14,
  auth: "owner",
  surface: "wallet",
  params,
  body: z.object({
    name: agentName.optional(),
    receivingAddress: addressText.nullable().optional(),
    paymentScan: z.enum(PAYMENT_SCANS, { error: "must be off, block or review" }).optional(),
    ...withSignature.shape,
  }),
  response: z.object({ status: ok, agent: agentItem }),
  errors: { agent_not_found, receiving_address_refused, ...confirmErrors },
  example: {
    request: { name: "Research agent", paymentScan: "block" },
    responses: { 200: { ...sample.OK, agent: { ...sample.agent, paymentScan: "block" } } },
  },
});

export const deleteAgent = endpoint({
  method: "DELETE",
  path: "/api/agents/{agentId}",
  summary:
    "Delete an agent: its UPL returns 404 and its login JWTs are refused from now on. If nothing was signed for it and it was never paid, it is only unlinked",
  description:
    "Nothing more is signed for it, but proofs that were signed before can still be paid until they expire. A deletion cannot be undone; an agent that is only unlinked can be linked again.",
  auth: "owner",
  surface: "wallet",
  params,
  response: z.object({
    status: ok,
    agentId: z.string(),
    /** False if the agent was only unlinked: nothing was signed for it and it was not paid. */
    isDeleted: z.boolean(),
  }),
  errors: { agent_not_found },
  example: { responses: { 200: { ...sample.OK, agentId: sample.AGENT, isDeleted: true } } },
});

export const rotateAgentToken = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/token",
  work: 40,
  stores: "nothing",
  summary:
    "Create a new permanent token for an agent, with a signature of the owner's wallet; the old one stays valid for ten minutes or is revoked at once",
  description:
    "For an owner whose agent lost its token, or whose token may have leaked: then send `revokeOld: true`. Only after the owner has signed or approved something for the agent. After 403 `signature_required` sign its `typedData` with the owner's wallet and send the same body with `signature`.",
  auth: "owner",
  surface: "wallet",
  params,
  body: z.object(
    {
      /** If true, the old token and every login JWT issued before now are refused from now on. */
      revokeOld: z.boolean({ error: "must be true or false" }).default(false),
      ...withSignature.shape,
    },
    { error: "must be an object" },
  ),
  response: z.object({
    status: ok,
    agentId: z.string(),
    /** Shown once. */
    token: z.string(),
    oldTokenUntil: isoDate.nullable(),
  }),
  errors: { agent_not_found, nothing_signed_yet, ...confirmErrors, rate_limited },
  example: {
    request: { revokeOld: false },
    responses: { 200: { ...sample.OK, agentId: sample.AGENT, token: sample.TOKEN, oldTokenUntil: sample.UPDATED } },
  },
});

export const eventKind = z.enum(
  ["mandate", "money", "link", "credential", "agent", "webhook", "facilitator", "owner"],
  {
    error: "must be mandate, money, link, credential, agent, webhook, facilitator or owner",
  },
);

const activityFilter = z.object({
  agent: agentId.optional(),
  kind: eventKind.optional(),
  type: z
    .string()
    .regex(/^[A-Za-z_]{1,40}(\.[A-Za-z_]{1,40})?$/, 'must be the type of an event, for example "mandate.signed"')
    .optional(),
});

export type ActivityFilter = z.output<typeof activityFilter>;

export const downloadActivity = endpoint({
  method: "GET",
  path: "/api/activity.csv",
  summary: "Events of the owner and their agents, newest first, as CSV",
  description:
    "The table of the dashboard's activity page, with the same filters: what agents did, what the owner decided, and what moved.",
  auth: "owner",
  surface: "wallet",
  query: activityFilter,
  limitPerAddress: "download_per_address",
  work: 150,
  response: CSV,
  errors: { agent_not_found },
});

export const ACTIVITY_COLUMNS = ["time", "type", "agent_id", "agent_name", "subject", "details", "id"] as const;

export const toCsvRow = (
  event: PastEvent & { agentName: string | null },
): Record<(typeof ACTIVITY_COLUMNS)[number], unknown> => ({
  time: event.createdAt.toISOString(),
  type: event.type,
  agent_id: event.agentId,
  agent_name: event.agentName,
  subject: event.subject,
  details: event.meta,
  id: event.id,
});

export const toAgentItem = (
  { agent, receiver }: { agent: typeof agents.$inferSelect; receiver: Address },
  baseUrl: string,
): AgentItem => ({
  agentId: agent.id,
  name: agent.name,
  clientInfo: agent.clientInfo,
  createdAt: agent.createdAt,
  linkedAt: agent.linkedAt,
  receivingAddress: agent.receivingAddress,
  effectiveReceivingAddress: receiver,
  uplUrl: `${baseUrl}/unifypaymentlink/agentid/${agent.id}`,
  paymentScan: agent.paymentScan,
  isBound: agent.boundAt !== null,
  hasSold: agent.soldAt !== null,
});
