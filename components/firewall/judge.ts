import {
  type PromptScan,
  scanPrompt,
  scanTransaction,
  scanX402,
  type TransactionScan,
  type X402Scan,
} from "@tessera/firewall";
import { sharesOf } from "@tessera/firewall/verdict";
import type { z } from "zod";
import { promptRequest, transactionRequest, x402Request } from "@/lib/firewall/requests";
import type { ScanRequest } from "./drafts";

/** `refusal`: the message of the service's 400 response. */
export type Judged = { type: "valid"; report: Report } | { type: "invalid"; refusal: string };

/** A verdict with its input. `shares[i]` is the part of the score that finding i adds. */
export type Report = { shares: readonly number[] } & (
  | { scanner: "transaction"; scan: TransactionScan }
  | { scanner: "x402"; scan: X402Scan }
  | { scanner: "prompt"; scan: PromptScan; text: string }
);

/** Parses the request with the service's schemas and scans it with the service's code and ruleset. */
export function judge(request: ScanRequest): Judged {
  switch (request.scanner) {
    case "transaction":
      return judged(transactionRequest, request.body, (body) => {
        const scan = scanTransaction(body);
        return { scanner: "transaction", scan, shares: sharesOf(scan.findings) };
      });
    case "x402":
      return judged(x402Request, request.body, (body) => {
        const scan = scanX402(body);
        return { scanner: "x402", scan, shares: sharesOf(scan.findings) };
      });
    case "prompt":
      return judged(promptRequest, request.body, (body) => {
        const scan = scanPrompt(body);
        return { scanner: "prompt", scan, text: body.text, shares: sharesOf(scan.findings) };
      });
    default:
      return request satisfies never;
  }
}

function judged<Input>(schema: z.ZodType<Input>, body: unknown, scan: (input: Input) => Report): Judged {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { type: "valid", report: scan(parsed.data) };
  const [issue] = parsed.error.issues;
  return { type: "invalid", refusal: `${[issue?.path.join("."), issue?.message].filter(Boolean).join(" ")}.` };
}
