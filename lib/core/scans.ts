import type { Usdc } from "./money";

/** The kinds of firewall scan, as in their paths. */
export const SCAN_KINDS = ["scan", "x402-scan", "prompt-scan"] as const;
export type ScanKind = (typeof SCAN_KINDS)[number];

/** The price of each scan; null when it is not offered. */
export type ScanPrices = Record<ScanKind, Usdc | null>;

/** Which scan verdicts refuse a payment: none, `block`, or `block` and `review` (which recommends a person's review). */
export const PAYMENT_SCANS = ["off", "block", "review"] as const;
export type PaymentScan = (typeof PAYMENT_SCANS)[number];

/** Whether `scan` allows payments that `previousScan` refuses. PAYMENT_SCANS is ordered from weakest to strictest. */
export const isWeakerScan = (scan: PaymentScan, previousScan: PaymentScan): boolean =>
  PAYMENT_SCANS.indexOf(scan) < PAYMENT_SCANS.indexOf(previousScan);
