import { expect, test } from "vitest";
import { draftOf } from "./draft";
import { readKept, writeKept } from "./kept-draft";

const AGENT = "0d9a6f3e-8f0f-4a57-9f0e-3f6d1f1f4a10";

test("a draft is kept without what buyers get and without an upload that did not end", () => {
  const draft = {
    ...draftOf(AGENT),
    title: "Lisbon",
    amount: "12.50",
    fields: [{ label: "E-mail", isRequired: true }],
    resourceContent: "the secret",
    isUploading: true,
    fileFault: "Try again.",
  };
  const text = writeKept(draft);
  expect(text).not.toContain("secret");
  expect(readKept(text)).toEqual({
    part: { agentId: AGENT, title: "Lisbon", amount: "12.50", fields: [{ label: "E-mail", isRequired: true }] },
    hadContent: true,
  });
});

test("an empty draft is not kept", () => {
  expect(writeKept(draftOf(AGENT))).toBeNull();
});

test.each([
  null,
  "",
  "{",
  "null",
  "[]",
  "{}",
  '{"part":null,"hadContent":true}',
  '{"part":{"title":1},"hadContent":false}',
  '{"part":{"network":"mars"},"hadContent":false}',
  '{"part":{"fields":[{"label":1}]},"hadContent":false}',
  '{"part":{"resourceContent":"x"},"hadContent":false}',
  '{"part":{"other":"x"},"hadContent":false}',
])("the stored text %j is no draft", (text) => {
  expect(readKept(text)).toBeNull();
});
