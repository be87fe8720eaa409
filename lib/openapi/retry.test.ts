import { describe, expect, test } from "vitest";
import { type FailureTable, type Kind, STATUS } from "@/lib/core/errors";
import { docsUrl, RETRY_EXCEPTIONS, RETRY_RULES, retryOf, retryRule } from "@/lib/core/retry";
import { edgeErrors } from "@/lib/http/errors";
import { ENDPOINTS } from "./endpoints";

/** Codes of responses that are no thrown errors: refused proofs. */
const REFUSALS: FailureTable = {
  PAYMENT_EXPIRED: ["payment_required", ""],
  PAYMENT_NOT_YET_VALID: ["payment_required", ""],
  INSUFFICIENT_CREDITS: ["payment_required", ""],
};

const tables = [edgeErrors.table, REFUSALS, ...ENDPOINTS.map(({ endpoint }) => endpoint.errors)];
const codes = new Map<string, Set<Kind>>();
for (const [code, [kind]] of tables.flatMap((table) => Object.entries(table))) {
  const kinds = codes.get(code.toLowerCase()) ?? new Set();
  codes.set(code.toLowerCase(), kinds.add(kind));
}

test.each([...codes])("the error code %s has one retry rule at all endpoints", (code, kinds) => {
  const rules = new Set([...kinds].map((kind) => retryRule(code, kind)));
  expect(rules.size).toBe(1);
  expect(Object.keys(RETRY_RULES)).toContain([...rules][0]);
});

test("every exception from the retry rules is an existing code, and differs from the rule of its kind", () => {
  const useless = Object.entries(RETRY_EXCEPTIONS).filter(([code, rule]) => {
    const kinds = [...(codes.get(code) ?? [])];
    const isShared = kinds.length > 1;
    return kinds.length === 0 || (!isShared && kinds.every((kind) => retryRule("no_such_code", kind) === rule));
  });
  expect(useless).toEqual([]);
});

test("every retry rule is used", () => {
  const used = new Set([...codes].flatMap(([code, kinds]) => [...kinds].map((kind) => retryRule(code, kind))));
  expect([...used].sort()).toEqual(Object.keys(RETRY_RULES).sort());
});

/** Answers after which the money may have moved or may still move. */
const UNKNOWN_ENDS = [
  "internal_error",
  "unavailable",
  "idempotency_in_progress",
  "idempotency_unknown",
  "payment_already_used",
  "payment_not_over_yet",
  "settlement_unknown",
  "duplicate_biz_id",
  "payout_approved",
  "refund_approved",
];

describe("an error after which the outcome may be unknown", () => {
  test.each(UNKNOWN_ENDS)("(%s) never allows a new proof or another request", (code) => {
    for (const kind of codes.get(code) ?? []) {
      for (const body of [{}, { stillValidUntil: "2026-01-01T00:00:00.000Z" }])
        expect(["same_request", "wait", "read_first", "never_again"]).toContain(retryOf(code, kind, body));
    }
    expect(codes.has(code)).toBe(true);
  });

  test.each(Object.keys(STATUS) as Kind[])("(%s) never says new_proof while the proof can still be paid", (kind) => {
    for (const code of [...codes.keys(), "SETTLEMENT_FAILED"])
      expect(retryOf(code, kind, { stillValidUntil: "2026-01-01T00:00:00.000Z" })).not.toBe("new_proof");
  });
});

test.each([
  [{}, "new_proof"],
  [{ stillValidUntil: "2026-01-01T00:00:00.000Z" }, "wait"],
])("a failed transfer with %j has the retry rule %s", (body, rule) => {
  expect(retryOf("SETTLEMENT_FAILED", "internal", body)).toBe(rule);
  expect(retryOf("settlement_failed", "internal", body)).toBe(rule);
});

test("a paid call that failed is repeated while there is another try", () => {
  expect(retryOf("UPSTREAM_FAILED", "unavailable", { repeatUntil: "2026-01-01T00:00:00.000Z" })).toBe("same_request");
  expect(retryOf("UPSTREAM_FAILED", "unavailable", {})).toBe("never_again");
});

test("a sold-out link is asked again while a payment holds a place", () => {
  expect(retryOf("LINK_SOLD_OUT", "gone", { pendingPayments: 1 })).toBe("wait");
  expect(retryOf("LINK_SOLD_OUT", "gone")).toBe("never_again");
});

test.each([
  ["back", "same_request"],
  ["blocked", "read_first"],
  ["counted", "never_again"],
  ["unknown", "read_first"],
])("a call on a pass that failed and is %s has the retry rule %s", (callEnd, rule) => {
  expect(retryOf("UPSTREAM_FAILED", "unavailable", { callEnd })).toBe(rule);
});

test("only an expired proof, or a transfer that failed for good, allows a new proof", () => {
  const safe = [...codes].filter(([code, kinds]) => [...kinds].some((kind) => retryOf(code, kind) === "new_proof"));
  expect(safe.map(([code]) => code).sort()).toEqual(["payment_expired", "settlement_failed"]);
});

test("a server error never tells the client to correct the request", () => {
  for (const [code, kinds] of codes)
    for (const kind of kinds) if (STATUS[kind] >= 500) expect(retryRule(code, kind)).not.toBe("fix_request");
});

test("the documentation page of an error code is the same for both cases of letters", () => {
  expect(docsUrl("https://wallet.test", "LINK_NOT_FOUND")).toBe("https://wallet.test/docs/errors/link_not_found");
  expect(docsUrl("https://wallet.test", "link_not_found")).toBe("https://wallet.test/docs/errors/link_not_found");
});
