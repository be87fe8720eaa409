import { describe, expect, test } from "vitest";
import { workOf } from "@/lib/core/endpoint";
import { callMcp } from "@/lib/mcp/contract";
import { newAgent } from "../support/actors";
import { BASE_URL, call } from "../support/http";
import { type Json, linkedPair, proposed } from "../support/mandates";
import { connectV1, connectV2 } from "../support/mcp";
import { requestedPayout } from "../support/payouts";
import { runService } from "../support/service";

const service = runService();
const HEADERS = { accept: "application/json, text/event-stream" };

const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const LIST = rpc("tools/list");
const callTool = (name: string, args: object) => rpc("tools/call", { name, arguments: args });

type Sending = { bearer?: string; headers?: Record<string, string>; raw?: string };
async function send(json: unknown, { bearer, headers, raw }: Sending = {}, path = "/mcp") {
  const response = await call("POST", path, {
    headers: { ...HEADERS, ...headers },
    ...(raw === undefined ? { json } : { raw }),
    ...(bearer && { bearer }),
  });
  return { ...response, body: response.body as Json };
}

const counts = async () =>
  (
    await service.opened
      .sql`select (select count(*) from agents) as agents, (select count(*) from mandates) as mandates,
    (select count(*) from payments) as payments, (select count(*) from purchases) as purchases`
  )[0];

describe("a request that /mcp does not accept", () => {
  test.each<[string, unknown, Sending, number]>([
    ["a batch in a version without them", [LIST, LIST], { headers: { "mcp-protocol-version": "2025-06-18" } }, 400],
    ["a batch of 21", Array.from({ length: 21 }, () => LIST), {}, 400],
    ["an empty batch", [], {}, 400],
    ["broken JSON", undefined, { raw: '{"jsonrpc":' }, 400],
    ["duplicate members", undefined, { raw: '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}' }, 400],
    ["deep nesting", undefined, { raw: `${'{"a":'.repeat(40)}1${"}".repeat(40)}` }, 400],
    ["an empty body", undefined, { raw: "" }, 400],
    ["another content type", LIST, { headers: { "content-type": "text/plain" } }, 415],
    ["a form", LIST, { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415],
    ["an oversized frame", rpc("tools/list", { pad: "x".repeat(300_000) }), {}, 413],
    ["a text", "tools/list", {}, 400],
    ["a number", 7, {}, 400],
    ["no method", { jsonrpc: "2.0", id: 1 }, {}, 400],
  ])("is refused: %s", async (_, json, sending, status) => {
    const rowsBefore = await counts();
    expect((await send(json, sending)).status).toBe(status);
    expect(await counts()).toEqual(rowsBefore);
  });

  test.each(["GET", "DELETE"])("is refused for the HTTP method %s", async (method) => {
    const { status, headers } = await call(method, "/mcp", { headers: HEADERS });
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("is refused if it is a subscription, instead of being kept open", async () => {
    const client = await connectV2("auto")();
    expect((await client.tools()).length).toBeGreaterThan(20);
    await client.close();
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    const json = rpc("subscriptions/listen", { notifications: { toolsListChanged: true }, _meta: meta });
    const { text } = await send(json, { headers });
    expect(text).toContain("error");
  });
});

describe("the Accept header of an MCP request", () => {
  test.each(["application/json", "*/*", "text/event-stream", ""])("may be %j: the answer is JSON", async (accept) => {
    for (const message of [LIST, rpc("initialize", INITIALIZE)]) {
      const { status, headers, body } = await send(message, { headers: { accept } });
      expect([status, headers.get("content-type"), body.error]).toEqual([200, "application/json", undefined]);
    }
  });
});

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "curl", version: "1" },
};

describe("the arguments of a tool", () => {
  test.each<[string, unknown, boolean]>([
    ["null", null, false],
    ["an empty text", "", false],
    ["JSON text", '{"payments":1}', false],
    ["the text null", "null", false],
    ["JSON text of a list", "[1]", true],
    ["a text that is no JSON", "payments=1", true],
    ["a number", 7, true],
  ])("sent as %s", async (_, args, isRefused) => {
    const { token } = await newAgent();
    const { body } = await send(rpc("tools/call", { name: "get_agent_status", arguments: args }), { bearer: token });
    expect(body.error !== undefined || body.result.isError === true).toBe(isRefused);
  });
});

test("no tool fails because of a text that cannot be stored", async () => {
  const { token } = await newAgent();
  const { body: list } = await send(LIST, { bearer: token });
  const sampleOf = ({ type }: Json) =>
    type === "integer" || type === "number" ? 1 : type === "boolean" ? true : "a\u0000";
  for (const { name, inputSchema } of list.result.tools) {
    const args = Object.fromEntries(
      Object.entries(inputSchema.properties ?? {}).map(([key, schema]) => [key, sampleOf(schema as Json)]),
    );
    for (const chosen of [args, ...Object.entries(args).map(([key, value]) => ({ [key]: value }))]) {
      const { status, text } = await send(callTool(name, chosen), { bearer: token });
      expect({ name, chosen, status, text }).toMatchObject({
        status: 200,
        text: expect.not.stringContaining("internal_error"),
      });
    }
  }
});

describe("the Origin header", () => {
  test.each(["https://evil.example", "http://localhost.evil.example", "http://127.0.0.1.evil.example:80", "null"])(
    "of %s is refused by a service on its user's machine",
    async (origin) => {
      const { token } = await newAgent();
      for (const path of ["/mcp", "/mcp/oauth"]) {
        const response = await send(LIST, { bearer: token, headers: { origin } }, path);
        expect([path, response.status, response.body.code]).toEqual([path, 403, "origin_not_allowed"]);
      }
    },
  );

  test.each([BASE_URL, "http://localhost:6274", "http://127.0.0.1:1", "http://[::1]:1"])(
    "of %s is accepted, a program of the same user",
    async (origin) => {
      expect((await send(LIST, { headers: { origin } })).status).toBe(200);
    },
  );
});

describe("the credentials of an MCP request", () => {
  test("are refused with the URL of the metadata if they are of the wrong type", async () => {
    const agent = await newAgent();
    const { body: vc } = await call("POST", "/agent/vc/issue", {
      bearer: agent.jwt,
      json: { challenge: "c", audience: "https://a.example", ttl_seconds: 60 },
    });
    const wrong = [(vc as Json).vc, "tok_000000000000000000000000", "nonsense", `${agent.jwt}x`, `${agent.token}x`];
    for (const bearer of wrong) {
      const response = await send(LIST, { bearer });
      expect(response.status).toBe(401);
      const metadata = `${BASE_URL}/.well-known/oauth-protected-resource/mcp`;
      expect(response.headers.get("www-authenticate")).toContain(`resource_metadata="${metadata}"`);
    }
    for (const authorization of ["Basic abc", "Bearer", ""]) {
      expect((await send(LIST, { headers: { authorization } })).status).toBe(401);
    }
    for (const bearer of [agent.jwt, agent.token]) expect((await send(LIST, { bearer })).status).toBe(200);
  });

  test("are described by metadata that names the endpoint", async () => {
    for (const path of ["", "/mcp"]) {
      const { status, body } = await call("GET", `/.well-known/oauth-protected-resource${path}`);
      expect({ status, body }).toMatchObject({ status: 200, body: { resource: `${BASE_URL}/mcp` } });
    }
  });

  test("are refused once they are a rotated token that was revoked", async () => {
    const agent = await newAgent();
    const { body } = await call("POST", "/token/rotate", {
      json: { agent_id: agent.agentId, token: agent.token, revoke_old: true },
    });
    expect((await send(LIST, { bearer: agent.token })).status).toBe(401);
    expect((await send(LIST, { bearer: (body as Json).token })).status).toBe(200);
  });

  test("are required except for init_agent_id and the scans, and the scans require a payment", async () => {
    const stranger = await connectV1();
    const rowsBefore = await counts();
    for (const { name } of await stranger.tools()) {
      if (name === "init_agent_id") continue;
      const { isError, value, text } = await stranger.call(name, examples[name] ?? {});
      expect([name, isError]).toEqual([name, true]);
      if (name.startsWith("scan_")) expect(value.accepts).toHaveLength(1);
      else expect(text).toMatch(/missing_bearer|invalid_request/);
    }
    expect(await counts()).toEqual(rowsBefore);
    await stranger.close();
  });
});

const examples: Record<string, object> = {
  scan_prompt: { text: "hello" },
  scan_transaction: { to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
  scan_payment: { paymentRequired: { x402Version: 1, accepts: [] } },
  pay_url: { url: "https://example.com", maxAmount: "1", idempotencyKey: "k" },
};

describe("the MCP tools", () => {
  test("return an error for a call to an unknown tool", async () => {
    const { agent } = await linkedPair();
    const { body } = await send(callTool("drain_wallet", {}), { bearer: agent.jwt });
    expect(body.error ?? body.result).toMatchObject(body.error ? { code: -32602 } : { isError: true });
  });

  test.each<[string, object]>([
    ["pay_url", {}],
    ["pay_url", { url: "https://example.com", maxAmount: "1.5", idempotencyKey: "k" }],
    ["pay_url", { url: "https://example.com", maxAmount: 1, idempotencyKey: "k" }],
    ["pay_url", { url: "https://example.com", maxAmount: "1", idempotencyKey: "" }],
    ["pay_url", { url: "https://example.com", maxAmount: "1", idempotencyKey: "k", extra: 1 }],
    ["pay_url", { url: "x".repeat(5000), maxAmount: "1", idempotencyKey: "k" }],
    ["create_intent_mandate", { intent: { naturalLanguage: "x", limitAmount: "-1", validForSeconds: 60 } }],
    ["request_payout", { to_address: "0x1", amount: "1", payout_id: "a" }],
    ["get_payout_status", { payout_id: "../../agents" }],
  ])("refuse arguments outside the schema: %s", async (name, args) => {
    const { agent } = await linkedPair();
    const rowsBefore = await counts();
    const { body } = await send(callTool(name, args), { bearer: agent.jwt });
    expect(body.result?.isError).toBe(true);
    expect(body.result.structuredContent.error).toMatchObject({
      code: "invalid_request",
      retry: "fix_request",
      nextStep: expect.any(String),
      fields: expect.arrayContaining([{ field: expect.any(String), message: expect.any(String) }]),
    });
    expect(await counts()).toEqual(rowsBefore);
  });

  test("treat another agent's ids as unknown", async () => {
    const [mine, theirs] = [await linkedPair(), await linkedPair()];
    const { mandateId } = await proposed(theirs.agent);
    const { payoutId } = await requestedPayout(theirs.agent);
    const client = await connectV1(mine.agent.token);
    const attempts: [string, object][] = [
      ["get_mandate_status", { mandate_id: mandateId }],
      ["get_payout_status", { payout_id: payoutId }],
      ["get_payment_link", { linkId: "lnk_000000000000000000000000" }],
      ["get_refund", { refundId: "rfd_000000000000000000000000" }],
      ["get_received_payment", { paymentId: 999_999 }],
      ["get_receipt", { settlementId: "stl_000000000000000000000000" }],
    ];
    for (const [name, args] of attempts) {
      const { isError, value } = await client.call(name, args);
      expect([name, isError, value.error.code]).toEqual([name, true, expect.stringMatching(/not_found$/)]);
      expect(value.error).toMatchObject({
        message: expect.any(String),
        nextStep: expect.any(String),
        retry: "fix_request",
      });
    }
    await client.close();
  });

  test("treat ids that look like paths as ids", async () => {
    const { agent } = await linkedPair();
    const client = await connectV1(agent.jwt);
    for (const mandate_id of ["../../agent/self/status", "a/b", "%2e%2e", "?x=1"]) {
      const { isError } = await client.call("get_mandate_status", { mandate_id });
      expect(isError).toBe(true);
    }
    await client.close();
  });
});

describe("the rate limits of MCP", () => {
  test("apply to each tool like to its endpoint, and to /mcp itself per client address and per agent", async () => {
    const agent = await newAgent();
    const limited = async (limits: string) => {
      await service.restart({ RATE_LIMITS: limits });
      await service.opened.sql`delete from rate_limits`;
    };
    await limited("mcp_per_agent=2/1h,register_per_address=3/1h");
    for (let n = 0; n < 2; n++) expect((await send(LIST, { bearer: agent.token })).status).toBe(200);
    const over = await send(LIST, { bearer: agent.token });
    expect([over.status, over.body.code, over.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      expect.any(String),
    ]);
    const codes: string[] = [];
    for (let n = 0; n < 4; n++) {
      const { body } = await send(callTool("init_agent_id", { agent_name: "a", client_info: "b" }));
      codes.push(body.result.structuredContent.error?.code ?? "ok");
    }
    expect(codes).toEqual(["ok", "ok", "ok", "rate_limited"]);
    await limited(`work_per_address=${2 * workOf(callMcp)}/1h`);
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await send(LIST)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
