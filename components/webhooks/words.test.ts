import { expect, test } from "vitest";
import { webhookState } from "./words";

const start = new Date("2026-11-21T11:00:00Z");
const before = new Date("2026-11-21T12:00:00Z");
const after = new Date("2026-11-21T12:00:01Z");
const on = {
  enabled: true,
  verifiedAt: start,
  disabledBy: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  updatedAt: start,
};

test.each([
  ["nothing was sent yet", on, "Enabled"],
  ["its receiver has not answered the challenge", { ...on, verifiedAt: null }, "Not verified"],
  ["such a receiver fails", { ...on, verifiedAt: null, lastFailureAt: before }, "Failing"],
  ["its owner switched such a one off", { ...on, verifiedAt: null, enabled: false }, "Disabled"],
  ["all got through", { ...on, lastSuccessAt: before }, "Enabled"],
  ["something got through after the last failure", { ...on, lastFailureAt: before, lastSuccessAt: after }, "Enabled"],
  ["nothing ever got through", { ...on, lastFailureAt: before }, "Failing"],
  ["the last one failed", { ...on, lastSuccessAt: before, lastFailureAt: after }, "Failing"],
  ["it was switched on, or changed, after it failed", { ...on, lastFailureAt: before, updatedAt: after }, "Enabled"],
  ["it failed again after that", { ...on, lastFailureAt: after, updatedAt: before }, "Failing"],
  ["its owner switched it off", { ...on, enabled: false, lastFailureAt: before }, "Disabled"],
  ["it answered 410", { ...on, enabled: false, disabledBy: "gone" as const }, "Disabled: receiver gone"],
])("the status of a webhook when %s", (_, webhook, word) => {
  expect(webhookState(webhook).label).toBe(word);
});
