import type { Offers } from "@/components/firewall/scanners";

const FIREWALL_ID = "sentinel";

/** How the scanners are sold here. */
export function offersFrom(baseUrl: string): Offers {
  const base = `${baseUrl}/api/transaction-firewall/${FIREWALL_ID}/api`;
  const sold = { price: "0.50", currency: "USDC" };
  return {
    transaction: { ...sold, url: `${base}/scan`, bodyBytesMax: 65_536 },
    x402: { ...sold, url: `${base}/x402-scan`, bodyBytesMax: 65_536 },
    prompt: { ...sold, url: `${base}/prompt-scan`, bodyBytesMax: 32_768 },
  };
}
