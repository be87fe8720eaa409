import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { forgetOld } from "@/lib/oauth/service";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, linkedPair, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
const REDIRECT = "http://localhost:33418/callback";
const ENDPOINT = new URL(`${BASE_URL}/mcp/oauth`);

const toService = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
  const { pathname, search } = new URL(url);
  const { body } = init;
  return fetchPath(init.method ?? "GET", pathname + search, {
    headers: new Headers(init.headers),
    ...(body && { body }),
  });
};

const form = (path: string, fields: Record<string, string>) =>
  call("POST", path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

async function registered(change: object = {}): Promise<string> {
  const { status, body } = await call("POST", "/oauth/register", {
    json: { client_name: "Example app", redirect_uris: [REDIRECT], ...change },
  });
  expect(status).toBe(201);
  return (body as Json).client_id;
}

const newRequest = (clientId: string, change: object = {}) => {
  const verifier = randomBytes(32).toString("base64url");
  const request: Record<string, string> = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: "the app's state",
    resource: `${BASE_URL}/mcp`,
    ...change,
  };
  return { verifier, request };
};

/** The owner lets the app act as a new agent; returns what the browser brings back to the app. */
async function allowed(owner: TestOwner, request: object, agent: object = { agentName: "For the app" }) {
  const { status, body } = await confirmedCall(owner, "/api/connections", { request, ...agent });
  expect([status, body]).toEqual([200, expect.objectContaining({ status: "ok" })]);
  return Object.fromEntries(new URL((body as Json).redirectTo).searchParams) as {
    code: string;
    state: string;
    iss: string;
  };
}

const exchange = (clientId: string, code: string, verifier: string, change: Record<string, string> = {}) =>
  form("/oauth/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    ...change,
  });

const refresh = (clientId: string, refreshToken: string) =>
  form("/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken });

async function connected(owner?: TestOwner, agent?: object) {
  const person = owner ?? (await newOwner());
  const clientId = await registered();
  const { request, verifier } = newRequest(clientId);
  const { code } = await allowed(person, request, agent);
  const { status, body } = await exchange(clientId, code, verifier);
  expect(status).toBe(200);
  const { access_token, refresh_token } = body as Json;
  return { owner: person, clientId, code, verifier, access: String(access_token), refreshToken: String(refresh_token) };
}

const rpc = (bearer: string, method = "tools/list", params: object = {}) =>
  call("POST", "/mcp", {
    bearer,
    json: { jsonrpc: "2.0", id: 1, method, params },
    headers: { accept: "application/json, text/event-stream" },
  });
const works = async (bearer: string) => (await rpc(bearer)).status;
const agentOf = async (bearer: string): Promise<string> => {
  const { body } = await rpc(bearer, "tools/call", { name: "get_agent_status", arguments: {} });
  return (body as Json).result.structuredContent.agent.id;
};
const connectionsOf = async ({ session }: TestOwner) =>
  ((await call("GET", "/api/connections", { session })).body as Json).connections as Json[];

/** The tokens of an owner's apps, in a condition. */
const tokensOf = ({ address }: TestOwner) => service.opened.sql`connection_id in (
  select c.id from oauth_connections c join owners o on o.id = c.owner_id where o.address = ${address})`;

/** What ended the newest of an owner's connections that have ended. */
async function endedBy({ address }: TestOwner): Promise<string> {
  const [event] = await service.opened.sql`select e.meta from events e join owners o on o.id = e.owner_id
    where o.address = ${address} and e.type = 'agent.app_disconnected' order by e.created_at desc limit 1`;
  return event?.meta.by;
}

/** What a host implements: where it keeps its tokens, and how it opens a browser. */
function newHost() {
  const kept: { client?: Json; tokens?: Json; verifier?: string; url?: URL } = {};
  const keep = (name: keyof typeof kept) => (value: never) => {
    kept[name] = value;
  };
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: "A host",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    clientInformation: () => kept.client,
    saveClientInformation: keep("client"),
    tokens: () => kept.tokens,
    saveTokens: keep("tokens"),
    redirectToAuthorization: keep("url"),
    saveCodeVerifier: keep("verifier"),
    codeVerifier: () => kept.verifier,
  };
  return { provider, kept };
}

describe("a host that connects by OAuth only", () => {
  test.each([
    ["@modelcontextprotocol/sdk 1.x", ClientV1, TransportV1],
    ["@modelcontextprotocol/client 2.x", ClientV2, TransportV2],
  ] as const)("signs its user in, calls tools, refreshes and is disconnected: %s", async (_, Client, Transport) => {
    const host = newHost();
    const open = () => new Transport(ENDPOINT, { fetch: toService, authProvider: host.provider } as Json) as Json;
    const first = open();
    await expect(new Client({ name: "host", version: "1" }).connect(first)).rejects.toThrow(/nauthorized/);
    const { url } = host.kept;
    expect(url?.origin + String(url?.pathname)).toBe(`${BASE_URL}/oauth/authorize`);
    const owner = await newOwner();
    const { code, iss } = await allowed(owner, Object.fromEntries(url?.searchParams ?? []));
    expect(iss).toBe(BASE_URL);
    await first.finishAuth(code, iss);
    const client = new Client({ name: "host", version: "1" }) as Json;
    await client.connect(open());
    const { structuredContent } = await client.callTool({ name: "get_agent_status", arguments: {} });
    expect(structuredContent.agent).toMatchObject({ name: "For the app", isAuthorized: true });
    const { access_token } = host.kept.tokens;
    await service.opened.sql`update oauth_tokens set expires_at = now() where kind = 'access' and ${tokensOf(owner)}`;
    // Each of these is answered 401 and refreshes with the same token.
    const lists = await Promise.all([client.listTools(), client.listTools(), client.listTools()]);
    for (const { tools } of lists) expect(tools.length).toBeGreaterThan(20);
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    expect(host.kept.tokens.access_token).not.toBe(access_token);
    const [connection] = await connectionsOf(owner);
    expect(connection).toMatchObject({
      appName: "A host",
      returnsTo: "a program on this device",
      agentName: "For the app",
    });
    expect(connection.lastUsedAt).not.toBeNull();
    const path = `/api/connections/${connection.connectionId}`;
    expect((await call("DELETE", path, { session: owner.session })).status).toBe(200);
    await expect(client.listTools()).rejects.toThrow();
    expect(await connectionsOf(owner)).toEqual([]);
    await client.close();
  });
});

describe("the metadata", () => {
  test("names every endpoint, and a 401 leads to it", async () => {
    const refused = await call("POST", "/mcp/oauth", { json: { jsonrpc: "2.0", id: 1, method: "initialize" } });
    expect(refused.status).toBe(401);
    const [, resourceUrl = ""] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
    const resource = (await call("GET", new URL(resourceUrl).pathname)).body as Json;
    expect(resource).toMatchObject({ resource: `${BASE_URL}/mcp/oauth`, authorization_servers: [BASE_URL] });
    const { body, headers } = await call("GET", "/.well-known/oauth-authorization-server");
    expect(body).toMatchObject({ issuer: BASE_URL, code_challenge_methods_supported: ["S256"] });
    expect(headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("the metadata of a resource", () => {
  test.each(["/mcp", "/mcp/oauth"])(
    "of %s names it, as strict clients require, and a browser may read it",
    async (path) => {
      const answer = await call("POST", path, {
        bearer: "oat_1",
        json: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      });
      const url = `${BASE_URL}/.well-known/oauth-protected-resource${path}`;
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringContaining(`"${url}"`),
      ]);
      const { body, headers } = await call("GET", new URL(url).pathname);
      expect((body as Json).resource).toBe(`${BASE_URL}${path}`);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      const preflight = await fetchPath("OPTIONS", new URL(url).pathname);
      expect(preflight.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
    },
  );
});

describe("an owner", () => {
  test("signs before an app may act as an agent that has mandates, and the app can then spend", async () => {
    const { owner, agent, mandateId } = await signedMandate();
    const clientId = await registered({ client_name: "Pay\u202eee" });
    const { request } = newRequest(clientId);
    const asked = await call("POST", "/api/connections", {
      session: owner.session,
      json: { request, agentId: agent.agentId },
    });
    expect([asked.status, (asked.body as Json).code]).toEqual([403, "signature_required"]);
    expect((asked.body as Json).typedData.message).toMatchObject({
      app: "Payee",
      agentId: agent.agentId,
      returnsTo: "a program on this device",
    });
    const { access } = await connected(owner, { agentId: agent.agentId });
    expect(await agentOf(access)).toBe(agent.agentId);
    const { body } = await rpc(access, "tools/call", { name: "list_mandates", arguments: {} });
    expect(JSON.stringify(body)).toContain(mandateId);
  });

  test("cannot give away another owner's agent, or one that they have signed nothing for", async () => {
    const { agent } = await signedMandate();
    const { owner, agent: unsigned } = await linkedPair();
    const { request } = newRequest(await registered());
    const codeFor = async (agentId: string) =>
      ((await call("POST", "/api/connections", { session: owner.session, json: { request, agentId } })).body as Json)
        .code;
    expect(await codeFor(agent.agentId)).toBe("agent_not_found");
    expect(await codeFor(unsigned.agentId)).toBe("nothing_signed_yet");
    expect(await connectionsOf(owner)).toEqual([]);
  });

  test("cannot end another owner's connection", async () => {
    const { owner, access } = await connected();
    const [{ connectionId }] = (await connectionsOf(owner)) as [Json];
    const other = await newOwner();
    expect((await call("DELETE", `/api/connections/${connectionId}`, { session: other.session })).status).toBe(404);
    expect(await works(access)).toBe(200);
  });

  test("ends every app of an agent by deleting the agent", async () => {
    const { owner, access, clientId, refreshToken } = await connected();
    const agentId = await agentOf(access);
    expect((await call("DELETE", `/api/agents/${agentId}`, { session: owner.session })).status).toBe(200);
    expect(await works(access)).toBe(401);
    expect((await refresh(clientId, refreshToken)).body).toMatchObject({ error: "invalid_grant" });
  });

  test("can connect another app after deleting the agents of 100", async () => {
    const { owner, access } = await connected();
    const agentId = await agentOf(access);
    await service.opened.sql`
      insert into oauth_connections (id, client_id, app_name, returns_to, agent_id, owner_id, created_at)
      select id || n, client_id, app_name, returns_to, agent_id, owner_id, created_at
      from oauth_connections, generate_series(1, 99) n where agent_id = ${agentId}`;
    const { request } = newRequest(await registered());
    const connect = () =>
      call("POST", "/api/connections", { session: owner.session, json: { request, agentName: "Another" } });
    expect((await connect()).body).toMatchObject({ code: "too_many_connections" });
    expect((await call("DELETE", `/api/agents/${agentId}`, { session: owner.session })).status).toBe(200);
    expect((await connect()).status).toBe(200);
  });

  test("is asked again by nobody without a session or from another site", async () => {
    const { request } = newRequest(await registered());
    const json = { request, agentName: "x" };
    expect((await call("POST", "/api/connections", { json })).status).toBe(401);
    const { session } = await newOwner();
    const headers = { origin: "https://evil.example" };
    expect((await call("POST", "/api/connections", { session, json, headers })).status).toBe(403);
  });
});

describe("a code", () => {
  test("works once; a second use ends what the first one got", async () => {
    const { clientId, code, verifier, access, refreshToken, owner } = await connected();
    expect(await works(access)).toBe(200);
    expect(await exchange(clientId, code, verifier)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await works(access)).toBe(401);
    expect((await refresh(clientId, refreshToken)).status).toBe(400);
    expect(await connectionsOf(owner)).toEqual([]);
  });

  test("gives tokens to one of ten requests at the same time, and to none after that", async () => {
    const clientId = await registered();
    const { request, verifier } = newRequest(clientId);
    const { code } = await allowed(await newOwner(), request);
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(clientId, code, verifier)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { body } of answers) {
      const token = (body as Json).access_token;
      if (token) expect(await works(token)).toBe(401);
    }
  });

  test.each<[string, (other: string) => Record<string, string>]>([
    ["another verifier", () => ({ code_verifier: randomBytes(32).toString("base64url") })],
    ["no verifier", () => ({ code_verifier: "" })],
    ["another redirect URI", () => ({ redirect_uri: "http://localhost:33418/other" })],
    ["another app", (other) => ({ client_id: other })],
  ])("is refused for %s", async (_, change) => {
    const clientId = await registered();
    const { request, verifier } = newRequest(clientId);
    const { code } = await allowed(await newOwner(), request);
    const { status, body } = await exchange(clientId, code, verifier, change(await registered()));
    expect(status).toBeGreaterThanOrEqual(400);
    expect((body as Json).access_token).toBeUndefined();
  });

  test("is refused after a minute", async () => {
    const clientId = await registered();
    const { request, verifier } = newRequest(clientId);
    const owner = await newOwner();
    const { code } = await allowed(owner, request);
    await service.opened.sql`
      update oauth_tokens set expires_at = now() - interval '1 second' where kind = 'code' and ${tokensOf(owner)}`;
    expect((await exchange(clientId, code, verifier)).status).toBe(400);
  });
});

describe("a refresh token", () => {
  test("is replaced at each use, and a second use of an old one ends the connection for thief and app", async () => {
    const { owner, clientId, refreshToken } = await connected();
    const renewed = (await refresh(clientId, refreshToken)).body as Json;
    expect(await works(renewed.access_token)).toBe(200);
    await service.opened.sql`
      update oauth_tokens set used_at = used_at - interval '31 seconds' where kind = 'refresh' and ${tokensOf(owner)}`;
    expect((await refresh(clientId, refreshToken)).body).toMatchObject({ error: "invalid_grant" });
    expect(await works(renewed.access_token)).toBe(401);
    expect((await refresh(clientId, renewed.refresh_token)).status).toBe(400);
    expect(await endedBy(owner)).toBe("replay");
    expect(await connectionsOf(owner)).toEqual([]);
  });

  test("gives tokens to each of three requests at the same time, and to one whose answer was lost", async () => {
    const { clientId, refreshToken } = await connected();
    const answers = await Promise.all([1, 2, 3].map(() => refresh(clientId, refreshToken)));
    for (const { status, body } of [...answers, await refresh(clientId, refreshToken)]) {
      expect(status).toBe(200);
      expect(await works((body as Json).access_token)).toBe(200);
      expect((await refresh(clientId, (body as Json).refresh_token)).status).toBe(200);
    }
  });

  test("works again after a refresh that failed here, and whatever scope the app names", async () => {
    const { clientId, refreshToken, access, owner } = await connected();
    const [{ connectionId }] = (await connectionsOf(owner)) as [Json];
    const { sql } = service.opened;
    await sql.unsafe(`alter table oauth_tokens add constraint full_disk
      check (kind <> 'access' or connection_id <> '${connectionId}') not valid`);
    expect((await refresh(clientId, refreshToken)).status).toBe(500);
    await sql`alter table oauth_tokens drop constraint full_disk`;
    const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken };
    expect((await form("/oauth/token", { ...fields, scope: "openid offline_access" })).status).toBe(200);
    expect(await works(access)).toBe(200);
  });

  test("is not used up by a refresh that is refused because there were too many", async () => {
    const { clientId, refreshToken, owner } = await connected();
    const [{ connectionId }] = (await connectionsOf(owner)) as [Json];
    const key = `app_refresh_per_connection:${connectionId}`;
    const { sql } = service.opened;
    await sql`insert into rate_limits (key, points, expire) values (${key}, 1000000000, ${Date.now() + 2_000})`;
    const refused = await refresh(clientId, refreshToken);
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, true]);
    await sleep(2_500);
    expect((await refresh(clientId, refreshToken)).status).toBe(200);
  });

  test("that expired unused ends its connection, and the owner no longer sees the app", async () => {
    const [expired, used] = [await connected(), await connected()];
    await service.opened.sql`
      update oauth_tokens set expires_at = now() - interval '1 second' where ${tokensOf(expired.owner)}`;
    await forgetOld(service.opened.system, 1000);
    expect([await connectionsOf(expired.owner), await connectionsOf(used.owner)]).toEqual([[], [expect.anything()]]);
    expect(await endedBy(expired.owner)).toBe("expiry");
  });

  test("is refused for another app", async () => {
    const { clientId, refreshToken } = await connected();
    expect((await refresh(await registered(), refreshToken)).body).toMatchObject({ error: "invalid_grant" });
    expect((await refresh(clientId, refreshToken)).status).toBe(200);
  });

  test("ends with its connection when the app revokes it", async () => {
    const { clientId, access, refreshToken } = await connected();
    expect((await form("/oauth/revoke", { token: refreshToken })).status).toBe(200);
    expect(await works(access)).toBe(401);
    expect((await refresh(clientId, refreshToken)).status).toBe(400);
    expect((await form("/oauth/revoke", { token: "unknown" })).status).toBe(200);
    expect((await form("/oauth/revoke", {})).body).toMatchObject({ error: "invalid_request" });
  });
});

describe("an access token", () => {
  test("works at /mcp/oauth for calls of 256 KB, as at /mcp", async () => {
    const { access } = await connected();
    const json = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: { text: "x".repeat(250_000) } } };
    for (const path of ["/mcp", "/mcp/oauth"])
      expect([path, (await call("POST", path, { bearer: access, json })).status]).toEqual([path, 200]);
  });

  test("works at /mcp alone", async () => {
    const { access, refreshToken, code } = await connected();
    for (const bearer of [access, refreshToken, code]) {
      expect((await call("GET", "/api/payments", { bearer })).status).toBe(401);
      const json = { challenge: "c", audience: "https://a.example", ttl_seconds: 60 };
      expect((await call("POST", "/agent/vc/issue", { bearer, json })).status).toBe(401);
    }
    expect([await works(access), await works(refreshToken), await works(code)]).toEqual([200, 401, 401]);
  });
});

describe("the token endpoint", () => {
  test.each<[string, Record<string, string>, string]>([
    ["no grant type", { client_id: "app_x" }, "invalid_client"],
    ["another grant type", { grant_type: "password", username: "a", password: "b" }, "invalid_client"],
    ["no client", { grant_type: "refresh_token", refresh_token: "ort_1" }, "invalid_client"],
    [
      "an unknown client",
      { grant_type: "refresh_token", refresh_token: "ort_1", client_id: "app_1" },
      "invalid_client",
    ],
  ])("refuses %s in the form of RFC 6749", async (_, fields, error) => {
    const { status, body } = await form("/oauth/token", fields);
    expect([status, body]).toEqual([400, { error, error_description: expect.any(String) }]);
  });

  test("names the scheme to a client that is unknown by its Authorization header (RFC 6749, section 5.2)", async () => {
    const response = await call("POST", "/oauth/token", {
      raw: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "ort_1" }).toString(),
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${Buffer.from("app_1:secret").toString("base64")}`,
      },
    });
    expect([response.status, response.headers.get("www-authenticate"), (response.body as Json).error]).toEqual([
      ...[401, 'Basic realm="Service"', "invalid_client"],
    ]);
  });

  test("refuses JSON, and a form that is too large", async () => {
    expect((await call("POST", "/oauth/token", { json: { grant_type: "refresh_token" } })).status).toBe(400);
    expect((await form("/oauth/token", { grant_type: "x".repeat(20_000) })).status).toBe(413);
  });
});

describe("the registration of an app", () => {
  test.each<[string, object, string]>([
    ["no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["a script", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["a name that is no text", { client_name: 1 }, "invalid_client_metadata"],
  ])("is refused for %s", async (_, change, error) => {
    const { status, body } = await call("POST", "/oauth/register", { json: { redirect_uris: [REDIRECT], ...change } });
    expect([status, (body as Json).error]).toEqual([400, error]);
  });

  test("does not let an app use another redirect URI", async () => {
    const clientId = await registered();
    const owner = await newOwner();
    for (const redirect_uri of ["https://evil.example/", "http://localhost:33418/callback/../x", `${REDIRECT}?x=1`]) {
      const { request } = newRequest(clientId, { redirect_uri });
      const { status, body } = await call("POST", "/api/connections", {
        session: owner.session,
        json: { request, agentName: "x" },
      });
      expect([status, (body as Json).field]).toEqual([400, "redirect_uri"]);
    }
    expect(
      (await allowed(owner, newRequest(clientId, { redirect_uri: "http://localhost:1/callback" }).request)).code,
    ).toMatch(/^oac_/);
  });

  test("of an app that nobody connected ends after a month", async () => {
    const [unused, used] = [await registered(), (await connected()).clientId];
    const { sql } = service.opened;
    await sql`update oauth_apps set created_at = now() - interval '31 days' where id in ${sql([unused, used])}`;
    await forgetOld(service.opened.system, 1000);
    const rows = await sql`select id from oauth_apps where id in ${sql([unused, used])}`;
    expect(rows.map(({ id }) => id)).toEqual([used]);
  });
});
