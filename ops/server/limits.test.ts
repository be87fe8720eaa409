import { beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import { isPaid } from "@/lib/openapi/failures";
import { writeRoutes } from "@/ops/compile-lib";
import { refusalOf } from "./limits.mjs";
import { answerTo } from "./refuse.mjs";
import { methodsAt } from "./routes.mjs";

beforeAll(() => void writeRoutes());

const statusOf = (url: string) => refusalOf({ url, rawHeaders: [] })?.status ?? null;

describe("the server's limit for request targets", () => {
  test.each<[string, string, number | null]>([
    ["a page", "/dashboard/links?state=active", null],
    ["the longest path", `/${"x".repeat(2047)}`, null],
    ["a longer path", `/${"x".repeat(2048)}`, 414],
    ["the longest query", `/?${"x".repeat(8192)}`, null],
    ["a longer query", `/?${"x".repeat(8193)}`, 414],
    ["100 parameters", `/?${"&".repeat(99)}`, null],
    ["101 parameters", `/?${"&".repeat(100)}`, 414],
    ["question marks in a query", `/?${"?".repeat(8192)}`, null],
    ["a broken escape in the path", "/%", 400],
    ["a broken escape in the query", "/?%", null],
    ["NUL", "/%00", 400],
    ["an escaped slash", "/%2f", null],
    ["another host", "http://evil.example/", 400],
    ["nothing", "", 400],
    ["a star", "*", 400],
  ])("is checked for %s", (_, url, status) => expect(statusOf(url)).toBe(status));
});

test.each<[string, number | null]>([
  ...["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"].map((method): [string, null] => [method, null]),
  ...["TRACE", "CONNECT", "PROPFIND", "get", ""].map((method): [string, number] => [method, 405]),
])("the HTTP method %j is checked before routing", (method, status) => {
  expect(refusalOf({ method, url: "/api/nothing", rawHeaders: [] })?.status ?? null).toBe(status);
});

describe("a page, a file and an unknown path", () => {
  const paths = ["/", "/dashboard", "/docs/quickstart", "/icon.svg", "/_next/static/x.js", "/nothing"];
  const framings = [
    ["Content-Length", "1"],
    ["content-length", "00"],
    ["Transfer-Encoding", "chunked"],
  ];

  test.each(paths)("(%s) accept only reading methods", (url) => {
    for (const method of ["GET", "HEAD"]) {
      expect(refusalOf({ method, url, rawHeaders: ["Content-Length", "0"] })).toBeNull();
      for (const rawHeaders of framings) expect(refusalOf({ method, url, rawHeaders })).toMatchObject({ status: 400 });
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      expect(refusalOf({ method, url, rawHeaders: [] })).toMatchObject({ status: 405, allow: ["GET", "HEAD"] });
    }
  });

  test("do not make routes refuse a body", () => {
    for (const rawHeaders of framings) {
      expect(refusalOf({ method: "POST", url: "/register", rawHeaders })).toBeNull();
      expect(refusalOf({ method: "POST", url: "/api/auth/signout", rawHeaders })).toBeNull();
      expect(refusalOf({ method: "GET", url: "/api/mandates", rawHeaders })).toBeNull();
    }
  });
});

test.each<[string, string, number | null]>([
  ["GET", "/icon.svg", null],
  ["HEAD", "/_next/static/chunks/a.js", null],
  ["POST", "/icon.svg", 405],
  ["POST", "/home.js", 405],
  ["POST", "/sw.js", 405],
  ["OPTIONS", "/icon.svg?a", 405],
  ["DELETE", "/_next/static/chunks/a.js", 405],
  ["POST", "/icon.svg/more", 405],
])("a %s request for the file %s is checked before routing", (method, url, status) => {
  expect(refusalOf({ method, url, rawHeaders: [] })?.status ?? null).toBe(status);
});

test.each([
  "/_next/image",
  "/_next/image?url=%2Fapi%2Fpayment-links%2Fimages%2Fimg_1&w=3840&q=75",
  "/_next/image/",
  "/_next/image/more",
  "//_next//image?url=x",
  "/%5Fnext/%69mage?url=x",
  "/_next%2Fimage?url=x",
])("Next's image optimizer cannot be reached at %s", (url) => {
  expect(refusalOf({ url, rawHeaders: [] })).toMatchObject({ status: 404, code: "endpoint_not_found" });
});

describe("the methods of a route", () => {
  test.each<[string, string, string[] | null]>([
    ["GET", "/api/mandates", null],
    ["HEAD", "/api/mandates", null],
    ["OPTIONS", "/api/mandates", null],
    ["POST", "/api/mandates", ["GET", "HEAD", "OPTIONS"]],
    ["POST", "/api/mandates/", ["GET", "HEAD", "OPTIONS"]],
    ["DELETE", "/api/mandates?limit=1", ["GET", "HEAD", "OPTIONS"]],
    ["GET", "/api/mandates/create-intent", ["POST", "OPTIONS"]],
    ["PATCH", "/api/mandates/mand_1", null],
    ["GET", "/api/mandates/mand_1/claim", ["POST", "OPTIONS"]],
    ["DELETE", "/api/payment-links/lnk_1", null],
    ["DELETE", "/api/payment-links/refunds/rfd_1", ["GET", "HEAD", "OPTIONS"]],
    ["GET", "/register", ["POST", "OPTIONS"]],
    ["POST", "/pay/lnk_1", ["GET", "HEAD", "OPTIONS"]],
    ["PUT", "/api/nothing/here", ["GET", "POST", "PATCH", "DELETE", "HEAD", "OPTIONS"]],
    ["POST", "/api/nothing/here", null],
    ["POST", "/dashboard", ["GET", "HEAD"]],
    ["POST", "/a/b/c/d/e/f", ["GET", "HEAD"]],
  ])("are checked for %s %s", (method, url, allow) => {
    expect(refusalOf({ method, url, rawHeaders: [] })?.allow ?? null).toEqual(allow);
  });

  test("are in the Allow header of a 405, whose body has the shape of the path", () => {
    const refusal = refusalOf({ method: "PUT", url: "/paymentlink/lnk_1", rawHeaders: [] });
    if (!refusal) throw new Error("it was not refused");
    const { status, headers, body } = answerTo(refusal, "/paymentlink/lnk_1");
    expect(status).toBe(405);
    expect(headers).toContainEqual(["Allow", "GET, HEAD, OPTIONS"]);
    expect(JSON.parse(body)).toMatchObject({
      status: "error",
      code: "METHOD_NOT_ALLOWED",
      message: expect.any(String),
    });
  });
});

describe("the server's limits for request headers", () => {
  const of = (name: string, size: number) => [name, "x".repeat(size)];

  test.each<[string, string[], number | null]>([
    ["/", [], null],
    ["/", ["Host", "a", "Accept", "host", "X-Host", "b"], null],
    ["/", ["Host", "a", "host", "a"], 400],
    ["/", of("a", 16_384 - 5), null],
    ["/", of("a", 16_384 - 4), 431],
    ["/", Array.from({ length: 200 }, () => ["a", "b"]).flat(), null],
    ["/", Array.from({ length: 201 }, () => ["a", "b"]).flat(), 431],
    ["/pay/lnk_1", Array.from({ length: 201 }, () => ["x-payment", "b"]).flat(), 431],
    ["/pay/lnk_1", of("X-PAYMENT", 100_000), null],
    ["/pay/lnk_1?a=b", of("payment-signature", 100_000), null],
    ["/pay/lnk_1", [...of("x-payment", 100_000), ...of("a", 20_000)], 431],
    ["/pay", of("x-payment", 100_000), 431],
    ["/payments/x", of("x-payment", 100_000), 431],
    ["/api/transaction-firewall/sentinel/api/scan", of("x-payment", 100_000), null],
    ["/api/credits/top-up", of("x-payment", 100_000), null],
    ["/api/credits/top-up/x", of("x-payment", 100_000), 431],
    ["/agent/vc/issue", of("Authorization", 100_000), null],
    ["/api/agents", of("authorization", 100_000), 431],
  ])("are checked at %s", (url, rawHeaders, status) => {
    // Every route responds to OPTIONS, and pages to GET.
    const method = methodsAt(url.split("?")[0] ?? "") ? "OPTIONS" : "GET";
    expect(refusalOf({ method, url, rawHeaders })?.status ?? null).toBe(status);
  });
});

test("a long proof is accepted by every endpoint that takes payments", () => {
  const paid = ENDPOINTS.filter(({ endpoint }) => isPaid(endpoint)).map(({ endpoint }) => endpoint);
  expect(paid.length).toBeGreaterThan(4);
  const refused = paid.filter(({ method, path }) => {
    const url = path.replace(/\{\w+\}/g, "x");
    return ["x-payment", "payment-signature"].some((name) =>
      refusalOf({ method, url, rawHeaders: [name, "x".repeat(100_000)] }),
    );
  });
  expect(refused).toEqual([]);
});
