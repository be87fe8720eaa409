import type { OwnerId } from "@/lib/core/ids";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { type Credits, creditsWorth } from "@/lib/x402/credits";

/** The account that bought credits come from. */
export const ISSUED = "issued";

export const accountOf = (ownerId: OwnerId): string => `owner:${ownerId}`;

/** Where the credits spent on a service go. */
export const revenueOf = (service: string): string => `service:${service}`;

const PURCHASE_MAX = toUsdc(10_000_000_000n);

/** The credits that `usdc` buys, or null when it buys no whole hundredths, or too many at once. */
export const purchasable = (usdc: Usdc): Credits | null => (usdc <= PURCHASE_MAX ? creditsWorth(usdc) : null);
