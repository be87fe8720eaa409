import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { type Address, addressText } from "@/lib/core/address";
import { endpoint } from "@/lib/core/endpoint";
import { hostText } from "@/lib/core/host";
import { agentId, type MandateId } from "@/lib/core/ids";
import { amount, formatUsdc, limitAmount, positiveAmount, ZERO } from "@/lib/core/money";
import { placeText, readPlace } from "@/lib/core/page";
import { isVisible, shownText } from "@/lib/core/shown";
import { isoDate, unixSeconds } from "@/lib/core/time";
import { NETWORK_NAMES, NETWORKS, networkText } from "@/lib/x402/networks";
import { signatureHex } from "@/lib/x402/schema";
import { mandateErrors } from "./errors";
import type { MandatePlace } from "./lists";
import { type Charge, type MandateGroup, type Refusal, remaining, statusOf } from "./rules";
import type { Mandate } from "./store";

/** Any text that could be an id: one that we never gave out is not found, like somebody else's. */
export const mandateId = z.custom<MandateId>(
  (value) => typeof value === "string" && /^[\w.:-]{1,100}$/.test(value),
  "must be a mandate id (mand_…)",
);

const HOSTS_MAX = 100;
const YEAR_SECONDS = 31_536_000;

const purpose = shownText({ max: 2000, hasLines: true, error: "must be the purpose of the mandate in words" }).refine(
  isVisible,
  "must say what the mandate is for",
);

/** An empty list means any host, as an absent one does: one live client always sends it. */
const hostList = z
  .array(hostText, { error: "must be a list of hosts" })
  .max(HOSTS_MAX, `must have at most ${HOSTS_MAX} hosts`)
  .nullable()
  .transform((hosts) => (hosts && hosts.length > 0 ? [...new Set(hosts)] : null));

/** The account signs whole seconds, so nothing finer may decide. */
const wholeSeconds = isoDate.transform((at) => new Date(Math.floor(at.getTime() / 1000) * 1000));

const intent = z.object(
  {
    naturalLanguage: purpose,
    category: shownText({ max: 64, error: "must be a short label" })
      .refine((text) => text === "" || isVisible(text), "must not be blank")
      .nullish()
      .transform((text) => text || null),
    currency: z.string({ error: "must be USDC" }).default("USDC"),
    network: z.string({ error: "must be a network's name" }).default("base"),
    limitAmount,
    maxAmountPerPayment: limitAmount.nullish().transform((cap) => cap ?? null),
    validForSeconds: z
      .int({ error: "must be an integer number of seconds" })
      .min(1, "must be at least 1")
      .max(YEAR_SECONDS, "must be at most 31536000, one year"),
    hostAllowlist: hostList.optional().transform((hosts) => hosts ?? null),
  },
  { error: "must be an object" },
);

export type Intent = z.output<typeof intent>;

export const mandateView = z.object({
  mandateId,
  agentId,
  status: z.enum(["draft", "pending_signature", "signed", "rejected", "revoked", "expired", "exhausted"]),
  isEnabled: z.boolean(),
  requestedBy: z.enum(["agent", "owner"]),
  naturalLanguage: z.string(),
  category: z.string().nullable(),
  currency: z.literal("USDC"),
  network: z.enum(NETWORK_NAMES),
  limitAmount: amount,
  limitAmountFormatted: z.string(),
  maxAmountPerPayment: amount.nullable(),
  spentAmount: amount,
  spentAmountFormatted: z.string(),
  pendingSpentAmount: amount,
  pendingSpentAmountFormatted: z.string(),
  remainingAmount: amount,
  remainingAmountFormatted: z.string(),
  validFrom: isoDate,
  validUntil: isoDate,
  /** Empty means any host. */
  hostAllowlist: z.array(z.string()),
  mandateHash: z.string().nullable(),
  signedAt: isoDate.nullable(),
  createdAt: isoDate,
  updatedAt: isoDate,
  detailsUrl: z.string(),
  signUrl: z.string(),
});

export type MandateView = z.output<typeof mandateView>;

export function presentMandate(m: Mandate, now: Date, baseUrl: string): MandateView {
  const left = remaining(m);
  return {
    mandateId: m.id,
    agentId: m.agentId,
    status: statusOf(m, now),
    isEnabled: m.isEnabled,
    requestedBy: m.requestedBy,
    naturalLanguage: m.naturalLanguage,
    category: m.category,
    currency: "USDC",
    network: m.network,
    limitAmount: m.limitAmount,
    limitAmountFormatted: formatUsdc(m.limitAmount),
    maxAmountPerPayment: m.maxAmountPerPayment,
    spentAmount: m.spentAmount,
    spentAmountFormatted: formatUsdc(m.spentAmount),
    pendingSpentAmount: m.pendingAmount,
    pendingSpentAmountFormatted: formatUsdc(m.pendingAmount),
    remainingAmount: left,
    remainingAmountFormatted: formatUsdc(left),
    validFrom: m.validFrom,
    validUntil: m.validUntil,
    hostAllowlist: m.hostAllowlist ?? [],
    mandateHash: m.mandateHash,
    signedAt: m.signedAt,
    createdAt: m.createdAt,
    updatedAt: m.updatedAt,
    detailsUrl: `${baseUrl}/mandates/${m.id}`,
    signUrl: signUrl(m.id, baseUrl),
  };
}

const signUrl = (id: MandateId, baseUrl: string) => `${baseUrl}/authorize/mandate/${id}`;

/** Where the user links the agent and signs. The token proves that the visitor got the address from the agent. */
export const authorizationUrl = (id: MandateId, token: string, baseUrl: string) =>
  `${signUrl(id, baseUrl)}?token=${token}`;

const PRIMER =
  "This wallet pays x402 requests out of mandates: budgets with a limit, an end and a list of hosts, each of which its user signs once. You cannot sign or widen one yourself.";

const INSTRUCTIONS = {
  mandate_not_signed:
    "Show the user the authorizationUrl that create-intent gave you (or signUrl, if they know this agent already), wait until GET /api/mandates/agent/{mandateId} says mandate.status signed, then repeat this payment.",
  mandate_revoked:
    "Do not retry. Ask the user whether a new mandate may be created with POST /api/mandates/create-intent.",
  mandate_disabled: "Do not retry until the user has resumed the mandate at detailsUrl.",
  mandate_expired: "Create a new mandate with POST /api/mandates/create-intent and show the user its authorizationUrl.",
  host_not_allowed:
    "Look for a mandate that covers this host with GET /api/mandates/eligible, or create one that names it. Do not pay another host instead.",
  mandate_payment_cap_exceeded:
    "Look for another mandate with GET /api/mandates/eligible, or create one. Do not split the payment.",
  mandate_insufficient_budget:
    "Look for another mandate with GET /api/mandates/eligible, or create one. Amounts pending for unused proofs come back after they expire.",
} as const satisfies Record<Refusal, string>;

const LAPSED =
  "This mandate was not signed in time and can no longer be. Create a new one with POST /api/mandates/create-intent";

/** What a refused agent is told besides the code: figures, addresses for its user, and the next step. */
export function explain(
  code: Refusal,
  m: Mandate,
  charge: Pick<Charge, "amount" | "host">,
  now: Date,
  baseUrl: string,
) {
  const isLapsed = code === "mandate_not_signed" && statusOf(m, now) === "expired";
  const context = (instructions: string) => ({ payment_model_context: { primer: PRIMER, instructions } });
  switch (code) {
    case "mandate_not_signed": {
      const url = signUrl(m.id, baseUrl);
      if (m.state === "rejected")
        return { message: "The user declined this mandate", ...context(INSTRUCTIONS.mandate_revoked) };
      if (isLapsed) return { message: LAPSED, ...context(INSTRUCTIONS.mandate_expired) };
      return { signUrl: url, authorizationUrl: url, ...context(INSTRUCTIONS[code]) };
    }
    case "mandate_disabled":
      return { detailsUrl: `${baseUrl}/mandates/${m.id}`, ...context(INSTRUCTIONS[code]) };
    case "host_not_allowed":
      return { hostAllowlist: m.hostAllowlist ?? [], host: charge.host, ...context(INSTRUCTIONS[code]) };
    case "mandate_payment_cap_exceeded":
      return { maxAmountPerPayment: m.maxAmountPerPayment?.toString(), ...context(INSTRUCTIONS[code]) };
    case "mandate_insufficient_budget":
      return {
        message: `The mandate has ${formatUsdc(remaining(m))} USDC left and this payment needs ${formatUsdc(charge.amount)}`,
        remainingAmount: remaining(m).toString(),
        ...context(INSTRUCTIONS[code]),
      };
    case "mandate_revoked":
    case "mandate_expired":
      return context(INSTRUCTIONS[code]);
    default:
      return code satisfies never;
  }
}

export const SPENDING_MANDATE_TYPES = {
  SpendingMandate: [
    { name: "mandateId", type: "string" },
    { name: "agentId", type: "string" },
    { name: "owner", type: "address" },
    { name: "wallet", type: "address" },
    { name: "asset", type: "address" },
    { name: "limitAmount", type: "uint256" },
    { name: "maxAmountPerPayment", type: "uint256" },
    { name: "validFrom", type: "uint64" },
    { name: "validUntil", type: "uint64" },
    { name: "hostAllowlist", type: "string[]" },
    { name: "category", type: "string" },
    { name: "naturalLanguage", type: "string" },
  ],
} as const;

/** uint64 seconds, as text on the wire. */
const seconds = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String });

export const typedDataView = z.object({
  domain: z.object({ name: z.string(), version: z.string(), chainId: z.number() }),
  types: z.object({ SpendingMandate: z.array(z.object({ name: z.string(), type: z.string() })).readonly() }),
  primaryType: z.literal("SpendingMandate"),
  message: z.object({
    mandateId: z.string(),
    agentId: z.string(),
    owner: addressText,
    wallet: addressText,
    asset: addressText,
    limitAmount: amount,
    maxAmountPerPayment: amount,
    validFrom: seconds,
    validUntil: seconds,
    hostAllowlist: z.array(z.string()),
    category: z.string(),
    naturalLanguage: z.string(),
  }),
});

/**
 * The EIP-712 data an owner signs. What the columns say with null is written as EIP-712 can: no cap on one payment is 0,
 * any host is the empty list, no category is the empty string. On the wire integers are decimal strings (JSON has no bigint).
 */
export const typedDataOf = (m: Mandate, owner: Address, wallet: Address) => ({
  domain: { name: "Agent Spending Mandate", version: "1", chainId: NETWORKS[m.network].chainId },
  types: SPENDING_MANDATE_TYPES,
  primaryType: "SpendingMandate" as const,
  message: {
    mandateId: m.id,
    agentId: m.agentId,
    owner,
    wallet,
    asset: NETWORKS[m.network].usdc,
    limitAmount: m.limitAmount,
    maxAmountPerPayment: m.maxAmountPerPayment ?? ZERO,
    validFrom: BigInt(unixSeconds(m.validFrom)),
    validUntil: BigInt(unixSeconds(m.validUntil)),
    hostAllowlist: m.hostAllowlist ?? [],
    category: m.category ?? "",
    naturalLanguage: m.naturalLanguage,
  },
});

export type MandateTypedData = ReturnType<typeof typedDataOf>;

const ok = z.literal("ok");
const agentStatus = z.enum(["ready", "needs_wallet_authorization"]);
const ofMandate = z.object({ mandateId });
const oneMandate = z.object({ status: ok, mandate: mandateView });
const { table } = mandateErrors;
const { agent_linked_elsewhere } = agentErrors.table;
const only = <K extends keyof typeof table>(...codes: K[]) =>
  Object.fromEntries(codes.map((code) => [code, table[code]])) as Pick<typeof table, K>;

export const createIntent = endpoint({
  method: "POST",
  path: "/api/mandates/create-intent",
  summary: "Propose a mandate for the user to sign",
  auth: "agent",
  surface: "wallet",
  body: z.object({ intent }),
  response: z.object({
    status: ok,
    mandateId,
    authorizationUrl: z.string(),
    expiresAt: isoDate,
    agentStatus,
    /** The account that the agent is linked to. If it is not its user's: POST /api/agent/self/unlink. */
    ownerAddress: addressText.nullable(),
  }),
  errors: only("currency_mismatch", "unsupported_network", "cap_exceeds_limit"),
});

export const unlinkSelf = endpoint({
  method: "POST",
  path: "/api/agent/self/unlink",
  summary: "Leave the owner that the agent is linked to, while that owner has signed nothing for it",
  auth: "agent",
  surface: "wallet",
  response: z.object({ status: ok, agentStatus, ownerAddress: z.null() }),
  errors: { agent_bound: agentErrors.table.agent_bound },
});

const PAGE_MAX = 200;
const PAGE_DEFAULT = 100;

const CURSOR = /^(active|paused|waiting|ended)\.(.+)$/;

/** A place in a list of mandates as a text for an address, and back; null when it is none. */
export const mandatePlaceText = ({ group, ...place }: MandatePlace): string => `${group}.${placeText(place)}`;

export function readMandatePlace(text: string): MandatePlace | null {
  const [, group, rest = ""] = CURSOR.exec(text) ?? [];
  const place = readPlace(rest);
  return place && { ...place, group: group as MandateGroup };
}

const mandateCursor = z.codec(
  z
    .string({ error: "must be given once" })
    .refine((text) => readMandatePlace(text) !== null, "must be the nextCursor of a list"),
  z.custom<MandatePlace>(),
  // Refined above: it is a place.
  { decode: (text) => readMandatePlace(text) as MandatePlace, encode: mandatePlaceText },
);

export const listMandates = endpoint({
  method: "GET",
  path: "/api/mandates",
  summary: "The agent's mandates: those it can pay with first, then paused, waiting and ended ones",
  auth: "agent",
  surface: "wallet",
  query: z.object({
    limit: z
      .string({ error: "must be given once" })
      .regex(/^[1-9]\d{0,2}$/, `must be a number from 1 to ${PAGE_MAX}`)
      .transform(Number)
      .refine((count) => count <= PAGE_MAX, `must be a number from 1 to ${PAGE_MAX}`)
      .default(PAGE_DEFAULT),
    cursor: mandateCursor.optional(),
  }),
  response: z.object({
    status: ok,
    agentStatus,
    mandates: z.array(mandateView),
    /** Give it as `cursor` for the next page; null on the last one. */
    nextCursor: z.string().nullable(),
  }),
  errors: {},
});

export const listEligible = endpoint({
  method: "GET",
  path: "/api/mandates/eligible",
  summary: "Mandates that cover a payment",
  auth: "agent",
  surface: "wallet",
  query: z.object({
    host: hostText,
    amount: positiveAmount,
    currency: z.string({ error: "must be given once" }).default("USDC"),
    network: networkText.default("base"),
  }),
  response: z.object({
    status: ok,
    criteria: z.object({
      host: z.string(),
      amount,
      currency: z.literal("USDC"),
      network: z.enum(NETWORK_NAMES),
    }),
    eligibleMandates: z.array(mandateView),
  }),
  errors: only("currency_mismatch"),
});

/** The fields stand twice: live clients read `mandate`, a reader of the bare object finds them too. */
export const getMandate = endpoint({
  method: "GET",
  path: "/api/mandates/agent/{mandateId}",
  summary: "One mandate with what is left of it now",
  auth: "agent",
  surface: "wallet",
  params: ofMandate,
  response: mandateView.extend({ status: ok, mandate: mandateView }),
  errors: only("mandate_not_found"),
});

export const claimMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/claim",
  summary: "Link the agent of a draft to the signed-in owner",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ token: z.string({ error: "must be the token of the authorizationUrl" }).max(200).optional() }),
  response: oneMandate,
  errors: { ...only("mandate_not_found", "mandate_not_pending", "mandate_expired"), agent_linked_elsewhere },
});

export const narrowMandate = endpoint({
  method: "PATCH",
  path: "/api/mandates/{mandateId}",
  summary: "Narrow a mandate before signing it",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  body: z
    .object({
      limitAmount: limitAmount.optional(),
      validUntil: wholeSeconds.optional(),
      hostAllowlist: hostList.optional(),
      maxAmountPerPayment: limitAmount.nullable().optional(),
    })
    .refine(
      (body) => Object.values(body).some((member) => member !== undefined),
      "name one of limitAmount, validUntil, hostAllowlist and maxAmountPerPayment",
    ),
  response: oneMandate,
  errors: only(
    "mandate_not_found",
    "mandate_not_pending",
    "mandate_expired",
    "limit_not_narrower",
    "validity_not_narrower",
    "validity_in_the_past",
    "hosts_not_narrower",
    "cap_not_narrower",
    "cap_exceeds_limit",
  ),
});

export const getTypedData = endpoint({
  method: "GET",
  path: "/api/mandates/{mandateId}/typed-data",
  summary: "The EIP-712 data to sign",
  auth: "visitor",
  surface: "wallet",
  params: ofMandate,
  query: z.object({ token: z.string({ error: "must be given once" }).max(200).optional() }),
  response: typedDataView,
  errors: only("mandate_not_found", "mandate_not_claimed"),
});

export const signMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/signature",
  summary: "Sign a mandate",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ signature: signatureHex }),
  response: oneMandate,
  errors: only("mandate_not_found", "mandate_not_pending", "mandate_expired", "mandate_changed", "signature_invalid"),
});

export const rejectMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/reject",
  summary: "Decline a mandate",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ token: z.string({ error: "must be the token of the authorizationUrl" }).max(200).optional() }),
  response: oneMandate,
  errors: only("mandate_not_found", "mandate_not_pending"),
});

export const revokeMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/revoke",
  summary: "End a mandate for good",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  response: oneMandate,
  errors: only("mandate_not_found", "mandate_not_pending"),
});

export const enableMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/enabled",
  summary: "Pause or resume a mandate",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ isEnabled: z.boolean({ error: "must be true or false" }) }),
  response: oneMandate,
  errors: only("mandate_not_found", "mandate_not_active"),
});
