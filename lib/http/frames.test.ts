import { afterEach, describe, expect, test } from "vitest";
import { allowFrames, frameAncestors, isForFrames } from "./frames";

const LINK = "lnk_0123456789abcdefABCDEFGH";

afterEach(() => allowFrames(async () => []));

describe("frame-ancestors", () => {
  test("names the verified origins of the link's owner on the checkout for frames", async () => {
    const asked: string[] = [];
    allowFrames(async (linkId) => {
      asked.push(linkId);
      return ["https://shop.example", "http://localhost:8080"];
    });
    expect(await frameAncestors(`/embed/pay/${LINK}`)).toBe("https://shop.example http://localhost:8080");
    expect(asked).toEqual([LINK]);
  });

  test("is 'none' without verified origins", async () => {
    expect(await frameAncestors(`/embed/pay/${LINK}`)).toBe("'none'");
  });

  test.each([
    "/",
    "/dashboard",
    `/pay/${LINK}`,
    `/receipt/${LINK}`,
    `/embed/pay/${LINK}/`,
    `/embed/pay/${LINK}/x`,
    `/embed/pay/../pay/${LINK}`,
    `/embed/pay/${LINK}%2f..`,
    `/EMBED/pay/${LINK}`,
    `//embed/pay/${LINK}`,
    "/embed/pay/lnk_1",
    "/embed/pay/",
    "/embed/button-1.js",
    `/dashboard/embed/pay/${LINK}`,
  ])("is 'none' on %s", async (path) => {
    allowFrames(async () => ["https://shop.example"]);
    expect(await frameAncestors(path)).toBe("'none'");
  });

  test.each([
    "*",
    "https:",
    "https://a.example; script-src *",
    "https://*.example",
    "'self'",
    "https://a.example/x",
    "",
  ])("leaves out an invalid origin: %s", async (origin) => {
    allowFrames(async () => [origin]);
    expect(await frameAncestors(`/embed/pay/${LINK}`)).toBe("'none'");
  });
});

test("only pages for frames get no session cookie", () => {
  expect([`/embed/pay/${LINK}`, "/embed/x", "/pay/x", "/dashboard/embed/"].map(isForFrames)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
