import type { Offer, Offers } from "@/components/firewall/scanners";
import { formatUsdc } from "@/lib/core/money";
import { offers } from "@/lib/firewall/service";

/** The prices and payment options of the scanners. */
export function offersFrom(system: Parameters<typeof offers>[0]): Offers {
  const [transaction, x402, prompt] = offers(system).map(
    ({ url, bodyBytesMax, prices }): Offer => ({
      url,
      bodyBytesMax,
      price: prices === null ? null : formatUsdc(prices.requirement.amount),
      currency: "USDC",
    }),
  );
  if (!transaction || !x402 || !prompt) throw new Error("a scan is missing");
  return { transaction, x402, prompt };
}
