import { z } from "zod";
import * as mandates from "@/lib/mandates/service";
import { typedDataView } from "@/lib/mandates/typed-data";
import * as wallets from "@/lib/wallets/service";
import type { OwnerContext } from "../../../context";

export type StageName = "sign-in" | "link" | "review" | "signed" | "elsewhere" | "over";

/** The state of the page for this visitor. */
export function stageOf(mandate: mandates.SigningView): StageName {
  if (mandate.isLinkedElsewhere) return "elsewhere";
  switch (mandate.nextStep) {
    case "sign_in":
      return "sign-in";
    case "claim":
      return "link";
    case "sign":
      return "review";
    case "linked_elsewhere":
      return "elsewhere";
    case "nothing":
      return mandate.status === "signed" || mandate.status === "exhausted" ? "signed" : "over";
    default:
      return mandate.nextStep satisfies never;
  }
}

/**
 * For the owner only: the data to sign, as the API sends it once the page's proposal is saved, or the data that was signed;
 * and the balance of the wallet that pays.
 */
export async function reviewed(ctx: OwnerContext, mandate: mandates.OwnedMandate, token?: string) {
  const proposal = mandate.signedAt === null ? { confirmPayees: mandate.proposesConfirmation } : {};
  const [typedData, balance] = await Promise.all([
    mandates.typedData(ctx, mandate.mandateId, token, proposal),
    balanceOf(ctx, mandate),
  ]);
  return { typedData: z.encode(typedDataView, typedData), balance };
}

/** Null while the chain does not respond. */
async function balanceOf(ctx: OwnerContext, mandate: mandates.OwnedMandate) {
  const held = await wallets.overview(ctx);
  return held.find(({ wallet }) => wallet.address === mandate.walletAddress)?.balance ?? null;
}
