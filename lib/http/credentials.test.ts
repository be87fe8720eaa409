import { describe, expect, test } from "vitest";
import { assertOwnOrigin, bearerToken } from "./credentials";

const request = (headers: Record<string, string>, method = "GET") =>
  new Request("https://wallet.example/x", { method, headers });

describe("a bearer token", () => {
  test.each([
    ["Bearer abc.def.ghi", "abc.def.ghi"],
    ["bearer abc", "abc"],
    ["BEARER   abc", "abc"],
    [" Bearer abc ", "abc"],
  ])("is read from %j", (authorization, token) => {
    expect(bearerToken(request({ authorization }))).toBe(token);
  });

  test.each([
    "",
    "Bearer",
    "Bearer ",
    "Bearer a b",
    "Bearer a, Bearer b",
    "Basic dTpw",
    "Token abc",
    "abc",
    "Bearerabc",
  ])("is missing in %j", (authorization) => {
    expect(bearerToken(request({ authorization }))).toBeNull();
  });

  test("is missing when it is sent twice", () => {
    const req = request({ authorization: "Bearer a" });
    req.headers.append("authorization", "Bearer b");
    expect(bearerToken(req)).toBeNull();
  });

  test("is missing without the header", () => {
    expect(bearerToken(request({}))).toBeNull();
  });
});

describe("a changing request with a session cookie", () => {
  const check =
    (headers: Record<string, string>, method = "POST") =>
    () =>
      assertOwnOrigin(request(headers, method), "https://wallet.example");

  test("is accepted from the service's own pages", () => {
    expect(check({ origin: "https://wallet.example" })).not.toThrow();
    expect(() =>
      assertOwnOrigin(request({ origin: "http://localhost:3000" }, "POST"), "http://localhost:3000/base"),
    ).not.toThrow();
  });

  test.each([
    ["no origin", {}],
    ["an opaque origin", { origin: "null" }],
    ["another site", { origin: "https://evil.example" }],
    ["another scheme", { origin: "http://wallet.example" }],
    ["another port", { origin: "https://wallet.example:8443" }],
    ["a subdomain", { origin: "https://a.wallet.example" }],
    ["a name that begins like ours", { origin: "https://wallet.example.evil.com" }],
    ["our origin among others", { origin: "https://evil.example https://wallet.example" }],
    ["only a referer of this site", { referer: "https://wallet.example/" }],
  ])("is refused with %s, whatever the method", (_, headers) => {
    for (const method of ["POST", "PATCH", "PUT", "DELETE"]) {
      expect(check(headers as Record<string, string>, method)).toThrow(
        expect.objectContaining({ code: "origin_not_allowed", status: 403 }),
      );
    }
  });

  test("is checked like that; a reading request is not", () => {
    for (const method of ["GET", "HEAD"]) expect(check({ origin: "https://evil.example" }, method)).not.toThrow();
  });
});
