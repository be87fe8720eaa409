import type { OwnerId } from "@/lib/core/ids";

/** The account that purchased credits come from. */
export const ISSUED = "issued";

/** The other accounts are `service:<name>`: the credits spent on a service. */
export const accountOf = (ownerId: OwnerId): string => `owner:${ownerId}`;
