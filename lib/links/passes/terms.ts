/** What a pass gives: `calls` requests, or any number of requests in `hours` after the payment settled, or both limits together. */
export type PassLimits = { calls: number | null; hours: number | null };

/** A pass that a link offers. */
export type PassOffer = PassLimits & {
  amount: string;
  /** The seller says that unused calls or hours are paid back on request. */
  isRefundable: boolean;
};
