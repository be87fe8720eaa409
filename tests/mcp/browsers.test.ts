import { describe, expect, test } from "vitest";
import { newAgent } from "../support/actors";
import { BASE_URL, call, fetchPath } from "../support/http";
import type { Json } from "../support/mandates";
import { runService } from "../support/service";

/** Hosts that run in a browser, such as the inspector of MCP and web apps with PKCE. */
const service = runService();

const METADATA = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-protected-resource/mcp/oauth",
  "/.well-known/oauth-authorization-server",
];
const POSTED = ["/mcp", "/mcp/oauth", "/oauth/register", "/oauth/token", "/oauth/revoke"];
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

const names = (text: string | null) => (text ?? "").split(",").map((name) => name.trim().toLowerCase());

function expectReadable(headers: Headers): void {
  expect(headers.get("access-control-allow-origin")).toBe("*");
  // With it, a page could use the reader's session.
  expect(headers.has("access-control-allow-credentials")).toBe(false);
  expect(names(headers.get("access-control-expose-headers"))).toEqual(
    expect.arrayContaining(["www-authenticate", "retry-after"]),
  );
}

describe("a page of another origin", () => {
  test.each([...METADATA, ...POSTED])("may ask %s before it sends what hosts send", async (path) => {
    const headers = {
      origin: "https://inspector.example",
      "access-control-request-method": METADATA.includes(path) ? "GET" : "POST",
      "access-control-request-headers": "authorization,content-type,mcp-protocol-version,mcp-method",
    };
    const response = await fetchPath("OPTIONS", path, { headers });
    expect(response.status).toBe(204);
    expectReadable(response.headers);
    expect(names(response.headers.get("access-control-allow-methods"))).toEqual(
      expect.arrayContaining(["get", "post"]),
    );
    const allowed = names(response.headers.get("access-control-allow-headers"));
    const sent = ["authorization", "content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name", "*"];
    expect(allowed).toEqual(expect.arrayContaining(sent));
  });

  test.each(METADATA)("may read %s", async (path) => {
    const { status, headers } = await call("GET", path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("application/json");
    expectReadable(headers);
  });

  test.each<[string, string, object, number]>([
    ["/mcp", "tools/list", { json: LIST }, 200],
    ["/mcp", "a wrong token", { json: LIST, bearer: "tok_0" }, 401],
    ["/mcp", "no JSON", { raw: "{" }, 400],
    ["/mcp/oauth", "no token", { json: LIST }, 401],
    ["/oauth/register", "metadata", { json: { redirect_uris: ["https://app.example/cb"] } }, 201],
    ["/oauth/register", "no metadata", { json: {} }, 400],
    ["/oauth/register", "a list", { raw: "[]" }, 400],
    [
      "/oauth/token",
      "a wrong code",
      { raw: "grant_type=authorization_code&client_id=app_0&code=oac_0", headers: FORM },
      400,
    ],
    ["/oauth/token", "too much", { raw: "x".repeat(20_000), headers: FORM }, 413],
    ["/oauth/revoke", "an unknown token", { raw: "token=ort_0", headers: FORM }, 200],
  ])("may read what %s answers to %s", async (path, _, sent, status) => {
    const response = await call("POST", path, sent);
    expect(response.status).toBe(status);
    expectReadable(response.headers);
  });

  test("reads that there is no stream to open", async () => {
    for (const method of ["GET", "DELETE"]) {
      const response = await fetchPath(method, "/mcp", {});
      expect(response.status).toBe(405);
      expectReadable(response.headers);
    }
  });

  test("gets nothing by the reader's session", async () => {
    const { status, body } = await call("POST", "/mcp/oauth", {
      json: LIST,
      headers: { cookie: "next-auth.session-token=anything", origin: BASE_URL },
    });
    expect([status, (body as Json).code]).toEqual([401, "missing_bearer"]);
  });
});

test.each(["https://inspector.example", "http://app.example", "chrome-extension://abc", "null"])(
  "a service with a certificate answers pages of %s",
  async (origin) => {
    const { token } = await newAgent();
    await service.restart({ PUBLIC_BASE_URL: "https://wallet.example" });
    for (const path of ["/mcp", "/mcp/oauth"]) {
      const { status, headers } = await call("POST", path, { json: LIST, bearer: token, headers: { origin } });
      expect([path, status]).toEqual([path, 200]);
      expectReadable(headers);
    }
    await service.restart({ PUBLIC_BASE_URL: BASE_URL });
  },
);
