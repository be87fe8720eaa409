import { tokenDomain as domainOf, TRANSFER_TYPE_TEXT, transferTypedData } from "@tessera/x402/transfer";
import { concat, encodeAbiParameters, type Hex, keccak256, numberToHex, pad, stringToHex } from "viem";
import type { Address } from "@/lib/core/address";
import { toUsdc, type Usdc } from "@/lib/core/usdc";
import { NETWORKS, type NetworkName } from "./networks";

/** The message of an EIP-3009 `transferWithAuthorization`. Times are Unix seconds. */
export type Authorization = {
  from: Address;
  to: Address;
  value: Usdc;
  validAfter: bigint;
  validBefore: bigint;
  nonce: Hex;
};

/** Identifies an authorization (EIP-3009: nonces are per authorizer). */
export type AuthorizationKey = { network: NetworkName; from: Address; nonce: Hex };

const TYPE_HASH = keccak256(stringToHex(TRANSFER_TYPE_TEXT));
const DOMAIN_HASH = keccak256(
  stringToHex("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
);

/** The EIP-712 domain of the token on `network`. */
export const tokenDomain = (network: NetworkName) => domainOf(NETWORKS[network]);

const separators = new Map<NetworkName, Hex>();

function domainSeparator(network: NetworkName): Hex {
  const cachedSeparator = separators.get(network);
  if (cachedSeparator) return cachedSeparator;
  const domain = tokenDomain(network);
  const separator = keccak256(
    encodeAbiParameters(
      [{ type: "bytes32" }, { type: "bytes32" }, { type: "bytes32" }, { type: "uint256" }, { type: "address" }],
      [
        DOMAIN_HASH,
        keccak256(stringToHex(domain.name)),
        keccak256(stringToHex(domain.version)),
        BigInt(domain.chainId),
        domain.verifyingContract,
      ],
    ),
  );
  separators.set(network, separator);
  return separator;
}

/** The EIP-712 digest that the payer signs. Encoded by hand with a cached domain, because no other hash is computed as often. */
export function authorizationDigest(network: NetworkName, a: Authorization): Hex {
  const struct = keccak256(
    concat([
      TYPE_HASH,
      pad(a.from, { size: 32 }),
      pad(a.to, { size: 32 }),
      numberToHex(a.value, { size: 32 }),
      numberToHex(a.validAfter, { size: 32 }),
      numberToHex(a.validBefore, { size: 32 }),
      a.nonce,
    ]),
  );
  return keccak256(concat(["0x1901", domainSeparator(network), struct]));
}

/** The typed data that a browser wallet signs for a transfer. Integers are decimal strings so that they survive JSON. */
export const authorizationTypedData = (network: NetworkName, a: Authorization) =>
  transferTypedData(NETWORKS[network], toWireAuthorization(a));

/** The x402 wire form: numbers as decimal strings. */
export const toWireAuthorization = (a: Authorization) => ({
  from: a.from,
  to: a.to,
  value: a.value.toString(),
  validAfter: a.validAfter.toString(),
  validBefore: a.validBefore.toString(),
  nonce: a.nonce,
});

export const readAuthorization = (wire: {
  from: Address;
  to: Address;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
}): Authorization => ({
  ...wire,
  value: toUsdc(BigInt(wire.value)),
  validAfter: BigInt(wire.validAfter),
  validBefore: BigInt(wire.validBefore),
});
