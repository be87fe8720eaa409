import { expect, test } from "vitest";
import { type AgentId, newId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { mandateErrors } from "@/lib/mandates/errors";
import { paymentErrors } from "@/lib/payments/errors";
import { keyOf, ofDay, reasonOf, refusedAt, together } from "./rules";

const AT = new Date("2026-03-01T12:34:56.789Z");
const by = { ownerId: newId("owner"), agentId: "00000000-0000-4000-8000-000000000000" as AgentId };
const wanted = {
  mandateId: newId("mandate"),
  network: "base",
  host: "api.example.com",
  amount: toUsdc(5n),
  payTo: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};

test.each([
  [mandateErrors.mandate_disabled(), "mandate_disabled"],
  [paymentErrors.firewall_blocked(), "firewall_blocked"],
  [paymentErrors.invalid_resource(), null],
  [mandateErrors.mandate_not_found(), null],
  [mandateErrors.mandate_changed(), null],
  [new Error("x"), null],
])("for the error %s the recorded reason is %s", (error, reason) => expect(reasonOf(error)).toBe(reason));

test("refusals within one minute share one row, with the newest amount and both times", () => {
  const first = refusedAt(wanted, by, "host_not_allowed", AT);
  const later = new Date("2026-03-01T12:34:59Z");
  const second = refusedAt({ ...wanted, amount: toUsdc(7n) }, by, "host_not_allowed", later);
  expect(first.minute).toEqual(new Date("2026-03-01T12:34:00Z"));
  expect(keyOf(second)).toBe(keyOf(first));
  const both = { ...second, count: 2, firstAt: AT, lastAt: later };
  expect([together(first, second), together(second, first)]).toEqual([both, both]);
});

test.each([
  ["minute", refusedAt(wanted, by, "host_not_allowed", new Date("2026-03-01T12:35:00Z"))],
  ["reason", refusedAt(wanted, by, "mandate_expired", AT)],
  ["host", refusedAt({ ...wanted, host: "other.example.com" }, by, "host_not_allowed", AT)],
  ["mandate", refusedAt({ ...wanted, mandateId: null }, by, "host_not_allowed", AT)],
])("a refusal with another %s gets another row", (_, other) => {
  expect(keyOf(other)).not.toBe(keyOf(refusedAt(wanted, by, "host_not_allowed", AT)));
});

test("too many refusals share one row per day, whatever their hosts", () => {
  const one = ofDay(refusedAt(wanted, by, "host_not_allowed", AT));
  const other = ofDay(refusedAt({ ...wanted, host: "b" }, by, "host_not_allowed", new Date("2026-03-01T23:59:59Z")));
  expect(one).toMatchObject({ host: "", minute: new Date("2026-03-01T00:00:00Z") });
  expect(keyOf(other)).toBe(keyOf(one));
});

test("a long host name is cut", () => {
  expect(refusedAt({ ...wanted, host: "a".repeat(400) }, by, "x", AT).host).toHaveLength(253);
});
