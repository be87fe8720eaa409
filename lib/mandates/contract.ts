import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { hostText } from "@/lib/core/host-text";
import { amount, limitAmount, positiveAmount } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import { networkText } from "@/lib/x402/network-text";
import { DEFAULT_NETWORK, NETWORK_NAMES } from "@/lib/x402/networks";
import { signatureHex } from "@/lib/x402/schema";
import { mandateCursorText } from "./cursor";
import { mandateErrors } from "./errors";
import { hostList, intent, wholeSeconds } from "./intent";
import { mandateId, mandateView } from "./responses";
import { typedDataView } from "./typed-data";
import { vaultErrors } from "./vaults/errors";
import { fundingView, permitView, revocationView, signatureBody, vaultChange } from "./vaults/schemas";

const ok = z.literal("ok");
const agentStatus = z.enum(["ready", "needs_wallet_authorization"]);
const ofMandate = z.object({ mandateId });
const oneMandate = z.object({ status: ok, mandate: mandateView });
const { table } = mandateErrors;
const { table: vaultTable } = vaultErrors;
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
    authorizationUrl: z
      .string()
      .describe("Show it to the user, unchanged. signUrl of the mandate returns it again until the user has decided"),
    expiresAt: isoDate.meta({
      description: "When the mandate ends (validUntil). The user has 24 hours to sign it",
    }),
    agentStatus,
    /** The account that the agent is linked to. If it is not the user's: POST /api/agent/self/unlink. */
    ownerAddress: addressText.nullable(),
  }),
  errors: {
    ...only("currency_mismatch", "unsupported_network", "cap_exceeds_limit"),
    rate_limited: edgeErrors.table.rate_limited,
  },
});

export const unlinkSelf = endpoint({
  method: "POST",
  path: "/api/agent/self/unlink",
  stores: "nothing",
  summary: "Leave the linked owner, if that owner has signed nothing for the agent",
  auth: "agent",
  surface: "wallet",
  response: z.object({ status: ok, agentStatus, ownerAddress: z.null() }),
  errors: { agent_bound: agentErrors.table.agent_bound },
});

const PAGE_MAX = 200;
const PAGE_DEFAULT = 100;

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
    cursor: mandateCursorText.optional(),
  }),
  response: z.object({
    status: ok,
    agentStatus,
    mandates: z.array(mandateView),
    /** The `cursor` of the next page; null on the last page. */
    nextCursor: z.string().nullable(),
  }),
  errors: only("agent_not_authorized"),
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
    network: networkText.default(DEFAULT_NETWORK),
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
    uncovered: z
      .object({
        code: z.string(),
        message: z.string(),
        mandateId: mandateId.nullable(),
        authorizationUrl: z.string().nullable(),
      })
      .nullable()
      .describe(
        "If no mandate covers the payment: why. The code of the refusal by the mandate that comes closest, or mandate_not_found. If that mandate only waits for its signature: its authorizationUrl",
      ),
  }),
  errors: only("currency_mismatch"),
});

/** The fields are in `mandate` and at the top level, because clients differ in where they read them. */
export const getMandate = endpoint({
  method: "GET",
  path: "/api/mandates/agent/{mandateId}",
  summary: "One mandate with its remaining budget",
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
  work: 16,
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  body: z
    .object({
      limitAmount: limitAmount.optional(),
      validUntil: wholeSeconds.optional(),
      hostAllowlist: hostList.optional(),
      maxAmountPerPayment: limitAmount.nullable().optional(),
      /** Caps of a calendar day and month in UTC. They can be added, and afterwards only lowered. */
      maxAmountPerDay: limitAmount.nullable().optional(),
      maxAmountPerMonth: limitAmount.nullable().optional(),
      /** Unlike the limits, this can be switched either way until the mandate is signed. */
      confirmPayees: z.boolean({ error: "must be true or false" }).optional(),
      /** Terms of the vault, if the mandate is signed with one. They can be changed either way until then. */
      vault: vaultChange.optional(),
    })
    .refine(
      (body) => Object.values(body).some((member) => member !== undefined),
      "name one of limitAmount, validUntil, hostAllowlist, maxAmountPerPayment, maxAmountPerDay, maxAmountPerMonth, confirmPayees and vault",
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
  query: z
    .object({
      token: z.string({ error: "must be given once" }).max(200).optional(),
      mode: z.enum(["wallet", "vault"], { error: "must be wallet or vault" }).optional(),
      funding: z.enum(["now", "permit"], { error: "must be now or permit" }).optional(),
      /** What `funding=now` moves into the vault; by default the mandate's limit. */
      amount: limitAmount.optional(),
    })
    .refine(({ mode, funding }) => mode !== "vault" || funding !== undefined, {
      path: ["funding"],
      error: "must be now or permit",
    }),
  response: z.union([typedDataView, fundingView, permitView]),
  errors: {
    ...only("mandate_not_found", "mandate_not_claimed", "mandate_not_pending", "mandate_expired"),
    vault_unavailable: vaultTable.vault_unavailable,
    funding_exceeds_limit: vaultTable.funding_exceeds_limit,
    session_required: edgeErrors.table.session_required,
  },
});

export const signMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/signature",
  summary: "Sign a mandate",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  body: signatureBody,
  response: oneMandate,
  errors: {
    ...only("mandate_not_found", "mandate_not_pending", "mandate_expired", "mandate_changed", "signature_invalid"),
    rest_changed: table.rest_changed,
    vault_unavailable: vaultTable.vault_unavailable,
    vault_openings_used: vaultTable.vault_openings_used,
    insufficient_owner_funds: vaultTable.insufficient_owner_funds,
    funding_exceeds_limit: vaultTable.funding_exceeds_limit,
    funding_window: vaultTable.funding_window,
    mandate_not_claimed: table.mandate_not_claimed,
  },
});

export const rejectMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/reject",
  summary: "Reject a mandate",
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ token: z.string({ error: "must be the token of the authorizationUrl" }).max(200).optional() }),
  response: oneMandate,
  errors: only("mandate_not_found", "mandate_not_pending"),
});

export const revokeMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/revoke",
  summary: "Revoke a mandate permanently",
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ vaultSignature: signatureHex.optional() }),
  response: oneMandate,
  errors: {
    ...only("mandate_not_found", "mandate_not_pending", "signature_invalid"),
    mandate_has_no_vault: vaultTable.mandate_has_no_vault,
  },
});

export const getRevocation = endpoint({
  method: "GET",
  path: "/api/mandates/{mandateId}/revocation",
  summary: "The EIP-712 data that revokes a mandate's vault on the chain",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  response: revocationView,
  errors: { ...only("mandate_not_found"), mandate_has_no_vault: vaultTable.mandate_has_no_vault },
});

export const enableMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/enabled",
  summary: "Pause or resume a mandate. Resuming needs a signature of the owner's wallet, pausing does not",
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ isEnabled: z.boolean({ error: "must be true or false" }), ...withSignature.shape }),
  response: oneMandate,
  errors: { ...only("mandate_not_found", "mandate_not_active"), ...confirmErrors },
});
