import type { Hex } from "viem";
import type { System } from "@/lib/platform/context";
import { vaultSignature } from "@/lib/vaults/payments";
import type { Authorization } from "@/lib/x402/authorization";
import { signAuthorization } from "@/lib/x402/signature";
import type { Vault } from "./store";
import { payeesOf, type SignedVault } from "./terms";

/** The private key of the terms' signer. */
export const keyOf = ({ vault: secrets }: System, { sealedKey, mandateId }: Vault): Hex =>
  secrets.open(sealedKey, mandateId) as Hex;

/** The key of a vault's pocket is bound to another name than that of its signer, in the same row. */
export const pocketSealName = ({ mandateId }: Pick<Vault, "mandateId">): string => `${mandateId}:pocket`;

/** The signature of a transfer by the vault, as the token takes it. `agentSignature`: if the terms name a key of the agent. */
export const signedByVault = (
  system: System,
  vault: SignedVault,
  authorization: Authorization,
  agentSignature: Hex | null = null,
): Hex =>
  vaultSignature(authorization, {
    signature: signAuthorization(vault.network, authorization, keyOf(system, vault)),
    agentSignature,
    proof: payeesOf(vault)?.proofOf(authorization.to) ?? null,
  });
