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

export const REASONS: Record<Why, string> = {
  method: "its method cannot be requested without effects",
  private_address: "the host is at a private address",
  port: "the host is at another port than 80 and 443",
  no_answer: "the host did not answer",
  not_402: "the host did not answer with a payment requirement (402)",
  other_terms: "the host does not ask for this payment: the address, asset or network differs, or the amount is lower",
};
