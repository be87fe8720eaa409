import type { Hex } from "viem";
import { installPackages } from "../local/extra-packages";

/** The published facilitator and paywall of npm's `x402`, with the types that the bench uses. */
export type Stock = {
  verify: (signer: object, proof: object, requirements: object) => Promise<Verdict>;
  settle: (signer: object, proof: object, requirements: object) => Promise<Settled>;
  getPaywallHtml: (options: object) => string;
};
type Verdict = { isValid: boolean; invalidReason?: string };
type Settled = { success: boolean; transaction: Hex; errorReason?: string };

/** Installs the packages if necessary. The dynamic path keeps the compiler from following it, because they may be missing. */
export async function loadStock(): Promise<Stock> {
  installPackages("tests/interop");
  return import(new URL("../../tests/interop/stock.ts", import.meta.url).href);
}
