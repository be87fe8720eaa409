import { expect, test } from "vitest";
import { askedWords as paymentWords } from "@/lib/approvals/rules";
import { askedWords as payeeWords } from "@/lib/payees/rules";
import { askedWords as payoutWords } from "@/lib/payouts/rules";
import { nameInWords, oneLine, sumInWords } from "@/lib/platform/summary";
import * as sample from "@/lib/samples";
import type { NetworkName } from "@/lib/x402/networks";
import { afterAttempt, bodyOf, budgetNotice, capNotice, isLow, noticeOf, outcomeOf } from "./rules";

const event = (type: string, meta: Record<string, unknown> = {}, agentName: string | null = "Shopper") => ({
  id: "evt_1",
  type,
  subject: "x_1",
  agentName,
  meta: { amount: "250000", network: "base", resource: "https://api.example.com/report?key=secret", ...meta },
});

const WORDS = { payment: paymentWords, payout: payoutWords, payee: payeeWords };

/** The event's summary of what the owner is asked. */
const asked = (kind: keyof typeof WORDS, network: NetworkName = "base", agentName = "Shopper") => {
  const parts = { name: nameInWords(agentName), sum: sumInWords(network, 250_000n), host: "api.example.com", network };
  return { network, summary: { ...sample.summary, kind, network, ...WORDS[kind](parts) } };
};

test.each([
  [
    "payment.approval_requested",
    asked("payment"),
    "approval_wanted",
    "Approve 0.25 USDC to api.example.com?",
    "/authorize/payment/x_1",
  ],
  [
    "payee.requested",
    asked("payee"),
    "approval_wanted",
    "Confirm a new payee of api.example.com?",
    "/authorize/payee/x_1",
  ],
  [
    "mandate.created",
    { limitAmount: "5000000", by: "agent" },
    "approval_wanted",
    "Sign a mandate of up to 5.00 USDC?",
    "/authorize/mandate/x_1",
  ],
  ["payout.created", asked("payout"), "approval_wanted", "Approve a payout of 0.25 USDC?", "/authorize/payout/x_1"],
  ["refund.created", { by: "agent" }, "approval_wanted", "Approve a refund of 0.25 USDC?", "/authorize/refund/x_1"],
  [
    "payment.refused",
    { reason: "host_not_allowed", host: "b.example", mandateId: "mand_1" },
    "payment_refused",
    "A payment of 0.25 USDC was refused",
    "/mandates/mand_1",
  ],
  [
    "payment.refused",
    { reason: "firewall_blocked", host: null, mandateId: null },
    "payment_refused",
    "A payment of 0.25 USDC was refused",
    "/dashboard/activity",
  ],
  [
    "payee.denied_under_way",
    { list: "ofac", network: "base" },
    "payment_refused",
    "A payee was denied after a payment was signed",
    "/dashboard/payments",
  ],
  ["settlement.settled", { purpose: "upl" }, "money_received", "You received 0.25 USDC", "/receipt/x_1"],
  [
    "wallet.low",
    { balance: "4500000", network: "base" },
    "balance_low",
    "Your spending wallet has 4.50 USDC left",
    "/dashboard/wallet",
  ],
  ["vault.low", { balance: "0" }, "balance_low", "A vault has 0.00 USDC left", "/mandates/x_1"],
  ["webhook.disabled", {}, "webhook_failing", "A webhook was disabled", "/dashboard/webhooks/x_1"],
  ["owner.signed_in", {}, "sign_in", "New sign-in to your account", "/dashboard/settings"],
])("the event %s with %o is sent as a notice", (type, meta, kind, subject, path) => {
  expect(noticeOf(event(type, meta))).toMatchObject({ kind, subject, path, about: "evt_1" });
});

const TEST_SUM = "0.25 test USDC on Base Sepolia";

test.each([
  ["settlement.settled", { purpose: "link" }, `You received ${TEST_SUM}`, `Your agent “Shopper” was paid ${TEST_SUM}.`],
  ["settlement.settled", { purpose: "deposit" }, `You received ${TEST_SUM}`, `A deposit of ${TEST_SUM} has arrived`],
  [
    "wallet.low",
    { balance: "250000" },
    `Your spending wallet has ${TEST_SUM} left`,
    "on Base Sepolia has 0.25 test USDC",
  ],
  ["vault.low", { balance: "250000" }, `A vault has ${TEST_SUM} left`, "on Base Sepolia has 0.25 test USDC left"],
  [
    "payment.approval_requested",
    asked("payment", "base-sepolia"),
    `Approve ${TEST_SUM} to api.example.com?`,
    `to pay ${TEST_SUM} to`,
  ],
  ["payment.refused", { reason: "x" }, `A payment of ${TEST_SUM} was refused`, `to pay ${TEST_SUM} to`],
  ["payout.created", asked("payout", "base-sepolia"), `Approve a payout of ${TEST_SUM}?`, `to pay out ${TEST_SUM}.`],
  ["refund.created", { by: "agent" }, `Approve a refund of ${TEST_SUM}?`, `to refund ${TEST_SUM}.`],
  ["mandate.created", { by: "agent", limitAmount: "250000" }, `Sign a mandate of up to ${TEST_SUM}?`, TEST_SUM],
])("the event %s with %o on the test network says so in title and text", (type, meta, subject, line) => {
  const notice = noticeOf(event(type, { network: "base-sepolia", ...meta }));
  expect(notice).toMatchObject({ subject, lines: [expect.stringContaining(line)] });
});

test("an event about an asset that is not USDC on Base does not say USDC", () => {
  const subjectOf = (network: unknown) => noticeOf(event("payment.refused", { network, reason: "x" }))?.subject;
  expect(subjectOf("service-credits")).toBe("A payment of 0.25 USDC in service credits was refused");
  for (const unknown of [undefined, "x", "constructor"])
    expect(subjectOf(unknown)).toBe("A payment of 0.25 USDC on an unknown network was refused");
  expect(noticeOf(event("payee.requested", asked("payee", "base-sepolia")))?.lines[0]).toContain(
    "address on Base Sepolia",
  );
});

test.each([
  ["mandate.created", { by: "owner" }],
  ["refund.created", { by: "owner" }],
  ["payout.created", { summary: null }],
  ["payout.created", {}],
  ["settlement.settled", { purpose: "payout" }],
  ["payment.settled", {}],
  ["__proto__", {}],
  ["constructor", {}],
])("the event %s with %o is not sent as a notice", (type, meta) => expect(noticeOf(event(type, meta))).toBeNull());

test("text written by an agent is one bounded line, and a mail contains only known members", () => {
  const name = `\u202e<b>${"x".repeat(100)}\r\nBcc: a@b.example`;
  const meta = { ...asked("payment", "base", name), token: "tok_secret", description: "hidden" };
  const notice = noticeOf(event("payment.approval_requested", meta, name));
  const text = JSON.stringify(notice);
  expect(text).not.toMatch(/secret|hidden|\\r|\\n|\u202e/);
  expect(notice?.lines[0]).toHaveLength(notice?.lines[0]?.replaceAll("\n", "").length ?? 0);
  expect(notice?.lines.join("").length).toBeLessThan(300);
  expect(
    noticeOf(event("payment.refused", { host: "h".repeat(253), reason: "r".repeat(500) }))?.lines[0]?.length,
  ).toBeLessThan(500);
  expect(oneLine(" a\t\nb ")).toBe("a b");
});

test("a mail links to the page, and to the way to unsubscribe", () => {
  const body = bodyOf({ lines: ["One."], path: "/dashboard" }, "https://wallet.example", "https://wallet.example/u");
  expect(body.split("\n")).toEqual([
    "One.",
    "",
    "https://wallet.example/dashboard",
    "",
    "--",
    "Tessera at wallet.example",
    "No more of these mails: https://wallet.example/u",
  ]);
});

test.each([
  [79n, false],
  [80n, true],
  [100n, true],
])("a budget of 100 with %s used is low: %s", (used, expected) => {
  expect(isLow({ limit: 100n, used })).toBe(expected);
});

test("a budget gets one mail when it is low", () => {
  const used = { mandateId: "mand_1", agentName: "A", limit: 1_000_000n, used: 850_000n };
  const one = budgetNotice({ ...used, network: "base" });
  expect(one).toMatchObject({ about: "budget mand_1", subject: "85 % of a mandate is used", path: "/mandates/mand_1" });
  expect(one.lines).toEqual(["Your agent “A” has used 0.85 of 1.00 USDC."]);
  expect(budgetNotice({ ...used, network: "base-sepolia" }).lines[0]).toContain("1.00 test USDC on Base Sepolia");
});

test("the notice of a limit over all spending says what is used of it", () => {
  const used = {
    about: "cap 7",
    agentName: null,
    network: "base",
    window: "24_hours",
    cap: 1_000_000n,
    used: 850_000n,
  } as const;
  const one = capNotice(used);
  expect(one).toMatchObject({ about: "cap 7", kind: "budget_low", subject: "85 % of your limit for 24 hours is used" });
  expect(one.lines).toEqual(["Your agents have used 0.85 of 1.00 USDC in 24 hours."]);
  const agents = capNotice({ ...used, agentName: "A", window: "30_days" });
  expect(agents.lines).toEqual(["Your agent “A” has used 0.85 of 1.00 USDC in 30 days."]);
});

test("a refused mail is not retried; one with an unknown outcome is, at growing intervals and not forever", () => {
  expect([outcomeOf(550), outcomeOf(451), outcomeOf(undefined)]).toEqual(["refused", "unknown", "unknown"]);
  expect(afterAttempt("sent", 1)).toEqual({ type: "over", state: "sent" });
  expect(afterAttempt("refused", 1)).toEqual({ type: "over", state: "failed" });
  expect([1, 2, 9].map((attempts) => afterAttempt("unknown", attempts))).toEqual([
    { type: "waiting", seconds: 60 },
    { type: "waiting", seconds: 120 },
    { type: "waiting", seconds: 15_360 },
  ]);
  expect(afterAttempt("unknown", 10)).toEqual({ type: "over", state: "failed" });
});
