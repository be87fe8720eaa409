/** Directory listings of an owner without sales and without a verified domain. */
export const LISTINGS_MIN = 5;
/** Maximum number of listings per owner. */
export const LISTINGS_MAX = 50;
/** Paths in the directory per link that sells an API: one without sales must not fill pages. Its OpenAPI document has all. */
export const PATHS_LISTED = 10;

/**
 * How many links an owner may list. Sales and domains raise the number, because accounts are free and those are not. `sales`
 * excludes small payments, test networks and the owner's own payments.
 */
export const listingsAllowed = ({ sales, hasDomain }: { sales: number; hasDomain: boolean }): number =>
  hasDomain ? LISTINGS_MAX : Math.min(LISTINGS_MAX, LISTINGS_MIN + sales);
