import {
  type ContractFunctionArgs,
  concat,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  size,
  toHex,
  zeroHash,
} from "viem";
import { z } from "zod";
import { type Address, toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { addressText, bytes32 } from "@/lib/core/address-text";
import { limitAmount, type Usdc, ZERO } from "@/lib/core/money";
import { type FACTORY_ABI, VAULT_CONTRACTS, VAULT_VERSIONS, type VaultVersion } from "./contracts";

const SECONDS_MAX = 2 ** 48 - 1;
const PERIOD_MAX = 2 ** 32 - 1;

/** The terms that an owner signs. The vault's address is derived from all of them, and the contract enforces them. */
export type Terms = {
  /** Which contract enforces them. */
  contractVersion: VaultVersion;
  /** The network's USDC. */
  token: Address;
  owner: Address;
  /** The service's key for this mandate. */
  signer: Address;
  /** A key that must sign each payment as well. */
  agent: Address | null;
  /** Unix seconds: payments are possible from `start` until before `end`. */
  start: number;
  end: number;
  limit: Usdc;
  /** Cap of one payment; null for none. */
  perPayment: Usdc | null;
  /** `amount` is released every `seconds`, and an unspent rest stays released. Null: all of `limit` at once. */
  release: { amount: Usdc; seconds: number } | null;
  /** Merkle root of the permitted payees; null for any. */
  payees: Hex | null;
  /** EIP-712 hash of the mandate. */
  mandate: Hex;
};

const unixTime = z.number().int().min(0).max(SECONDS_MAX);

/** Terms on the wire. Refuses what the factory refuses. */
export const termsText = z
  .object({
    contractVersion: z.literal(VAULT_VERSIONS),
    token: addressText,
    owner: addressText,
    signer: addressText,
    agent: addressText.nullable(),
    start: unixTime,
    end: unixTime,
    limit: limitAmount,
    perPayment: limitAmount.nullable(),
    release: z.object({ amount: limitAmount, seconds: z.number().int().min(1).max(PERIOD_MAX) }).nullable(),
    payees: bytes32.refine((root) => root !== zeroHash, "must not be zero").nullable(),
    mandate: bytes32,
  })
  .check(
    z.refine(({ owner }) => owner !== ZERO_ADDRESS, { path: ["owner"], error: "must not be the zero address" }),
    z.refine(({ signer }) => signer !== ZERO_ADDRESS, { path: ["signer"], error: "must not be the zero address" }),
    z.refine(({ agent, signer }) => agent !== ZERO_ADDRESS && agent !== signer, {
      path: ["agent"],
      error: "must be another address than the signer's and not zero; null for none",
    }),
    z.refine(({ start, end }) => start < end, { path: ["end"], error: "must be after start" }),
  ) satisfies z.ZodType<Terms, unknown>;

/** Terms as the contracts take them. */
export type TermsArgument = ContractFunctionArgs<typeof FACTORY_ABI, "nonpayable", "open">[0];

export const toArgument = (terms: Terms): TermsArgument => ({
  token: terms.token,
  owner: terms.owner,
  signer: terms.signer,
  agent: terms.agent ?? ZERO_ADDRESS,
  start: terms.start,
  end: terms.end,
  period: terms.release?.seconds ?? 0,
  limit: terms.limit,
  perPayment: terms.perPayment ?? ZERO,
  perPeriod: terms.release?.amount ?? ZERO,
  payees: terms.payees ?? zeroHash,
  mandate: terms.mandate,
});

/** The bytes of terms at the end of a vault's code. */
export function packTerms(terms: Terms): Hex {
  const t = toArgument(terms);
  return encodePacked(
    [
      "address",
      "address",
      "address",
      "address",
      "uint48",
      "uint48",
      "uint32",
      "uint96",
      "uint96",
      "uint96",
      "bytes32",
      "bytes32",
    ],
    [
      t.token,
      t.owner,
      t.signer,
      t.agent,
      t.start,
      t.end,
      t.period,
      t.limit,
      t.perPayment,
      t.perPeriod,
      t.payees,
      t.mandate,
    ],
  );
}

/** The code of the vault with these terms: an EIP-1167 proxy, then the terms. */
export const vaultCode = (terms: Terms): Hex => concat([proxyOf(terms.contractVersion), packTerms(terms)]);

const proxyOf = (version: VaultVersion): Hex =>
  concat([
    "0x363d3d373d3d3d363d73",
    VAULT_CONTRACTS[version].implementation.address,
    "0x5af43d82803e903d91602b57fd5bf3",
  ]).toLowerCase() as Hex;

const PROXIES = VAULT_VERSIONS.map(proxyOf);
const PROXY_BYTES = 45;
const TERMS_BYTES = 196;

/**
 * Whether `code` is that of a vault for `token`, of any version. Verifying its payments then has a low, known bound of gas, except for payments
 * to the owner: they may call the contract of the owner's wallet.
 */
export function isVaultCode(code: Hex, token: Address): boolean {
  const hasSize = size(code) === PROXY_BYTES + TERMS_BYTES;
  const text = code.toLowerCase();
  return hasSize && PROXIES.some((proxy) => text.startsWith(proxy + token.slice(2).toLowerCase()));
}

/** The terms in a vault's code that its signatures depend on. */
export function rulesInCode(code: Hex): { owner: Address; agent: Address; payees: Hex } {
  const packed = code.slice(2 + 2 * PROXY_BYTES);
  const bytes = (from: number, to: number): Hex => `0x${packed.slice(2 * from, 2 * to)}`;
  return { owner: toAddress(bytes(20, 40)), agent: toAddress(bytes(60, 80)), payees: bytes(132, 164) };
}

/** The address of the vault with these terms, open or not. The same on every network except for the token in the terms. */
export function vaultAddress(terms: Terms): Address {
  const code = vaultCode(terms);
  // OpenZeppelin's creation code: returns the bytes that follow it.
  const creation = concat(["0x61", toHex(size(code), { size: 2 }), "0x3d81600a3d39f3", code]);
  const { factory } = VAULT_CONTRACTS[terms.contractVersion];
  return toAddress(getCreate2Address({ from: factory.address, salt: zeroHash, bytecodeHash: keccak256(creation) }));
}

/** The sum released by `nowSeconds`: the most that the vault can have spent. */
export function releasedBy(terms: Terms, nowSeconds: number): Usdc {
  if (nowSeconds < terms.start) return ZERO;
  if (terms.release === null) return terms.limit;
  const periods = BigInt(Math.floor((nowSeconds - terms.start) / terms.release.seconds) + 1);
  const sum = periods * terms.release.amount;
  return sum < terms.limit ? (sum as Usdc) : terms.limit;
}
