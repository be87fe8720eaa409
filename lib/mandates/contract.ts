import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { confirmErrors, withSignature } from "@/lib/confirmations/contract";
import { addressText } from "@/lib/core/address-text";
import { endpoint } from "@/lib/core/endpoint";
import { hostText } from "@/lib/core/host-text";
import { amount, limitAmount, positiveAmount } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { CONTRACT_DOMAIN_TYPE, DOMAIN_TYPE } from "@/lib/x402/domain-type";
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

const proposedExample = { 200: { ...sample.OK, mandate: sample.proposedMandate } };

const fieldExample = (name: string, type: string) => ({ name, type });

export const createIntent = endpoint({
  method: "POST",
  path: "/api/mandates/create-intent",
  summary: "Propose a mandate for the user to sign",
  description:
    "Show `authorizationUrl` to the user, unchanged. Once they have signed, the agent can pay within the mandate without asking again. Nothing can be spent before; the user may narrow what you ask for. A proposal waits for 24 hours.",
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
  example: {
    request: { intent: { naturalLanguage: "Market data", limitAmount: "5000000", validForSeconds: 86_400 } },
    responses: {
      200: {
        ...sample.OK,
        mandateId: sample.MANDATE,
        authorizationUrl: `${sample.ORIGIN}/authorize/mandate/${sample.MANDATE}?token=Zk3pQ7vN`,
        expiresAt: sample.TOMORROW,
        agentStatus: "needs_wallet_authorization",
        ownerAddress: null,
      },
    },
  },
});

export const unlinkSelf = endpoint({
  method: "POST",
  path: "/api/agent/self/unlink",
  stores: "nothing",
  summary: "Leave the linked owner, if that owner has signed nothing for the agent",
  description:
    "For an agent that was linked to the wrong person. It is refused as soon as that owner has signed or approved something for it. Then propose a mandate again, for the right one.",
  auth: "agent",
  surface: "wallet",
  response: z.object({ status: ok, agentStatus, ownerAddress: z.null() }),
  errors: { agent_bound: agentErrors.table.agent_bound },
  example: { responses: { 200: { ...sample.OK, agentStatus: "needs_wallet_authorization", ownerAddress: null } } },
});

const PAGE_MAX = 200;
const PAGE_DEFAULT = 100;

export const listMandates = endpoint({
  method: "GET",
  path: "/api/mandates",
  summary: "The agent's mandates: those it can pay with first, then paused, waiting and ended ones",
  description:
    "403 `agent_not_authorized` means that no person has linked the agent yet: propose a mandate. Read it again after the user has signed.",
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
  example: {
    responses: { 200: { ...sample.OK, agentStatus: "ready", mandates: [sample.mandate], ...sample.LAST_PAGE } },
  },
});

export const listEligible = endpoint({
  method: "GET",
  path: "/api/mandates/eligible",
  summary: "Mandates that cover a payment",
  description:
    "Ask before you sign a payment: the first mandate of the list fits. If there is none, `uncovered` says what is missing and, where the user can help, has the `authorizationUrl` to show. It reserves nothing.",
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
  example: {
    responses: {
      200: {
        ...sample.OK,
        criteria: { host: sample.HOST, amount: "500000", currency: "USDC", network: sample.NETWORK },
        eligibleMandates: [sample.mandate],
        uncovered: null,
      },
    },
  },
});

/** The fields are in `mandate` and at the top level, because clients differ in where they read them. */
export const getMandate = endpoint({
  method: "GET",
  path: "/api/mandates/agent/{mandateId}",
  summary: "One mandate with its remaining budget",
  description:
    "The agent reads its own mandates only. The members of the mandate are in the response twice: directly, where `status` is that of the response, and in `mandate`, where it is the mandate's.",
  auth: "agent",
  surface: "wallet",
  params: ofMandate,
  response: mandateView.extend({ status: ok, mandate: mandateView }),
  errors: only("mandate_not_found"),
  example: { responses: { 200: { ...sample.mandate, ...sample.OK, mandate: sample.mandate } } },
});

export const claimMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/claim",
  summary: "Link the agent of a draft to the signed-in owner",
  description:
    "The first step on the page of an `authorizationUrl`, for an agent without an owner. `token` is the one in that address: it shows that the agent sent this person. Nothing is signed yet; an agent that another owner has linked is answered 404.",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ token: z.string({ error: "must be the token of the authorizationUrl" }).max(200).optional() }),
  response: oneMandate,
  errors: { ...only("mandate_not_found", "mandate_not_pending", "mandate_expired"), agent_linked_elsewhere },
  example: { request: { token: "Zk3pQ7vN" }, responses: proposedExample },
});

export const narrowMandate = endpoint({
  method: "PATCH",
  path: "/api/mandates/{mandateId}",
  summary: "Narrow a mandate before signing it",
  description:
    "The owner changes what the agent asked for, in one direction only: less money, fewer hosts, an earlier end, lower caps. Budgets of a day or month can be added. Read the typed data again afterwards: it is what gets signed.",
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
  example: { request: { limitAmount: "2000000", hostAllowlist: [sample.HOST] }, responses: proposedExample },
});

export const getTypedData = endpoint({
  method: "GET",
  path: "/api/mandates/{mandateId}/typed-data",
  summary: "The EIP-712 data to sign",
  description:
    "For the spending wallet, or with `mode=vault` for a vault of its own on the chain, which its signed-in owner only can read. `funding=now`: one signature is mandate and money. `funding=permit`: sign the mandate and `permit`; the money stays in the owner's wallet until it is needed.",
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
  example: {
    responses: {
      200: {
        domain: { name: "Agent Spending Mandate", version: "1", chainId: 8453 },
        types: {
          EIP712Domain: DOMAIN_TYPE,
          SpendingMandate: [
            fieldExample("mandateId", "string"),
            fieldExample("agentId", "string"),
            fieldExample("owner", "address"),
            fieldExample("wallet", "address"),
            fieldExample("asset", "address"),
            fieldExample("limitAmount", "uint256"),
            fieldExample("maxAmountPerPayment", "uint256"),
            fieldExample("validFrom", "uint64"),
            fieldExample("validUntil", "uint64"),
            fieldExample("hostAllowlist", "string[]"),
            fieldExample("category", "string"),
            fieldExample("naturalLanguage", "string"),
          ],
        },
        primaryType: "SpendingMandate",
        message: {
          mandateId: sample.MANDATE,
          agentId: sample.AGENT,
          owner: sample.OWNER,
          wallet: sample.WALLET,
          asset: sample.USDC,
          limitAmount: "5000000",
          maxAmountPerPayment: "1000000",
          validFrom: "1793610000",
          validUntil: "1796202000",
          hostAllowlist: [sample.HOST],
          category: "",
          naturalLanguage: "Market data",
        },
      },
    },
  },
});

export const signMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/signature",
  summary: "Sign a mandate",
  description:
    "The signature is that of the typed data, by the signed-in account. With `mode: vault`, the members of the body are those of the typed data that was signed: `amount` and `validBefore`, or `deadline`. The vault is then opened and funded by the service, without gas of the owner's.",
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
  example: { request: { signature: sample.SIGNATURE }, responses: { 200: { ...sample.OK, mandate: sample.mandate } } },
});

export const rejectMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/reject",
  summary: "Reject a mandate",
  description:
    "Ends a mandate that waits for its signature; nothing was or will be paid under it. The agent sees `rejected`. While the agent has no owner, `token` of the `authorizationUrl` is needed.",
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ token: z.string({ error: "must be the token of the authorizationUrl" }).max(200).optional() }),
  response: oneMandate,
  errors: only("mandate_not_found", "mandate_not_pending"),
  example: {
    request: { token: "Zk3pQ7vN" },
    responses: { 200: { ...sample.OK, mandate: { ...sample.proposedMandate, status: "rejected" } } },
  },
});

export const revokeMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/revoke",
  summary: "Revoke a mandate permanently",
  description:
    "If the mandate has a vault, what is in it goes back to the owner. With `vaultSignature`, the owner's signature of `GET /api/mandates/{mandateId}/revocation`, the chain enforces the revocation. Without it the service stops signing, and returns the money by its own signature.",
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
  example: { request: {}, responses: { 200: { ...sample.OK, mandate: { ...sample.mandate, status: "revoked" } } } },
});

export const getRevocation = endpoint({
  method: "GET",
  path: "/api/mandates/{mandateId}/revocation",
  summary: "The EIP-712 data that revokes a mandate's vault on the chain",
  description:
    "Only for a mandate with a vault. Sign it with the owner's wallet and send the signature as `vaultSignature` to `POST /api/mandates/{mandateId}/revoke`. Reading it ends nothing.",
  auth: "owner",
  surface: "wallet",
  params: ofMandate,
  response: revocationView,
  errors: { ...only("mandate_not_found"), mandate_has_no_vault: vaultTable.mandate_has_no_vault },
  example: {
    responses: {
      200: {
        domain: { name: "Mandate Vault", version: "1", chainId: 8453, verifyingContract: sample.WALLET },
        types: { EIP712Domain: CONTRACT_DOMAIN_TYPE, Revocation: [fieldExample("mandate", "bytes32")] },
        primaryType: "Revocation",
        message: { mandate: sample.mandate.mandateHash },
      },
    },
  },
});

export const enableMandate = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/enabled",
  summary: "Pause or resume a mandate. Resuming needs a signature of the owner's wallet, pausing does not",
  description:
    "While a mandate is paused, nothing new is signed under it. Proofs that were signed before can still be paid until they expire. Resuming is answered 403 `signature_required` first: sign its `typedData` with the owner's wallet and send the same body with `signature`.",
  auth: "owner",
  stores: "nothing",
  surface: "wallet",
  params: ofMandate,
  body: z.object({ isEnabled: z.boolean({ error: "must be true or false" }), ...withSignature.shape }),
  response: oneMandate,
  errors: { ...only("mandate_not_found", "mandate_not_active"), ...confirmErrors },
  example: {
    request: { isEnabled: false },
    responses: { 200: { ...sample.OK, mandate: { ...sample.mandate, isEnabled: false } } },
  },
});
