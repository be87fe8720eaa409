/** The three scanners, by the names of their tabs in the URL. */
export const SCANNERS = ["transaction", "x402", "prompt"] as const;
export type Scanner = (typeof SCANNERS)[number];

/** Price and limits of a scanner, from the service's discovery document. */
export type Offer = {
  /** Absolute. */
  url: string;
  /** In whole units of `currency`, such as "0.50"; null if the scan is not offered. */
  price: string | null;
  currency: string;
  bodyBytesMax: number;
};
export type Offers = Record<Scanner, Offer>;

export const isScanner = (text: unknown): text is Scanner => SCANNERS.some((scanner) => scanner === text);
