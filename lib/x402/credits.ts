import { toUsdc, type Usdc } from "@/lib/core/usdc";
import { MAX_TIMEOUT_SECONDS, MIME_TYPE } from "./requirement";

declare const credits: unique symbol;

/** Prepaid service credits in hundredths: "50" is 0.50 credits, which cost 0.50 USDC. */
export type Credits = bigint & { readonly [credits]: true };

/** The names of service credits in the x402 fields for network, asset and currency. */
export const CREDITS = {
  network: "service-credits",
  asset: "service-credit",
  currency: "CREDITS",
  name: "Service credits",
  version: "1",
} as const;

const ATOMIC_PER_HUNDREDTH = 10_000n;

/** Brands a value that is known to be hundredths of a credit. */
export const toCredits = (hundredths: bigint): Credits => hundredths as Credits;

/** The credits worth `usdc`, or null when that is not a whole number of hundredths. */
export const creditsWorth = (usdc: Usdc): Credits | null =>
  usdc % ATOMIC_PER_HUNDREDTH === 0n ? toCredits(usdc / ATOMIC_PER_HUNDREDTH) : null;

/** The maximum of one purchase: 10,000 USDC. */
export const PURCHASE_MAX = toUsdc(10_000_000_000n);

/** The credits that `usdc` buys; null when it does not buy whole hundredths or exceeds PURCHASE_MAX. */
export const purchasable = (usdc: Usdc): Credits | null => (usdc <= PURCHASE_MAX ? creditsWorth(usdc) : null);

export const worthOf = (amount: Credits): Usdc => toUsdc(amount * ATOMIC_PER_HUNDREDTH);

/** The value in USDC of a payment of `amount` on `network`, which may be service credits. */
export const worthOn = (network: string, amount: bigint): Usdc =>
  network === CREDITS.network ? worthOf(toCredits(amount)) : toUsdc(amount);

/** Hundredths as credits with two decimals: 1250 → "12.50". */
export function formatCredits(amount: Credits): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The price of a resource in service credits. `payTo` is the name of the service. */
export type CreditRequirement = { amount: Credits; payTo: string; resource: string; description: string };

/** The entry of `accepts` in x402 v1, in addition to the one in USDC. */
export const creditRequirementV1 = (r: CreditRequirement) => ({
  scheme: "exact" as const,
  network: CREDITS.network,
  maxAmountRequired: r.amount.toString(),
  resource: r.resource,
  description: r.description,
  mimeType: MIME_TYPE,
  payTo: r.payTo,
  maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
  asset: CREDITS.asset,
  extra: { name: CREDITS.name, version: CREDITS.version },
});
