import { describe, expect, test } from "vitest";
import { type ProofOutcome, type ProofResponse, readProofResponse, readReason, readRedirect } from "./responses.ts";

const nothing = { receipt: undefined, required: undefined, body: undefined, isOwn: false };
const SETTLEMENT = { settlementId: "stl_1", contentUrl: "https://a.example/c" };
const NONE = { settlementId: undefined, contentUrl: undefined };

const FAILED = { code: "SETTLEMENT_FAILED" };
const EXPIRED = { code: "PAYMENT_EXPIRED" };
const DECLINED: ProofOutcome = { type: "refused", end: "declined" };
const NOT_PAID: ProofOutcome = { type: "refused", end: "not_paid" };

describe("a seller's response to a proof", () => {
  test.each<[string, Partial<ProofResponse> & { status: number }, ProofOutcome]>([
    ["is what was bought", { status: 200 }, { type: "delivered" }],
    ["is what was bought, whatever its body", { status: 204, body: "text" }, { type: "delivered" }],
    ["with a receipt", { status: 200, receipt: { success: true } }, { type: "delivered" }],
    ["with a receipt that says nothing", { status: 200, receipt: {} }, { type: "delivered" }],
    ["with a receipt is paid, also as an error", { status: 404, receipt: { success: true } }, { type: "delivered" }],
    ["with a receipt is paid, also as 202", { status: 202, receipt: { success: true } }, { type: "delivered" }],
    ["whose receipt says otherwise", { status: 200, receipt: { success: false } }, { type: "undecided" }],
    ["of a seller that is settling", { status: 202, body: SETTLEMENT }, { type: "accepted", ...SETTLEMENT }],
    [
      "of a seller that is settling, with a receipt that says so",
      { status: 202, body: SETTLEMENT, receipt: { success: false } },
      { type: "accepted", ...SETTLEMENT },
    ],
    ["of a seller that accepted it", { status: 202 }, { type: "accepted", ...NONE }],
    ["of a seller that accepted it and failed", { status: 202, receipt: { success: false } }, { type: "undecided" }],
    [
      "of a second presentation",
      { status: 409, body: { code: "PAYMENT_ALREADY_USED", ...SETTLEMENT, result: 5 } },
      { type: "used", ...SETTLEMENT, result: 5 },
    ],
    [
      "of a second presentation, without what it bought",
      { status: 409, body: { code: "PAYMENT_ALREADY_USED", contentUrl: 7 } },
      { type: "used", ...NONE, result: undefined },
    ],
    ["of a failed transfer, by a stranger's word", { status: 500, body: FAILED }, DECLINED],
    ["of a failed transfer of this service", { status: 500, body: FAILED, isOwn: true }, NOT_PAID],
    [
      "of a transfer of this service that can still be made",
      { status: 500, body: { ...FAILED, stillValidUntil: "2030-01-01T00:00:00.000Z" }, isOwn: true },
      DECLINED,
    ],
    ["of a failed transfer, whatever its status", { status: 200, receipt: { success: false }, body: FAILED }, DECLINED],
    ["of a proof that has expired, by a stranger's word", { status: 402, body: EXPIRED }, DECLINED],
    ["of a proof that has expired at this service", { status: 402, body: EXPIRED, isOwn: true }, NOT_PAID],
    ["of a broken seller", { status: 500 }, { type: "undecided" }],
    ["of a busy seller", { status: 429 }, { type: "undecided" }],
    ["that came too late", { status: 408 }, { type: "undecided" }],
    ["that came too early", { status: 425 }, { type: "undecided" }],
    ["of a slow clock", { status: 402, body: { code: "PAYMENT_NOT_YET_VALID" } }, { type: "undecided" }],
    [
      "of a slow clock, in x402 v2",
      { status: 402, required: { error: "PAYMENT_NOT_YET_VALID" } },
      { type: "undecided" },
    ],
    ["that refuses", { status: 402 }, DECLINED],
    ["that refuses with a code", { status: 410, body: { code: "LINK_SOLD_OUT" } }, DECLINED],
    ["that refuses in words", { status: 403, body: { error: "No, thanks" } }, DECLINED],
    ["whose redirect leads nowhere", { status: 308 }, { type: "refused", end: "unknown" }],
    ["of values that are no objects", { status: 402, receipt: null, required: 1, body: [] }, DECLINED],
  ])("%s", (_, response, expected) => {
    expect(readProofResponse({ ...nothing, ...response })).toEqual(expected);
  });
});

test("the reason of a refusal is read from the header, or else from the body", () => {
  expect(readReason({ required: { error: "expired" }, body: { error: "other" } })).toBe("expired");
  expect(readReason({ required: undefined, body: { error: "other" } })).toBe("other");
  expect(readReason({ required: { error: 1 }, body: "text" })).toBeUndefined();
});

describe("a redirect", () => {
  const from = (url: string, method = "GET", isPaying = false) => ({ url: new URL(url), method, isPaying });
  const to = (location: string | undefined, status = 302) => ({ location, status });

  test.each<[string, Parameters<typeof readRedirect>[0], Parameters<typeof readRedirect>[1], string]>([
    [
      "of a read to another origin is followed",
      to("https://b.example/x"),
      from("https://a.example"),
      "https://b.example/x",
    ],
    [
      "within the origin is followed with a proof",
      to("/x", 307),
      from("https://a.example", "GET", true),
      "https://a.example/x",
    ],
    [
      "of a proof to another origin is refused",
      to("https://b.example/"),
      from("https://a.example", "GET", true),
      "refused",
    ],
    ["of a POST by 302 is refused", to("/x"), from("https://a.example", "POST"), "refused"],
    [
      "of a POST by 307 within the origin is followed",
      to("/x", 307),
      from("https://a.example", "POST"),
      "https://a.example/x",
    ],
    [
      "of a POST by 307 to another origin is refused",
      to("https://b.example/", 307),
      from("https://a.example", "POST"),
      "refused",
    ],
    ["from https to http is refused", to("http://a.example/"), from("https://a.example"), "refused"],
    ["to another scheme is refused", to("file:///etc/passwd"), from("https://a.example"), "refused"],
    ["with credentials is refused", to("https://u:p@a.example/"), from("https://a.example"), "refused"],
    [
      "of a read within the origin by 302 is followed with a proof",
      to("/x"),
      from("https://a.example", "GET", true),
      "https://a.example/x",
    ],
    ["of a POST by 302 is refused with a proof", to("/x"), from("https://a.example", "POST", true), "refused"],
    [
      "with credentials is refused with a proof, at the same origin",
      to("https://u:p@a.example/x", 308),
      from("https://a.example", "GET", true),
      "refused",
    ],
    ["to what is no URL is refused", to("https://:"), from("https://a.example"), "refused"],
    ["to nowhere is none", to(undefined), from("https://a.example"), "none"],
    ["with another status is none", to("/x", 200), from("https://a.example"), "none"],
  ])("%s", (_, reply, asked, expected) => {
    const redirect = readRedirect(reply, asked);
    expect(redirect.type === "followed" ? redirect.url.href : redirect.type).toBe(expected);
  });
});
