/**
 * What a pass gives: `calls` requests, or any number of requests in `hours` after the payment settled, or both limits together. One that is
 * by use has no number of calls: each takes from the price of the pass what the seller's API says that it cost.
 */
export type PassLimits = { calls: number | null; hours: number | null; isByUse: boolean };

/** A pass that a link offers. */
export type PassOffer = PassLimits & {
  amount: string;
  /** The seller says that unused calls or hours are paid back on request. */
  isRefundable: boolean;
};
