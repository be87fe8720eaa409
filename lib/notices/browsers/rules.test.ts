import { describe, expect, test } from "vitest";
import { askedWords } from "@/lib/approvals/rules";
import { nameInWords, shortHost, sumInWords } from "@/lib/platform/summary";
import * as sample from "@/lib/samples";
import { noticeOf } from "../rules";
import { bodyOf, isPublicKey, outcomeOf, waitSecondsOf } from "./rules";

const POINT = "BNwXmHl_VnIGSiaNPC2xrjMlu3QLf2U7bkWAz70e7KFStm7AUDIxrAfVuOXD2WmAwEYKjnzqTDjSldwk6hYtNiE";

test("the title of a push notice shows the domain of a long host, and that text was cut", () => {
  const network = "base-sepolia";
  const words = askedWords({
    name: nameInWords("A"),
    sum: sumInWords(network, 10n ** 12n - 1n),
    host: shortHost(`bank.example.${"a.".repeat(100)}evil.example`),
    network,
  });
  const meta = { summary: { ...sample.summary, ...words } };
  const notice = noticeOf({ id: "evt_1", type: "payment.approval_requested", subject: "apr_1", agentName: "A", meta });
  const { title, text } = notice ? JSON.parse(bodyOf(notice)) : {};
  expect(title).toMatch(/^Approve 999,?999\.99\S* test USDC on Base Sepolia to ….*\.evil\.example\?$/);
  expect(text).toMatch(/ to …[^ ]*\.evil\.example\./);
  expect(`${title}${text}`).not.toContain("bank");
  const cut = JSON.parse(bodyOf({ subject: "s".repeat(200), lines: ["l".repeat(400)], path: "/", about: "a" }));
  expect([cut.title.at(-1), cut.text.at(-1)]).toEqual(["…", "…"]);
});

test("a push notice is short, whatever the event contains", () => {
  const long = "😀".repeat(1000);
  const body = bodyOf({ subject: long, lines: [long, "not this"], path: "/mandates/mand_1", about: "evt_1" });
  expect(JSON.parse(body)).toMatchObject({ path: "/mandates/mand_1", tag: "evt_1" });
  expect(Buffer.byteLength(body)).toBeLessThan(3_000);
  expect(body).not.toContain("not this");
  expect(JSON.parse(bodyOf({ subject: "s", lines: [], path: "/", about: "a" })).text).toBe("");
});

describe("the response of a push service", () => {
  test.each([
    [200, "sent"],
    [201, "sent"],
    [404, "gone"],
    [410, "gone"],
    [301, "unknown"],
    [400, "refused"],
    [401, "refused"],
    [403, "refused"],
    [413, "refused"],
    [408, "unknown"],
    [425, "unknown"],
    [429, "unknown"],
    [500, "unknown"],
    [503, "unknown"],
  ] as const)("with status %i means %s", (status, outcome) => expect(outcomeOf(status)).toBe(outcome));

  test.each([
    [undefined, 0],
    ["", 0],
    ["120", 120],
    ["999999999", 21_600],
    ["-1", 0],
    ["Wed, 21 Oct 2026 07:28:00 GMT", 0],
  ])("with Retry-After %j waits %i seconds", (text, seconds) => expect(waitSecondsOf(text)).toBe(seconds));
});

test("a push key must be a point on the curve", () => {
  expect(isPublicKey(POINT)).toBe(true);
  for (const wrong of ["", "BA", `BA${"A".repeat(85)}`, "A".repeat(87)]) expect(isPublicKey(wrong)).toBe(false);
});
