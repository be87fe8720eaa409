import {
  discoverOAuthServerInfo as discoverInfoV2,
  discoverAuthorizationServerMetadata as discoverV2,
} from "@modelcontextprotocol/client";
import {
  buildDiscoveryUrls,
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  registerClient,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { describe, expect, test } from "vitest";
import { BASE_URL, call, fetchPath } from "../support/http";
import type { Json } from "../support/mandates";
import { shareService } from "../support/service";

shareService();

const ISSUER = { issuer: BASE_URL, registration_endpoint: `${BASE_URL}/oauth/register` };

/** `asked`: the paths that were requested, with the status of the answer. */
function newFetch() {
  const asked: string[] = [];
  const fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const response = await fetchPath(init.method ?? "GET", pathname + search, {
      headers: new Headers(init.headers),
      ...(init.body && { body: init.body }),
    }).catch((error: unknown) => {
      // In the test's process there are no pages, and none for a path that does not exist.
      if (String(error).includes("no route answers")) return new Response(null, { status: 404 });
      throw error;
    });
    asked.push(`${pathname} ${response.status}`);
    return response;
  };
  return { fetch, asked };
}

describe("the published clients find the authorization server", () => {
  test.each(["/mcp", "/mcp/oauth"])("from %s, with two requests", async (path) => {
    for (const discover of [discoverOAuthServerInfo, discoverInfoV2]) {
      const { fetch, asked } = newFetch();
      const info = await discover(`${BASE_URL}${path}`, { fetchFn: fetch });
      expect(info.authorizationServerMetadata).toMatchObject(ISSUER);
      expect(info.resourceMetadata?.resource).toBe(`${BASE_URL}${path}`);
      expect(asked).toEqual([
        `/.well-known/oauth-protected-resource${path} 200`,
        "/.well-known/oauth-authorization-server 200",
      ]);
    }
  });

  test("from the issuer, and from the resource's metadata alone", async () => {
    const { fetch } = newFetch();
    for (const discover of [discoverAuthorizationServerMetadata, discoverV2])
      expect(await discover(BASE_URL, { fetchFn: fetch })).toMatchObject(ISSUER);
    const metadata = await discoverOAuthProtectedResourceMetadata(`${BASE_URL}/mcp`, {}, fetch);
    expect(metadata.authorization_servers).toEqual([BASE_URL]);
  });

  test("as clients of 2025-03-26 do, which know no metadata of resources", async () => {
    const { fetch, asked } = newFetch();
    expect(await discoverOAuthMetadata(`${BASE_URL}/mcp`, {}, fetch)).toMatchObject(ISSUER);
    expect(asked.at(-1)).toBe("/.well-known/oauth-authorization-server 200");
  });

  // RFC 8414, 3.3: what is found there would have to name another issuer, and clients must not use it.
  test("at no other address", async () => {
    const [, ...elsewhere] = buildDiscoveryUrls(BASE_URL);
    for (const { url } of [...elsewhere, ...buildDiscoveryUrls(`${BASE_URL}/mcp`)]) {
      const { fetch } = newFetch();
      expect([url.pathname, (await fetch(url)).status]).toEqual([url.pathname, 404]);
    }
  });
});

describe("an app that registers where agents do", () => {
  const METADATA = { client_name: "A host", redirect_uris: ["http://localhost:33418/callback"] };

  test("is told the right address in the form of RFC 7591", async () => {
    const { status, body } = await call("POST", "/register", { json: METADATA });
    expect([status, body]).toEqual([
      400,
      { error: "invalid_client_metadata", error_description: expect.stringContaining("POST /oauth/register") },
    ]);
    const { fetch } = newFetch();
    const registering = registerClient(BASE_URL, { clientMetadata: METADATA, fetchFn: fetch });
    await expect(registering).rejects.toThrow("Apps that connect by OAuth register with POST /oauth/register");
  });

  test("is an agent if it says what an agent says", async () => {
    const agent = { agent_name: "Agent", client_info: "test", ...METADATA };
    const { status, body } = await call("POST", "/register", { json: agent });
    expect([status, (body as Json).token]).toEqual([200, expect.stringMatching(/^tok_/)]);
    const { body: refused } = await call("POST", "/register", { json: { client_info: "test" } });
    expect(refused).toEqual({ error: expect.stringContaining("agent_name") });
  });
});
