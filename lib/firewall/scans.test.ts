import { type Conclusion, scanPrompt, scanTransaction, scanX402 } from "@tessera/firewall";
import { promptRules, transactionRules, x402Rules } from "@tessera/firewall/rules";
import { expect, test } from "vitest";
import type { z } from "zod";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { paymentRequiredV1, paymentRequiredV2 } from "@/lib/x402/requirement";
import { assertSound, bodyOf } from "@/packages/firewall/testing/any-body";
import { promptRequest, transactionRequest, x402Request } from "./requests";

const judged =
  <Input>(request: z.ZodType<Input>, scan: (input: Input) => Conclusion) =>
  (body: unknown): Conclusion | null => {
    const read = request.safeParse(body);
    return read.success ? scan(read.data) : null;
  };

test("any transaction request is either refused or judged, and never throws", () => {
  assertSound(bodyOf("to", "data", "context"), judged(transactionRequest, scanTransaction), transactionRules);
});

test("any x402 request is either refused or judged, and never throws", () => {
  assertSound(bodyOf("paymentRequired", "expected"), judged(x402Request, scanX402), x402Rules);
});

test("any prompt request is either refused or judged, and never throws", () => {
  assertSound(bodyOf("text", "prompt", "source"), judged(promptRequest, scanPrompt), promptRules);
});

test("the payment requirements of this service pass the scan", () => {
  const offer = {
    network: "base" as const,
    amount: toUsdc(500_000n),
    payTo: toAddress("0x5b38da6a701c568545dcfcb03fcb875f56beddc4"),
    resource: "https://api.example.com/v1/report",
    description: "Scan",
  };
  expect(scanX402({ paymentRequired: paymentRequiredV1([offer], "Pay") })).toMatchObject({
    verdict: "pass",
    findings: [],
  });
  expect(scanX402({ paymentRequired: paymentRequiredV2([offer], "Pay") })).toMatchObject({
    verdict: "pass",
    findings: [],
  });
});
