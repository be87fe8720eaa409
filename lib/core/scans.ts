import type { Usdc } from "./money";

/** The firewall's scans, as their paths name them. */
export const SCAN_KINDS = ["scan", "x402-scan", "prompt-scan"] as const;
export type ScanKind = (typeof SCAN_KINDS)[number];

/** What a scan costs; null: it is not offered. */
export type ScanPrices = Record<ScanKind, Usdc | null>;

/** Which verdicts of a scan refuse a payment: none, `block`, or also `review`, which would have a person look first. */
export const PAYMENT_SCANS = ["off", "block", "review"] as const;
export type PaymentScan = (typeof PAYMENT_SCANS)[number];
