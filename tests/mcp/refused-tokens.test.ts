import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, test } from "vitest";
import { newAgent } from "../support/actors";
import { BASE_URL, call, fetchPath } from "../support/http";
import { type Json, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";

/** What a person reads who has put a wrong token into a host. */
shareService();

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

async function rotated(): Promise<string> {
  const { agentId, token } = await newAgent();
  await call("POST", "/token/rotate", { json: { agent_id: agentId, token, revoke_old: true } });
  return token;
}

async function credential(): Promise<string> {
  const { jwt } = await newAgent();
  const json = { challenge: "c", audience: "https://a.example", ttl_seconds: 60 };
  const { body } = await call("POST", "/agent/vc/issue", { bearer: jwt, json });
  return (body as Json).vc;
}

const CASES: readonly (readonly [string, () => Promise<string>, string, RegExp])[] = [
  [
    "a rotated token",
    rotated,
    "invalid_token",
    /^This agent token \(tok_\.\.\.\) is wrong or was replaced\. Put the newest/,
  ],
  ["a token that nobody has", async () => "Bearer tok_0", "invalid_token", /^This agent token/],
  [
    "an ended app",
    async () => "oat_0",
    "invalid_token",
    /^The access of this app has expired, or the owner has disconn/,
  ],
  [
    "a login that has expired",
    async () => (await newAgent()).jwt.slice(0, -4),
    "invalid_or_expired_jwt",
    /^This token is not valid here/,
  ],
  ["anything", async () => "sk-live-1", "invalid_or_expired_jwt", /^This token is not valid here/],
  ["a credential", credential, "wrong_token_type", /^This is a credential/],
  ["another scheme", async () => "Basic abc", "missing_bearer", /^The Authorization header must be the word Bearer/],
];

describe.each(["/mcp", "/mcp/oauth"])("%s", (path) => {
  test.each(CASES)("says of %s what it is, and what to do", async (_, tokenOf, code, message) => {
    const token = await tokenOf();
    const authorization = token.includes(" ") ? token : `Bearer ${token}`;
    const { status, body, headers } = await call("POST", path, { json: LIST, headers: { authorization } });
    const refused = body as Json;
    expect([status, refused.code, refused.retry]).toEqual([401, code, "log_in"]);
    expect(refused.message).toMatch(message);
    expect(refused.payment_model_context.instructions).toBe(refused.message);
    const challenge = headers.get("www-authenticate") ?? "";
    expect(challenge).toContain(`resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource${path}"`);
    // Without a token there is nothing wrong to describe (RFC 6750, 3.1).
    if (code === "missing_bearer") expect(challenge).not.toContain("error");
    else expect(challenge).toContain(`error="invalid_token", error_description="${refused.message}"`);
  });
});

test("the JWT of a deleted agent is refused in words", async () => {
  for (const path of ["/mcp", "/mcp/oauth"]) {
    const { owner, agent } = await signedMandate();
    expect((await call("DELETE", `/api/agents/${agent.agentId}`, { session: owner.session })).status).toBe(200);
    const { status, body } = await call("POST", path, { json: LIST, bearer: agent.jwt });
    expect([status, body]).toMatchObject([
      404,
      { code: "agent_not_found", message: expect.stringContaining("no longer exists") },
    ]);
  }
});

test("the published client shows the sentence", async () => {
  const transport = new StreamableHTTPClientTransport(new URL(`${BASE_URL}/mcp`), {
    fetch: async (url, init = {}) =>
      fetchPath(init.method ?? "GET", new URL(url).pathname, {
        headers: new Headers(init.headers),
        ...(init.body && { body: init.body }),
      }),
    requestInit: { headers: { Authorization: `Bearer ${await rotated()}` } },
  });
  const connecting = new Client({ name: "host", version: "1" }).connect(transport as Parameters<Client["connect"]>[0]);
  await expect(connecting).rejects.toThrow(
    "is wrong or was replaced. Put the newest one into this server's configuration",
  );
});
