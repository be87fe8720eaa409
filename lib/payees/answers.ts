/** Why a host did not confirm a payee. */
export const WHY = ["method", "private_address", "port", "no_answer", "not_402", "other_terms"] as const;
export type Why = (typeof WHY)[number];

/** The requirement that confirmed a payee, with the host's own spelling. */
export type AcceptedOffer = {
  /** Null for a challenge of the Machine Payments Protocol. */
  x402Version: 1 | 2 | null;
  scheme: string;
  network: string;
  asset: string;
  payTo: string;
  amount: string;
};
