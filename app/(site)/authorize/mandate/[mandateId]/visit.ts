import { z } from "zod";
import * as mandates from "@/lib/mandates/service";
import { typedDataView } from "@/lib/mandates/typed-data";
import * as wallets from "@/lib/wallets/service";
import type { pageContext } from "@/lib/wiring";

export type Context = Awaited<ReturnType<typeof pageContext>>;
export type OwnerContext = Context & { actor: Extract<Context["actor"], { type: "owner" }> };

export type StageName = "sign-in" | "link" | "review" | "signed" | "elsewhere" | "over";

/** Which of the page's states this visitor sees. */
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

/** What only the owner is shown: the exact data to sign, as the API sends it, and what the paying wallet holds. */
export async function reviewed(asking: OwnerContext, mandate: mandates.OwnedMandate, token?: string) {
  const [typedData, balance] = await Promise.all([
    mandates.typedData(asking, mandate.mandateId, token),
    balanceOf(asking, mandate),
  ]);
  return { typedData: z.encode(typedDataView, typedData), balance };
}

/** Null while the wallet's chain does not answer. */
export async function balanceOf(asking: OwnerContext, mandate: mandates.OwnedMandate) {
  const held = await wallets.overview(asking);
  return held.find(({ wallet }) => wallet.address === mandate.walletAddress)?.balance ?? null;
}
