import { expect, test } from "vitest";
import { webhookState } from "./words";

const start = new Date("2026-11-21T11:00:00Z");
const before = new Date("2026-11-21T12:00:00Z");
const after = new Date("2026-11-21T12:00:01Z");
const on = { enabled: true, disabledBy: null, lastSuccessAt: null, lastFailureAt: null, updatedAt: start };

test.each([
  ["nothing was sent yet", on, "On"],
  ["all got through", { ...on, lastSuccessAt: before }, "On"],
  ["something got through after the last failure", { ...on, lastFailureAt: before, lastSuccessAt: after }, "On"],
  ["nothing ever got through", { ...on, lastFailureAt: before }, "On, but failing"],
  ["the last one failed", { ...on, lastSuccessAt: before, lastFailureAt: after }, "On, but failing"],
  ["it was switched on, or changed, after it failed", { ...on, lastFailureAt: before, updatedAt: after }, "On"],
  ["it failed again after that", { ...on, lastFailureAt: after, updatedAt: before }, "On, but failing"],
  ["its owner switched it off", { ...on, enabled: false, lastFailureAt: before }, "Off"],
  ["it answered 410", { ...on, enabled: false, disabledBy: "gone" as const }, "Off: its receiver is gone"],
])("when %s", (_, webhook, word) => {
  expect(webhookState(webhook).word).toBe(word);
});
