import { z } from "zod";
import { isStorable, NOT_STORABLE } from "@/lib/core/characters";
import { endpoint } from "@/lib/core/endpoint";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { mandateErrors } from "../errors";
import { mandateId, mandateView } from "../responses";
import { vaultErrors } from "./errors";
import type { ContractRefusal } from "./pocket-store";

const { table } = mandateErrors;

export const moveToVault = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/move-to-vault",
  summary: "Prepare the move of a signed mandate from the spending wallet to a vault",
  description:
    "Returns a mandate for what is left of this one, with the same end and limits, for the owner to sign with a vault. That one signature moves it: this mandate is then revoked, and names the other in `replacedBy`. What it has signed for can still be paid, and is not part of the new limit. Until the signature nothing changes. The money in the spending wallet stays there.",
  work: 24,
  auth: "owner",
  surface: "wallet",
  params: z.object({ mandateId }),
  response: z.object({ status: z.literal("ok"), mandate: mandateView }),
  errors: {
    mandate_not_found: table.mandate_not_found,
    mandate_not_active: table.mandate_not_active,
    mandate_expired: table.mandate_expired,
    mandate_insufficient_budget: table.mandate_insufficient_budget,
    mandate_has_vault: vaultErrors.table.mandate_has_vault,
    vault_unavailable: vaultErrors.table.vault_unavailable,
    rate_limited: edgeErrors.table.rate_limited,
  },
  example: {
    responses: {
      200: {
        ...sample.OK,
        mandate: {
          ...sample.proposedMandate,
          mandateId: sample.NEXT_MANDATE,
          requestedBy: "owner",
          replaces: sample.MANDATE,
          validUntil: sample.NEXT_MONTH,
          createdAt: sample.CREATED,
          detailsUrl: `${sample.ORIGIN}/mandates/${sample.NEXT_MANDATE}`,
          signUrl: `${sample.ORIGIN}/authorize/mandate/${sample.NEXT_MANDATE}`,
        },
      },
    },
  },
});

const sellerView = z.object({
  host: z.string(),
  reason: z.string().describe("In the seller's words"),
  seenAt: isoDate,
  seenBy: z.enum(["agent", "service"]).describe("agent: it reported the refusal, which counts for itself alone"),
});

export type SellerView = z.output<typeof sellerView>;

export const toSellerView = ({ host, reason, seenAt, isWitnessed }: ContractRefusal): SellerView => ({
  host,
  reason,
  seenAt,
  seenBy: isWitnessed ? "service" : "agent",
});

export const listRefusingSellers = endpoint({
  method: "GET",
  path: "/api/mandates/{mandateId}/refusing-sellers",
  summary: "Sellers that refused a payment by a vault, as the mandate's agent reported or the service saw",
  description:
    "Such a seller is paid through the vault's pocket, or not at all if the vault has a list of payees or a key of the agent. What an agent reports counts for that agent alone; what the service saw, when it presented a payment itself, counts for all agents of the owner. Each is forgotten after 30 days.",
  work: 14,
  auth: "owner",
  surface: "wallet",
  params: z.object({ mandateId }),
  response: z.object({ status: z.literal("ok"), sellers: z.array(sellerView) }),
  errors: { mandate_not_found: table.mandate_not_found },
  example: {
    responses: {
      200: {
        ...sample.OK,
        sellers: [
          { host: sample.HOST, reason: "invalid_exact_evm_payload_signature", seenAt: sample.CREATED, seenBy: "agent" },
        ],
      },
    },
  },
});

const HOST_MAX = 300;

export const forgetRefusingSeller = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/refusing-sellers/forget",
  summary: "Forget that a seller refused payments by vaults",
  description:
    "For all agents of the owner, on the mandate's network. The next payment to the seller is made by the vault itself again. If it is refused as well, the seller is remembered again.",
  auth: "owner",
  surface: "wallet",
  params: z.object({ mandateId }),
  body: z.object({
    host: z
      .string({ error: "must be a host of the list" })
      .min(1, "must be a host of the list")
      .max(HOST_MAX, `must have at most ${HOST_MAX} characters`)
      .refine(isStorable, NOT_STORABLE),
  }),
  response: z.object({ status: z.literal("ok") }),
  errors: { mandate_not_found: table.mandate_not_found },
  example: { request: { host: sample.HOST }, responses: { 200: sample.OK } },
});
