import { readdirSync } from "node:fs";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApi } from "@/dev/actors/api";
import { signInOwner } from "@/dev/actors/owners";
import { endpoints, named, unknownPath } from "../support/endpoints";
import { openStack } from "../support/own-stack";
import { type RawAnswer, rawBytes, rawRequest } from "../support/raw";

/** The server in front of Next in the production build: request limits, response headers, cookies. */
const START_MS = 600_000;

let baseUrl: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openStack("front");
  baseUrl = opened.stack.baseUrl;
  close = opened.close;
}, START_MS);
afterAll(() => close?.(), START_MS);

const get = (target: string, lines: string[] = []) => rawRequest(baseUrl, target, lines);
const json = (response: RawAnswer) => JSON.parse(response.body) as Record<string, unknown>;

const ALWAYS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
};

/** Checks all headers, each present once. A page's policy allows only scripts with its nonce; others allow none. */
function expectFullSet(response: RawAnswer, description: string): void {
  const match = Object.fromEntries(Object.keys(ALWAYS).map((name) => [name, response.headers.get(name)]));
  expect(match, description).toEqual(ALWAYS);
  const policy = response.headers.get("content-security-policy") ?? "";
  for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"]) {
    expect(policy, description).toContain(part);
  }
  expect(policy.match(/script-src/g)?.length ?? 0, description).toBe(policy.includes("'nonce-") ? 1 : 0);
  for (const name of [...Object.keys(ALWAYS), "content-security-policy"]) {
    expect(
      response.names.filter((other) => other === name),
      description,
    ).toHaveLength(1);
  }
  expect(response.headers.get("x-powered-by"), description).toBeNull();
}

describe("a request target longer than any page or endpoint needs", () => {
  const TOO_MANY = `?${Array.from({ length: 101 }, () => "a").join("&")}`;

  test.each<[string, string]>([
    ["40 KB of one parameter's name, again and again", `?${"a&".repeat(20_000)}`],
    ["as much of different names", `?${Array.from({ length: 8_000 }, (_, index) => `a${index}`).join("&")}`],
    ["101 parameters", TOO_MANY],
    ["101 empty ones", `?${"&".repeat(100)}`],
    ["a long value", `?a=${"x".repeat(8_191)}`],
    ["nested brackets", `?${"a[".repeat(4_097)}`],
    ["many percent signs", `?${"%25".repeat(2_731)}`],
    ["a long path", `/${"x".repeat(2_047)}`],
    ["a path of escapes", `/${"%61".repeat(700)}`],
    ["a deep path", "/a".repeat(1_024)],
  ])("is rejected with 414 on every path: %s", async (_, more) => {
    for (const path of ["/healthz", "/", "/api/agents", "/register", "/pay/lnk_1", "/x.svg", "/_next/static/x.js"]) {
      const response = await get(`${path}${more}`);
      expect([path, response.status, response.headers.get("connection")]).toEqual([path, 414, "close"]);
      expectFullSet(response, path);
    }
  });

  test("is rejected in the error body that each endpoint documents", async () => {
    for (const endpoint of endpoints) {
      const response = await get(`${unknownPath(endpoint)}${TOO_MANY}`);
      expect([named(endpoint), response.status]).toEqual([named(endpoint), 414]);
      const body = json(response);
      if (endpoint.surface === "identity") expect(body, named(endpoint)).toEqual({ error: "uri_too_long" });
      else {
        const code = endpoint.surface === "resource" ? "URI_TOO_LONG" : "uri_too_long";
        expect(body, named(endpoint)).toMatchObject({ status: "error", code, message: body.error });
        expect(response.headers.get("x-request-id"), named(endpoint)).toBe(body.requestId);
      }
      expect([named(endpoint), response.headers.get("access-control-allow-origin")]).toEqual([
        named(endpoint),
        endpoint.surface === "resource" ? "*" : null,
      ]);
    }
  });

  test.each<[string, string]>([
    ["100 parameters", `?${Array.from({ length: 100 }, () => "a").join("&")}`],
    ["8 KB", `?a=${"x".repeat(8_190)}`],
    ["broken escapes", "?a=%&b=%zz&c=%E0%A4%A&%=%"],
    ["escapes of escapes", `?a=${"%25".repeat(2_000)}`],
    ["brackets", `?a${"[b]".repeat(2_000)}=1`],
    ["names that objects have", "?__proto__=1&constructor=2&__proto__[x]=3&toString=4&hasOwnProperty=5"],
    ["overlong and cut UTF-8", "?a=%c0%af&b=%ed%a0%80&c=%f0%9f"],
    ["NUL and line ends", "?a=%00&b=%0d%0aX:%20y"],
  ])("does not include %s, which Next or the service handles", async (_, query) => {
    expect((await get(`/healthz${query}`)).status).toBe(200);
    expect((await get(`/${query}`)).status).toBe(200);
    expect((await get(`/api/agents${query}`)).status).toBe(401);
  });

  test.each(["/%E0%A4%A", "/%", "/%zz", "/%00", "/a%00b", "/%c0%af", "http://evil.example/", "*", "evil.example:443"])(
    "is rejected with 400 when it is not a path: %s",
    async (target) => {
      const response = await get(target);
      expect(response.status).toBe(400);
      expect(json(response)).toMatchObject({ status: "error", code: "invalid_request" });
      expectFullSet(response, target);
    },
  );

  test("does not delay other requests", async () => {
    const bad = Array.from({ length: 50 }, () => get(`/healthz?${"a&".repeat(20_000)}`));
    expect((await get("/healthz")).status).toBe(200);
    expect(new Set((await Promise.all(bad)).map(({ status }) => status))).toEqual(new Set([414]));
  });
});

describe("request headers", () => {
  const large = (name: string, size: number) => [`${name}: ${"x".repeat(size)}`];

  test.each<[number, string, string, number]>([
    [431, "/healthz", "X-Any", 16_384],
    [431, "/healthz", "X-Payment", 20_000],
    [431, "/", "Cookie", 20_000],
    [431, "/api/agents", "Authorization", 20_000],
    [431, "/pay/lnk_1", "Authorization", 20_000],
    [431, "/pay/lnk_1", "X-Any", 20_000],
    [431, "/agent/vc/issue", "X-Payment", 20_000],
    [431, "/agent/vc/issue/x", "Authorization", 20_000],
    [431, "/pay/lnk_1", "X-Payment", 140_000],
    [200, "/healthz", "X-Any", 15_000],
    [404, "/pay/lnk_1", "X-Payment", 30_000],
    [404, "/paymentlink/lnk_1", "Payment-Signature", 30_000],
    [405, "/agent/vc/issue", "Authorization", 90_000],
    [405, "/api/credits/top-up", "Payment-Signature", 30_000],
  ])("are answered with %i: %s with a %s of %i bytes", async (status, path, name, size) => {
    const response = await get(path, large(name, size));
    expect(response.status).toBe(status);
    if (status === 431) expectFullSet(response, path);
  });

  test("may be 100 small ones as well as one large one", async () => {
    const lines = Array.from({ length: 1_500 }, (_, index) => `x-${index}: 1234567890`);
    expect((await get("/healthz", lines)).status).toBe(431);
    expect((await get("/healthz", lines.slice(0, 100))).status).toBe(200);
  });

  test("may not be so many that Node drops the last ones, which a proxy may have added", async () => {
    const lines = Array.from({ length: 1_200 }, () => "a: b");
    const response = await get("/healthz", [...lines, "X-Forwarded-For: 192.0.2.1"]);
    expect(response.status).toBe(431);
    expectFullSet(response, "/healthz");
  });

  test.each([
    "FOO\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "GET /healthz HTTP/1.1\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n",
    "\u0016\u0003\u0001\u0002\r\n\r\n",
  ])("that are not HTTP are answered with 400: %j", async (bytes) => {
    const { hostname, port } = new URL(baseUrl);
    const response = await rawBytes(hostname, Number(port), bytes);
    expect(response.status).toBe(400);
  });
});

/** Every path of app/, with parameters that name nothing that exists. */
const FILES = readdirSync("app", { recursive: true, encoding: "utf8" });
const ROUTES = FILES.filter((file) => /(?:^|\/)(?:page\.tsx|route\.ts)$/.test(file)).map((file) => {
  const parts = file
    .split("/")
    .slice(0, -1)
    .filter((part) => !/^\(.*\)$/.test(part));
  return `/${parts.map((part) => part.replace(/^\[+(?:\.{3})?\w+\]+$/, "nobody_1")).join("/")}`;
});

const ELSEWHERE = [
  ...[
    "/nothing",
    "/x.svg",
    "/a/b.svg",
    "/",
    "/home.js",
    "/sw.js",
    "/icon.svg",
    "/favicon.ico",
    "/robots.txt",
    "/_next/x",
    "/_next/static/x.js",
  ],
  ...[
    "/_next/image?url=%2Ficon.svg&w=64&q=75",
    "/agent/a/b",
    "/.well-known/x",
    "/unifypaymentlink/x",
    "/healthz/",
    "/HEALTHZ",
  ],
  ...[
    "//evil.example/x",
    "/\\evil.example",
    "/dashboard/",
    "/sign-in?callbackUrl=//evil.example",
    "/404",
    "/500",
    "/_error",
  ],
  ...[
    "signin",
    "signout",
    "error",
    "error?error=Configuration",
    "verify-request",
    "csrf",
    "session",
    "providers",
    "x/y/z",
  ].map((path) => `/api/auth/${path}`),
];

describe("response headers", () => {
  test("are checked on more than a hundred routes", () => expect(ROUTES.length).toBeGreaterThan(100));

  test("are complete for every kind of response, for people and for programs", { timeout: 300_000 }, async () => {
    for (const target of [...ROUTES, ...ELSEWHERE]) {
      for (const accept of ["text/html", "*/*"]) {
        const response = await get(target, [`Accept: ${accept}`]);
        if (!/^\/(?:500|_error)$|error=Configuration/.test(target))
          expect([target, response.status < 500]).toEqual([target, true]);
        expectFullSet(response, `${target} ${accept} ${response.status}`);
        expect(response.headers.get("strict-transport-security"), "plain http").toBeNull();
      }
    }
  });

  test("are complete for every method, and for the static files that pages name", async () => {
    const { hostname, port, host } = new URL(baseUrl);
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"]) {
      for (const path of ["/", "/api/agents", "/api/auth/signin", "/icon.svg", "/pay/lnk_1", "/nothing"]) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
        const response = await rawBytes(hostname, Number(port), head);
        expectFullSet(response, `${method} ${path}`);
        expect(response.status, `${method} ${path}`).toBeLessThan(500);
      }
    }
    const files = (await get("/docs")).body.match(/\/_next\/static\/[^"'\\ ]+\.(?:js|css)/g) ?? [];
    expect(files.length).toBeGreaterThan(2);
    for (const file of new Set(files)) {
      const response = await get(file);
      expect([file, response.status]).toEqual([file, 200]);
      expectFullSet(response, file);
    }
  });
});

test("Next's image optimizer is switched off, so that nobody can make the server decode and scale images", async () => {
  for (const target of [
    "/_next/image?url=%2Ficon.svg&w=64&q=75",
    "/_next/image",
    "/_next/%69mage?url=%2Ficon.svg&w=64&q=75",
  ]) {
    const response = await get(target);
    expect([target, response.status, json(response).code]).toEqual([target, 404, "endpoint_not_found"]);
  }
});

describe("cookies over HTTP", () => {
  test("count as no session when there are two session cookies in any order, and next-auth accepts no duplicate cookie", async () => {
    const owner = await signInOwner(openApi(baseUrl), "Owner", privateKeyToAccount(generatePrivateKey()));
    expect((await owner.call("GET", "/api/wallet")).status).toBe(200);
    const name = "next-auth.session-token";
    for (const cookie of [`${name}=a; ${name}=b`, `${name}=a; ${name}`, `__Secure-${name}=a`, `__Host-${name}=a`]) {
      expect([cookie, (await get("/api/wallet", [`Cookie: ${cookie}`])).status]).toEqual([cookie, 401]);
    }
    for (const twice of [name, "next-auth.csrf-token", "next-auth.callback-url"]) {
      for (const path of ["session", "csrf", "signin", "signout"]) {
        const response = await get(`/api/auth/${path}`, [`Cookie: ${twice}=a; x=y; ${twice}=b`]);
        expect([twice, path, response.status]).toEqual([twice, path, 400]);
        expectFullSet(response, path);
      }
    }
    expect((await get("/api/auth/session", ["Cookie: a=b; a=b"])).status).toBe(200);
  });
});
