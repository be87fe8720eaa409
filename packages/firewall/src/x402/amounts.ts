import type { Network } from "../../../x402/src/networks.ts";
import { KNOWN_TOKENS } from "../chain/known-tokens.ts";
import type { NetworkKind } from "./networks.ts";

const DECIMALS = 6;
/** Of a credit, in atomic units of USDC: a credit is worth one USDC. */
const ATOMIC_PER_HUNDREDTH = 10_000n;

/** Atomic units of USDC as a decimal text with two to six decimals: 12500000 becomes "12.50". Never rounds. */
export function formatUsdc(atomic: bigint): string {
  const digits = atomic.toString().padStart(DECIMALS + 1, "0");
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS).replace(/0{1,4}$/, "")}`;
}

type Money = { amount: bigint | null; kind: NetworkKind; network: Network | null; asset: unknown };

/** What an amount is worth in atomic units of USDC, rounded up. null for assets whose price is not known. */
export function worthOf({ amount, kind, network, asset }: Money): bigint | null {
  if (amount === null) return null;
  if (kind === "credits") return amount * ATOMIC_PER_HUNDREDTH;
  const isUsdc = network !== null && asset === network.usdc.toLowerCase();
  const decimals = isUsdc ? DECIMALS : decimalsOf(kind, asset);
  if (decimals === undefined) return null;
  const unit = 10n ** BigInt(decimals - DECIMALS);
  return (amount + unit - 1n) / unit;
}

function decimalsOf(kind: NetworkKind, asset: unknown): number | undefined {
  if (kind === "other" && asset === SOLANA_USDC) return DECIMALS;
  return kind === "evm" && typeof asset === "string" ? dollars.get(asset) : undefined;
}

const SOLANA_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** The decimals of tokens that are worth a dollar. An address on a chain that is not its own is compared like the token. */
const dollars: ReadonlyMap<string, number> = new Map(
  KNOWN_TOKENS.filter(({ symbol, decimals }) => /USD|DAI/.test(symbol) && decimals >= DECIMALS).map(
    ({ address, decimals }) => [address.toLowerCase(), decimals],
  ),
);
