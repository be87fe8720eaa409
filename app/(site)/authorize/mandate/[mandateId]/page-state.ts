import { z } from "zod";
import { paysHosts } from "@/components/mandates/words";
import * as mandates from "@/lib/mandates/service";
import { typedDataView } from "@/lib/mandates/typed-data";
import * as wallets from "@/lib/wallets/service";
import { NETWORKS } from "@/lib/x402/networks";
import type { OwnerContext } from "../../../context";

export type StageName = "sign-in" | "link" | "review" | "signed" | "elsewhere" | "over";

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

/** For the owner only: the data to sign or that was signed, and the balance of the spending wallet. */
export async function reviewed(ctx: OwnerContext, mandate: mandates.OwnedMandate, token?: string) {
  const [data, balance] = await Promise.all([dataOf(ctx, mandate, token), balanceOf(ctx, mandate)]);
  return { ...data, balance };
}

/** The typed data as the API returns it after the page's proposal is saved. `shown`: the signed vault; null for the spending wallet. */
async function dataOf(ctx: OwnerContext, mandate: mandates.OwnedMandate, token: string | undefined) {
  const signed = mandate.mode === "vault" ? await mandates.signedVaultData(ctx, mandate.mandateId) : null;
  if (signed) {
    const { typedData, ...signedVault } = signed;
    return { typedData, shown: signedVault };
  }
  const typedData = await mandates.typedData(ctx, mandate.mandateId, token, proposalOf(mandate));
  return { typedData: z.encode(typedDataView, typedData), shown: null };
}

/**
 * The vault that the owner can sign for instead of the spending wallet. None for a mandate that covers only payouts: vaults make no
 * payouts.
 */
export async function offered(ctx: OwnerContext, mandate: mandates.OwnedMandate) {
  const none = { offer: undefined, isChainDown: false };
  if (!paysHosts(mandate)) return none;
  const [vault, ownBalance] = await Promise.all([
    mandates.vaultOffer(ctx, mandate.mandateId, proposalOf(mandate)),
    wallets.heldBy(ctx, mandate.network, ctx.actor.address),
  ]);
  if (typeof vault === "string") return { ...none, isChainDown: vault === "chain_down" };
  return { offer: { ...vault, ownBalance }, isChainDown: false };
}

/** The changes that the page proposes before the signature. */
const proposalOf = ({ signedAt, proposesConfirmation }: mandates.OwnedMandate) =>
  signedAt === null ? { confirmPayees: proposesConfirmation } : {};

/** Null while the chain does not respond. */
async function balanceOf(ctx: OwnerContext, mandate: mandates.OwnedMandate) {
  const balances = await wallets.overview(ctx);
  return balances.find(({ wallet }) => wallet.address === mandate.walletAddress)?.balance ?? null;
}

/** Null on a devnet: no explorer shows its transactions. */
export const explorerOf = ({ config }: OwnerContext, { network }: mandates.OwnedMandate): string | null =>
  config.mode === "devnet" ? null : NETWORKS[network].explorer;
