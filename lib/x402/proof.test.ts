import { describe, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { unixSeconds } from "@/lib/core/time";
import { mismatch, VALIDITY_SECONDS_MAX } from "./proof";

const NOW = new Date("2026-11-20T12:00:00.900Z");
const SECONDS = BigInt(unixSeconds(NOW));
const [PAYER, PAYEE] = [toAddress(`0x${"aa".repeat(20)}`), toAddress(`0x${"bb".repeat(20)}`)];
const requirement = {
  network: "base",
  amount: toUsdc(5n),
  payTo: PAYEE,
  resource: "https://a.example/",
  description: "",
} as const;

const authorization = {
  from: PAYER,
  to: PAYEE,
  value: toUsdc(5n),
  validAfter: SECONDS - 600n,
  validBefore: SECONDS + 60n,
  nonce: `0x${"00".repeat(32)}`,
} as const;

describe("a proof", () => {
  test.each([
    ["fits its requirement", {}, null],
    ["pays the required address alone", { to: PAYER }, "PAYMENT_RECIPIENT_MISMATCH"],
    ["pays not less", { value: toUsdc(4n) }, "PAYMENT_INSUFFICIENT"],
    ["pays not more", { value: toUsdc(6n) }, "PAYMENT_INSUFFICIENT"],
    ["is refused in the second it expires", { validBefore: SECONDS }, "PAYMENT_EXPIRED"],
    ["is good in the second before", { validBefore: SECONDS + 1n }, null],
    ["is refused in the second named by validAfter", { validAfter: SECONDS }, "PAYMENT_NOT_YET_VALID"],
    ["is good in the second after", { validAfter: SECONDS - 1n }, null],
    ["is good for the longest time", { validBefore: SECONDS + VALIDITY_SECONDS_MAX }, null],
    ["is refused for a second more", { validBefore: SECONDS + VALIDITY_SECONDS_MAX + 1n }, "PAYMENT_VALIDITY_TOO_LONG"],
  ] as const)("%s", (_, change, expected) => {
    const proof = { scheme: "exact", network: "base", asset: undefined, signature: "0x" } as const;
    expect(mismatch({ ...proof, authorization: { ...authorization, ...change } }, requirement, NOW)).toBe(expected);
  });
});
