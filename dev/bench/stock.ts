import type { Hex } from "viem";
import { installPackages } from "../local/extra-packages";

/** The published facilitator and paywall of npm's `x402`: as much of their types as the bench uses. */
export type Stock = {
  verify: (signer: object, proof: object, requirements: object) => Promise<Verdict>;
  settle: (signer: object, proof: object, requirements: object) => Promise<Settled>;
  getPaywallHtml: (options: object) => string;
};
type Verdict = { isValid: boolean; invalidReason?: string };
type Settled = { success: boolean; transaction: Hex; errorReason?: string };

/** Installs it if necessary. A path that the compiler does not follow: the packages may be missing. */
export async function loadStock(): Promise<Stock> {
  installPackages("tests/interop");
  return import(new URL("../../tests/interop/stock.ts", import.meta.url).href);
}
