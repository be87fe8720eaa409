import { z } from "zod";
import { parseUsdc, toUsdc } from "@/lib/core/money";
import { SCAN_KINDS, type ScanPrices } from "@/lib/core/scans";

const HALF = toUsdc(500_000n);
export const DEFAULT_PRICES: ScanPrices = { scan: HALF, "x402-scan": HALF, "prompt-scan": HALF };
const PRICE_MAX = toUsdc(1_000_000_000n);

/** FIREWALL_PRICES. */
export const priceList = z.string().transform((text, issue) => {
  const prices: ScanPrices = { ...DEFAULT_PRICES };
  for (const part of text.split(",").map((entry) => entry.trim())) {
    const [, kindText, priceText = ""] = /^([a-z0-9-]+)=(\d{1,4}\.\d{2}|off)$/.exec(part) ?? [];
    const kind = SCAN_KINDS.find((candidate) => candidate === kindText);
    const price = parseUsdc(priceText);
    if (kind && (priceText === "off" || (price !== null && price <= PRICE_MAX))) prices[kind] = price;
    else
      issue.addIssue(
        `must be a list of name=price, for example ${SCAN_KINDS[0]}=0.50, in USDC with two decimals up to 1000.00, or "off". The names: ${SCAN_KINDS.join(", ")}`,
      );
  }
  return prices;
});
