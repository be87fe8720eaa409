import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { isoDate } from "@/lib/core/time-text";
import { edgeErrors } from "@/lib/http/errors";
import { mandateErrors } from "../errors";
import { mandateId, mandateView } from "../responses";
import { vaultErrors } from "./errors";
import type { ContractRefusal } from "./pocket-store";

const { table } = mandateErrors;

export const moveToVault = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/move-to-vault",
  summary: "Prepare the move of a signed mandate from the spending wallet to a vault",
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
  work: 14,
  auth: "owner",
  surface: "wallet",
  params: z.object({ mandateId }),
  response: z.object({ status: z.literal("ok"), sellers: z.array(sellerView) }),
  errors: { mandate_not_found: table.mandate_not_found },
});

const HOST_MAX = 300;

export const forgetRefusingSeller = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/refusing-sellers/forget",
  summary: "Forget that a seller refused payments by vaults",
  auth: "owner",
  surface: "wallet",
  params: z.object({ mandateId }),
  body: z.object({
    host: z
      .string({ error: "must be a host of the list" })
      .min(1, "must be a host of the list")
      .max(HOST_MAX, `must have at most ${HOST_MAX} characters`)
      .refine((host) => host.isWellFormed() && !host.includes("\0"), "must be text"),
  }),
  response: z.object({ status: z.literal("ok") }),
  errors: { mandate_not_found: table.mandate_not_found },
});
