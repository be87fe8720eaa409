import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { edgeErrors } from "@/lib/http/errors";
import { mandateErrors } from "../errors";
import { mandateId, mandateView } from "../responses";
import { vaultErrors } from "./errors";

const { table } = mandateErrors;

export const moveToVault = endpoint({
  method: "POST",
  path: "/api/mandates/{mandateId}/move-to-vault",
  summary: "Prepare the move of a signed mandate from the spending wallet to a vault",
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
