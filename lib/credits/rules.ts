import type { OwnerId } from "@/lib/core/ids";

/** The account that bought credits come from. */
export const ISSUED = "issued";

export const accountOf = (ownerId: OwnerId): string => `owner:${ownerId}`;

/** Where the credits spent on a service go. */
export const revenueOf = (service: string): string => `service:${service}`;
