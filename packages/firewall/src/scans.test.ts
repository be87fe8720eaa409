import fc from "fast-check";
import { test } from "vitest";
import { anyText, assertSound, bodyOf } from "../testing/any-body.ts";
import { scanPrompt } from "./prompt/scan.ts";
import { scanTransaction } from "./transaction/scan.ts";
import { scanX402 } from "./x402/scan.ts";

test("the transaction scan returns a verdict for any input", () => {
  const members = "chainId chain_id chain networkId to data valueWei value function amount context".split(" ");
  assertSound(bodyOf(...members), scanTransaction);
});

test("the x402 scan returns a verdict for any input", () => {
  assertSound(bodyOf("paymentRequired", "expected"), scanX402);
});

test("the prompt scan returns a verdict for any text", () => {
  const bodies = fc.record({ text: anyText, source: anyText }, { requiredKeys: ["text"] });
  // Built only from strings.
  assertSound(bodies, (body) => scanPrompt(body as { text: string }));
});
