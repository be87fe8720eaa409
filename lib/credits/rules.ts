import type { OwnerId } from "@/lib/core/ids";

/** The account that purchased credits come from. */
export const ISSUED = "issued";

export const accountOf = (ownerId: OwnerId): string => `owner:${ownerId}`;

/** The account that receives the credits spent on a service. */
export const revenueOf = (service: string): string => `service:${service}`;
