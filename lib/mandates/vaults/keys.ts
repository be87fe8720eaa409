import type { Hex } from "viem";
import type { System } from "@/lib/platform/context";
import { vaultSignature } from "@/lib/vaults/payments";
import type { Authorization } from "@/lib/x402/authorization";
import { signAuthorization } from "@/lib/x402/signature";
import type { VaultRow } from "./store";
import { payeesOf, type SignedVault } from "./terms";

/** The private key of the terms' signer. */
export const keyOf = ({ vault: secrets }: System, { sealedKey, mandateId }: VaultRow): Hex =>
  secrets.open(sealedKey, mandateId) as Hex;

/** The name that a pocket's key is sealed under. It differs from that of the signer's key in the same row. */
export const pocketSealName = ({ mandateId }: Pick<VaultRow, "mandateId">): string => `${mandateId}:pocket`;

/**
 * The signature of a vault's transfer in the token's format. `agentSignature`: required if the terms name an agent key. A transfer to
 * the owner needs neither it nor a proof, and vaults since version 2 refuse both there.
 */
export const signedByVault = (
  system: System,
  vault: SignedVault,
  authorization: Authorization,
  agentSignature: Hex | null = null,
): Hex => {
  const isHome = authorization.to === vault.terms.owner;
  return vaultSignature(authorization, {
    signature: signAuthorization(vault.network, authorization, keyOf(system, vault)),
    agentSignature: isHome ? null : agentSignature,
    proof: isHome ? null : (payeesOf(vault)?.proofOf(authorization.to) ?? null),
  });
};
