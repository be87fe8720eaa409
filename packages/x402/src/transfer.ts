import type { Network } from "./networks.ts";

type Hex = `0x${string}`;
/** The members of a network's EIP-712 domain. `A` keeps the caller's address type, which may be branded. */
type Token<A extends Hex> = Pick<Network, "tokenName" | "tokenVersion" | "chainId"> & { readonly usdc: A };

/** EIP-712 types of `TransferWithAuthorization` (EIP-3009). `value` is atomic USDC; `validAfter` and `validBefore` are Unix seconds. */
export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** `encodeType` (EIP-712) of `TransferWithAuthorization`: its keccak-256 is the type hash. */
export const TRANSFER_TYPE_TEXT = `TransferWithAuthorization(${TRANSFER_TYPES.TransferWithAuthorization.map(({ type, name }) => `${type} ${name}`)})`;

/**
 * Returns the EIP-712 domain of a network's USDC.
 *
 * @example
 * const domain = tokenDomain(NETWORKS.base);
 * console.log(domain.name, domain.chainId); // "USD Coin", 8453
 */
export const tokenDomain = <A extends Hex>(network: Token<A>) => ({
  name: network.tokenName,
  version: network.tokenVersion,
  chainId: network.chainId,
  verifyingContract: network.usdc,
});

/**
 * Builds the EIP-712 typed data that a payer signs to authorize a transfer of USDC (EIP-3009). `message` has the members of
 * TRANSFER_TYPES: `value` in atomic USDC, times in Unix seconds, as bigint, or as decimal strings if it must survive JSON.
 *
 * @example
 * const message = { from, to, value: 10_000n, validAfter: 0n, validBefore, nonce };
 * const signature = await account.signTypedData(transferTypedData(NETWORKS.base, message));
 */
export const transferTypedData = <A extends Hex, M>(network: Token<A>, message: M) => ({
  domain: tokenDomain(network),
  types: TRANSFER_TYPES,
  primaryType: "TransferWithAuthorization" as const,
  message,
});
