import { toUsdc } from "@/lib/core/usdc";
import type { DocsConfig } from "@/lib/docs/service";

/** The settings that the documentation shows, with prices that differ from each other. */
export const docsConfig = (baseUrl: string): DocsConfig => ({
  baseUrl,
  firewallPrices: { scan: toUsdc(500_000n), "x402-scan": toUsdc(1_250_000n), "prompt-scan": null },
  minPayment: 1n,
  minContractPayment: 10_000n,
  vaultOpeningMin: 20_000n,
});
