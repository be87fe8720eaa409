/** Links of an owner in the directory, before anything was sold and with no verified domain. */
export const LISTINGS_MIN = 5;
/** The most that any owner has there. */
export const LISTINGS_MAX = 50;

/**
 * How many links an owner has in the directory: accounts are free, sales and domains are not. `sales`: those that count, which
 * leaves out small ones, those in test money and those to the owner.
 */
export const listingsAllowed = ({ sales, hasDomain }: { sales: number; hasDomain: boolean }): number =>
  hasDomain ? LISTINGS_MAX : Math.min(LISTINGS_MAX, LISTINGS_MIN + sales);
