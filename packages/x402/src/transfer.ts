import type { Network } from "./networks.ts";

type Hex = `0x${string}`;
/** What identifies the token of a network. A caller's own kind of address is kept. */
type Token<A extends Hex> = Pick<Network, "tokenName" | "tokenVersion" | "chainId"> & { readonly usdc: A };

/** The EIP-712 types of a transfer that its payer authorizes (EIP-3009). Times are Unix seconds, `value` is atomic USDC. */
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

/** What EIP-712 hashes as the type of the transfer. */
export const TRANSFER_TYPE_TEXT = `TransferWithAuthorization(${TRANSFER_TYPES.TransferWithAuthorization.map(({ type, name }) => `${type} ${name}`)})`;

/** The EIP-712 domain of a network's USDC. */
export const tokenDomain = <A extends Hex>(network: Token<A>) => ({
  name: network.tokenName,
  version: network.tokenVersion,
  chainId: network.chainId,
  verifyingContract: network.usdc,
});

/**
 * What a payer signs to pay `message` on a network. `message` has the members of TRANSFER_TYPES: as bigint, or as decimal strings
 * where it has to survive JSON.
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
