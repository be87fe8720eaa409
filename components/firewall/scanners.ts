/** The three scanners, by the names their tabs have in the URL. */
export const SCANNERS = ["transaction", "x402", "prompt"] as const;
export type Scanner = (typeof SCANNERS)[number];

/** How the service sells a scanner, from its discovery: the page knows no price of its own. */
export type Offer = {
  /** Absolute. */
  url: string;
  /** In whole units of `currency`: "0.50". null: it is not sold here. */
  price: string | null;
  currency: string;
  bodyBytesMax: number;
};
export type Offers = Record<Scanner, Offer>;

export const isScanner = (text: unknown): text is Scanner => SCANNERS.some((scanner) => scanner === text);
