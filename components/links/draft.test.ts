import { describe, expect, test } from "vitest";
import { toUsdc } from "@/lib/core/usdc";
import { draftOf, localMinute, readChange, readDraft, tooLong } from "./draft";
import type { LinkDraft } from "./draft-types";

const AGENT = "0d9a6f3e-8f0f-4a57-9f0e-3f6d1f1f4a10";
const least: LinkDraft = { ...draftOf(AGENT), amount: "1" };
const nothing = {
  network: "base",
  reference: null,
  description: "",
  resourceContent: null,
  redirectUrl: null,
  expiresAt: null,
  maxUses: null,
  isListed: false,
  isRepeatable: false,
};

describe("the form of a payment link requests", () => {
  test.each([
    ["1", "1000000"],
    ["12.5", "12500000"],
    [" 0.000001 ", "1"],
    ["90071992547409.930001", "90071992547409930001"],
  ])("exactly %s USDC", (amount, atomic) => {
    expect(readDraft({ ...least, amount })).toEqual({ type: "valid", body: { ...nothing, amount: atomic } });
  });

  test("the typed values, and none for empty fields", () => {
    const expiresAt = "2090-03-04T05:06";
    const draft = {
      ...least,
      reference: " Order 1042 ",
      description: " a ",
      resourceContent: "\n",
      redirectUrl: " https://a.example ",
      maxUses: " 7 ",
      isListed: true,
      isRepeatable: true,
    };
    expect(readDraft({ ...draft, network: "base-sepolia", expiresAt })).toEqual({
      type: "valid",
      body: {
        amount: "1000000",
        network: "base-sepolia",
        reference: "Order 1042",
        description: " a ",
        resourceContent: "\n",
        redirectUrl: "https://a.example",
        expiresAt: new Date(2090, 2, 4, 5, 6).toISOString(),
        maxUses: 7,
        isListed: true,
        isRepeatable: true,
      },
    });
  });
});

describe("the form of a payment link is refused", () => {
  test.each<[keyof LinkDraft, string[]]>([
    ["agentId", [""]],
    ["amount", ["", "0", "-1", "1e3", "1,5", "0.0000001", "١", "1.", "0x1"]],
    ["maxUses", ["0", "-1", "1.5", "1e3", "2147483648", "ten", "1 0"]],
    ["expiresAt", ["tomorrow", "2090-13-01T00:00"]],
    ["reference", ["x".repeat(201), "🌤".repeat(201)]],
    ["description", ["x".repeat(1001), "🌤".repeat(1001)]],
    ["resourceContent", ["x".repeat(32_769)]],
  ])("for an invalid %s", (field, values) => {
    for (const bad of values)
      expect(readDraft({ ...least, [field]: bad })).toEqual({
        type: "invalid",
        faults: { [field]: expect.any(String) },
      });
  });

  test("with all errors at once", () => {
    const read = readDraft({ ...least, agentId: "", amount: "", maxUses: "x" });
    expect(Object.keys(read.type === "invalid" ? read.faults : {})).toEqual(["agentId", "amount", "maxUses"]);
  });

  test("while its file is being uploaded, and after the upload failed, because the link would lack the file", () => {
    expect(readDraft({ ...least, isUploading: true })).toEqual({
      type: "invalid",
      faults: { fileId: expect.any(String) },
    });
    const failed = { ...least, fileId: "fil_before", fileName: "before.pdf", fileFault: "Try again." };
    expect(readDraft(failed)).toEqual({ type: "invalid", faults: { fileId: "Try again." } });
    expect(readDraft({ ...failed, fileFault: "" })).toMatchObject({ body: { fileId: "fil_before" } });
  });

  test("only for texts above the limit, counted in characters", () => {
    expect(tooLong({ ...least, description: "🌤".repeat(1000), resourceContent: "x".repeat(32_768) })).toEqual({});
    expect(tooLong({ ...least, description: "x".repeat(2234) })).toEqual({
      description: "Shorten it by 1,234 characters.",
    });
  });
});

describe("the change of a payment link contains", () => {
  const link = {
    amount: toUsdc(1_230_000n),
    network: "base" as const,
    description: "line\r\nline",
    resourceContent: "secret",
    redirectUrl: "https://a.example/",
    maxUses: 3,
    isListed: false,
  };
  const before = { ...draftOf(AGENT, link), expiresAt: localMinute(new Date("2090-01-01T00:00:30.500Z")) };

  test("nothing when nothing was typed, although the input cannot show seconds", () => {
    expect(readChange(before, { ...before })).toEqual({ type: "invalid", faults: { form: expect.any(String) } });
  });

  test.each<[Partial<LinkDraft>, object]>([
    [{ description: "" }, { description: "" }],
    [{ resourceContent: "" }, { resourceContent: null }],
    [{ redirectUrl: "" }, { redirectUrl: null }],
    [{ expiresAt: "" }, { expiresAt: null }],
    [{ maxUses: "" }, { maxUses: null }],
    [{ isListed: true }, { isListed: true }],
    [{ isRepeatable: true }, { isRepeatable: true }],
    [
      { maxUses: "4", description: "x" },
      { description: "x", maxUses: 4 },
    ],
    [{ expiresAt: "2091-01-01T00:00" }, { expiresAt: new Date(2091, 0, 1).toISOString() }],
  ])("%j alone, and null for emptied fields", (typed, change) => {
    expect(readChange(before, { ...before, ...typed })).toEqual({ type: "valid", change });
  });

  test("nothing while a field is invalid", () => {
    expect(readChange(before, { ...before, maxUses: "x" })).toEqual({
      type: "invalid",
      faults: { maxUses: expect.any(String) },
    });
  });
});

test("a time is displayed in local time, and read back as the same time", () => {
  const moment = new Date(2090, 6, 8, 9, 5);
  const expiresAt = localMinute(moment);
  expect(expiresAt).toBe("2090-07-08T09:05");
  expect(readDraft({ ...least, expiresAt })).toMatchObject({ body: { expiresAt: moment.toISOString() } });
});
