import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { API_DOCS, withResponses } from "@/dev/docs/api";
import { openApi } from "@/lib/openapi/document";
import { ENDPOINTS } from "@/lib/openapi/endpoints";
import { newOwner } from "../support/actors";
import { endpoints, named, unknownPath } from "../support/endpoints";
import { BASE_URL, call } from "../support/http";
import { shareService } from "../support/service";

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;

/** The catch-all routes for unknown paths. */
const NOWHERE = "/api/{...path}";

/** Routes outside the contracts: probes, the bench's bare handler and next-auth. */
const OTHERS = [
  "GET /healthz",
  "GET /docs/markdown/{...path}",
  "GET /docs/verifiers/{file}",
  "GET /embed/{file}",
  "GET /llms.txt",
  "GET /llms-full.txt",
  "GET /.well-known/security.txt",
  "GET /.well-known/agent-skills/{...path}",
  "GET /.well-known/skills/{...path}",
  "GET /server.json",
  "GET /tessera-client.tgz",
  "GET /tessera.mcpb",
  "GET /tessera-firewall.tgz",
  "GET /readyz",
  "POST /api/devnet/echo",
  "GET /api/auth/{...nextauth}",
  "POST /api/auth/{...nextauth}",
  // Answered by the endpoint that has a refund's id in this place.
  "GET /api/payment-links/refunds/initiate",
  "GET /.well-known/oauth-protected-resource/mcp",
  "GET /.well-known/oauth-protected-resource/mcp/oauth",
  // 405.
  "GET /mcp",
  "DELETE /mcp",
  "GET /mcp/oauth",
  "DELETE /mcp/oauth",
  "GET /mcp/{linkId}",
  "DELETE /mcp/{linkId}",
  ...METHODS.map((method) => `${method} ${NOWHERE}`),
];

const routeModules = import.meta.glob<Record<string, unknown>>(["/app/**/route.ts", "/app/**/.well-known/**/route.ts"]);

const prefixOf = ({ path }: { path: string }) => path.split("/").slice(0, 3).join("/");

shareService();

let routes: string[];

beforeAll(async () => {
  routes = (
    await Promise.all(
      Object.entries(routeModules).map(async ([file, load]) => {
        const path = file
          .replace(/^\/app|\/route\.ts$|\/\([^)]*\)/g, "")
          .replace(/\[+([^\]]+)\]+/g, "{$1}")
          // In the API's document a rest is a parameter.
          .replace(/^(\/paid\/.*)\{\.\.\./, "$1{");
        const module = await load();
        return [...METHODS, "PUT"].filter((method) => method in module).map((method) => `${method} ${path}`);
      }),
    )
  ).flat();
});

test("every route has an endpoint in a contract, and every endpoint has a route", () => {
  expect(routes.filter((route) => !OTHERS.includes(route)).sort()).toEqual([...new Set(endpoints.map(named))].sort());
});

test("the OpenAPI document has every endpoint of every contract (lib/openapi/endpoints.ts)", async () => {
  expect(ENDPOINTS.map(({ endpoint }) => named(endpoint)).sort()).toEqual([...new Set(endpoints.map(named))].sort());
  const { status, body, headers } = await call("GET", "/openapi.json");
  expect([status, body]).toEqual([200, openApi(BASE_URL)]);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("cache-control")).toMatch(/^public, max-age=/);
  const etag = headers.get("etag") ?? "";
  const repeatedResponse = await call("GET", "/openapi.json", { headers: { "if-none-match": `W/${etag}, "other"` } });
  expect([repeatedResponse.status, repeatedResponse.text, repeatedResponse.headers.get("etag")]).toEqual([
    304,
    "",
    etag,
  ]);
});

test("docs/api.md names every endpoint", () => {
  const page = existsSync("docs/api.md") ? readFileSync("docs/api.md", "utf8") : "";
  const missing = endpoints.filter((e) => !page.includes(e.path));
  expect(missing.map(named)).toEqual([]);
});

test("docs/api.md has the responses and errors of the contracts (npx tsx dev/docs/api.ts)", () => {
  const page = readFileSync(API_DOCS, "utf8");
  expect(withResponses(page, endpoints)).toBe(page);
});

describe("an unknown path of the API", () => {
  const below = endpoints.filter(({ path, surface }) => path.startsWith("/api/") && surface !== "identity");
  // Service credits belong to the wallet; their purchase with a payment is a resource.
  const prefixes = new Map(below.filter(({ path }) => path !== "/api/credits/top-up").map((e) => [prefixOf(e), e]));

  test.each([...prefixes])(
    "below %s is answered with the error shape of its neighbours",
    async (prefix, { surface }) => {
      for (const method of METHODS) {
        const response = await call(
          method,
          `${prefix}/nothing/here/at/all`,
          method === "GET" ? {} : { raw: "no JSON" },
        );
        const code = surface === "resource" ? "ENDPOINT_NOT_FOUND" : "endpoint_not_found";
        expect(response).toMatchObject({ status: 404, body: { status: "error", code, message: expect.any(String) } });
        expect(response.headers.get("content-type")).toContain("application/json");
      }
    },
  );

  test.each(["/api", "/api/nothing"])("at %s is answered with the wallet's error shape", async (path) => {
    expect(await call("GET", path)).toMatchObject({ status: 404, body: { code: "endpoint_not_found" } });
  });
});

describe("every endpoint that needs a login JWT", () => {
  test.each(endpoints.filter((e) => e.auth === "agent").map((e) => [named(e), e] as const))(
    "%s rejects a request without a login before it checks anything else",
    async (_, e) => {
      const response = await call(e.method, unknownPath(e), e.method === "GET" ? {} : { raw: "not even JSON" });
      const requestId = response.headers.get("x-request-id");
      const bodies = {
        identity: { error: "missing_bearer" },
        wallet: { status: "error", code: "missing_bearer", requestId },
        resource: { status: "error", code: "MISSING_BEARER", requestId },
      };
      expect(response).toMatchObject({ status: 401, body: bodies[e.surface] });
    },
  );
});

describe("every endpoint for owners", () => {
  const forOwners = endpoints.filter((e) => e.auth === "owner");

  test.each(forOwners.map((e) => [named(e), e] as const))("%s rejects a request without a session", async (_, e) => {
    const response = await call(e.method, unknownPath(e), e.method === "GET" ? {} : { raw: "not even JSON" });
    expect(response).toMatchObject({ status: 401, body: { status: "error", code: "session_required" } });
  });

  test.each(forOwners.filter((e) => e.method !== "GET").map((e) => [named(e), e] as const))(
    "%s rejects a session that another site's page sends",
    async (_, e) => {
      const { session } = await newOwner();
      const response = await call(e.method, unknownPath(e), {
        session,
        headers: { origin: "https://evil.example" },
        raw: "{}",
      });
      expect(response).toMatchObject({ status: 403, body: { code: "origin_not_allowed" } });
    },
  );
});
