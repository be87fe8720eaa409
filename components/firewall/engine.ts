import { type PromptScan, scanPrompt } from "@/lib/firewall/rules/prompt";
import { scanTransaction, type TransactionScan } from "@/lib/firewall/rules/transaction";
import { sharesOf } from "@/lib/firewall/rules/verdict";
import { scanX402, type X402Scan } from "@/lib/firewall/rules/x402";
import type { ScanRequest } from "./drafts";

/** A verdict with what it is about. `shares` are the findings' parts of the score, in their order. */
export type Report = { shares: readonly number[] } & (
  | { scanner: "transaction"; scan: TransactionScan }
  | { scanner: "x402"; scan: X402Scan }
  | { scanner: "prompt"; scan: PromptScan; text: string }
);

/**
 * Scans in this browser, with the code and the ruleset of the service. This file brings the prompt model and the word
 * lists: import it only when they are needed.
 */
export function judge(request: ScanRequest): Report {
  switch (request.scanner) {
    case "transaction": {
      const scan = scanTransaction(request.body);
      return { scanner: "transaction", scan, shares: sharesOf(scan.findings) };
    }
    case "x402": {
      const scan = scanX402(request.body);
      return { scanner: "x402", scan, shares: sharesOf(scan.findings) };
    }
    case "prompt": {
      const scan = scanPrompt(request.body);
      return { scanner: "prompt", scan, text: request.body.text, shares: sharesOf(scan.findings) };
    }
    default:
      return request satisfies never;
  }
}
