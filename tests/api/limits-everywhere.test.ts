import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LIMIT_NAMES } from "@/lib/core/limits";
import { endpoints, named } from "../support/endpoints";

/** Open to anybody, and limited elsewhere or not at all, with the reason. */
const WITHOUT: Record<string, string> = {
  "GET /.well-known/jwks.json": "the same small answer for everybody, for caches",
  "GET /.well-known/did.json": "the same small answer for everybody, for caches",
  "GET /.well-known/agent-identity": "the same small answer for everybody, for caches",
  "GET /public-key.pem": "the same small answer for everybody, for caches",
  "GET /unifypaymentlink/agentid/{agentId}": "proofs are limited where they are checked, by address and by payer",
  "GET /paymentlink/{linkId}": "proofs are limited where they are checked, by address and by payer",
  "POST /api/credits/top-up": "proofs are limited where they are checked, by address and by payer",
  "POST /api/transaction-firewall/{firewallId}/api/scan": "proofs are limited where they are checked",
  "POST /api/transaction-firewall/{firewallId}/api/x402-scan": "proofs are limited where they are checked",
  "POST /api/transaction-firewall/{firewallId}/api/prompt-scan": "proofs are limited where they are checked",
};

const open = endpoints.filter(({ auth }) => auth === "none" || auth === "guest");

test.each([...new Map(open.map((e) => [named(e), e]))])(
  "%s has a limit per address, or a reason for none",
  (name, e) => {
    if (e.limitPerAddress) expect(WITHOUT).not.toHaveProperty([name]);
    else expect(WITHOUT).toHaveProperty([name]);
  },
);

test("a reason is given for no endpoint that is gone", () => {
  const names = new Set(open.map(named));
  expect(Object.keys(WITHOUT).filter((name) => !names.has(name))).toEqual([]);
});

test("the guide for operators names every limit", () => {
  const guide = readFileSync("docs/operations.md", "utf8");
  expect(LIMIT_NAMES.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
