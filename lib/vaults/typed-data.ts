import { TRANSFER_TYPES } from "@tessera/x402/transfer";
import { type Hex, hashTypedData } from "viem";
import type { Address } from "@/lib/core/address";
import type { Usdc } from "@/lib/core/money";
import { type Authorization, tokenDomain } from "@/lib/x402/authorization";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

/** Types that an owner signs for USDC to give money to a vault. */
export const VAULT_USDC_TYPES = {
  ReceiveWithAuthorization: TRANSFER_TYPES.TransferWithAuthorization,
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

/** Types that an owner signs for the vault itself. */
export const VAULT_TYPES = { Revocation: [{ name: "mandate", type: "bytes32" }] } as const;
export const VAULT_DOMAIN = { name: "Mandate Vault", version: "1" };

/** EIP-3009: the owner funds the vault (`to`). Only the vault can submit it. */
export const fundingTypedData = (network: NetworkName, authorization: Authorization) => ({
  domain: tokenDomain(network),
  types: { ReceiveWithAuthorization: VAULT_USDC_TYPES.ReceiveWithAuthorization },
  primaryType: "ReceiveWithAuthorization" as const,
  message: authorization,
});

export type Permit = { owner: Address; spender: Address; value: Usdc; nonce: bigint; deadline: bigint };

/** EIP-2612: the owner lets the vault (`spender`) draw up to `value`. */
export const permitTypedData = (network: NetworkName, permit: Permit) => ({
  domain: tokenDomain(network),
  types: { Permit: VAULT_USDC_TYPES.Permit },
  primaryType: "Permit" as const,
  message: permit,
});

/** The EIP-712 domain of a vault. */
const vaultDomain = (network: NetworkName, vault: Address) => ({
  ...VAULT_DOMAIN,
  chainId: NETWORKS[network].chainId,
  verifyingContract: vault,
});

/**
 * The digest that the signer named in the vault's terms signs. With the signature, the vault draws from the owner's allowance until
 * it has received `total` in all its draws.
 */
export const pullDigest = (network: NetworkName, vault: Address, total: Usdc): Hex =>
  hashTypedData({
    domain: vaultDomain(network, vault),
    types: { Pull: TOTAL },
    primaryType: "Pull",
    message: { total },
  });

/** The same for a count, since version 2: with the signature, the vault counts what is there, if `funded` reaches `total` by it. */
export const countDigest = (network: NetworkName, vault: Address, total: Usdc): Hex =>
  hashTypedData({
    domain: vaultDomain(network, vault),
    types: { Count: TOTAL },
    primaryType: "Count",
    message: { total },
  });

const TOTAL = [{ name: "total", type: "uint256" }] as const;

/** Signed by the owner: ends the mandate for good and returns the money. */
export const revocationTypedData = (network: NetworkName, vault: Address, mandate: Hex) => ({
  domain: vaultDomain(network, vault),
  types: VAULT_TYPES,
  primaryType: "Revocation" as const,
  message: { mandate },
});
