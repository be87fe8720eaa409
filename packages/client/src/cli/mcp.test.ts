import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BASE_URL, type Handler, json, offerV1, PAYEE, passSeller, scripted } from "../../testing/script.ts";
import { run } from "./run.ts";

const VAULT = `0x${"00".repeat(19)}aa`;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "tessera-mcp-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const stored = () => {
  const [name = ""] = readdirSync(join(directory, "agent-keys"));
  const path = join(directory, "agent-keys", name);
  return { ...JSON.parse(readFileSync(path, "utf8")), mode: statSync(path).mode & 0o777 };
};

/** The replies to the messages, and what the service was sent. */
async function serve(messages: object[], handlers: Record<string, Handler>) {
  const { fetch, sent } = scripted(handlers);
  const out: string[] = [];
  const code = await run(["mcp"], {
    env: { TESSERA_URL: BASE_URL, TESSERA_AGENT_ID: "a1", TESSERA_TOKEN: "tok_x", TESSERA_CONFIG_DIR: directory },
    out: (text) => void out.push(text),
    err: () => {},
    isTerminal: false,
    readIn: async () => "",
    lines: async function* () {
      for (const message of messages) yield JSON.stringify(message);
    },
    fetch,
    signal: new AbortController().signal,
  });
  expect(code).toBe(0);
  const everything = JSON.stringify([out, sent.map(({ body, url }) => [body, url])]);
  expect(everything).not.toContain(stored().privateKey.slice(2));
  const posted = sent.filter(({ url }) => url.endsWith("/mcp")).map(({ body }) => JSON.parse(body));
  return { replies: out.map((text) => JSON.parse(text)), sent, posted };
}

const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-06-18" } };
const tool = (id: number, name: string, args: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});
/** The service's MCP server: the handshake, and `answers` for the calls of tools in their order. */
const hosted = (...responses: object[]): Record<string, Handler> => ({
  "/mcp": ({ body }) => {
    const { id, method } = JSON.parse(body);
    if (method === "notifications/initialized") return new Response(null, { status: 202 });
    const result = method === "initialize" ? { protocolVersion: "2025-06-18" } : (responses.shift() ?? { tools: [] });
    return json(200, { jsonrpc: "2.0", id, result });
  },
});

test("`tessera mcp` passes messages to the server, with the protocol version of the handshake", async () => {
  const messages = [
    initialize,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", id: 2, method: "server/discover" },
  ];
  const { replies, sent } = await serve(messages, hosted());
  expect(replies.sort((a, b) => a.id - b.id)).toMatchObject([
    { id: 0, result: { protocolVersion: "2025-06-18" } },
    { id: 1, result: { tools: [] } },
    { id: 2, error: { code: -32601 } },
  ]);
  const versions = sent
    .filter(({ url }) => url.endsWith("/mcp"))
    .map(({ headers }) => headers.get("mcp-protocol-version"));
  expect(versions).toEqual([null, "2025-06-18", "2025-06-18"]);
});

test("`tessera mcp` proposes mandates with the agent's key, in a file that only this user can read", async () => {
  const intent = { naturalLanguage: "Weather", limitAmount: "1", validForSeconds: 60, vault: { payees: [PAYEE] } };
  const { posted } = await serve([tool(1, "create_intent_mandate", { intent })], hosted({ content: [] }));
  const { address, mode } = stored();
  expect(mode).toBe(0o600);
  expect(posted[0].params.arguments.intent).toEqual({ ...intent, vault: { agentKey: address, payees: [PAYEE] } });
  const again = await serve(
    [tool(1, "create_intent_mandate", { intent: { ...intent, vault: undefined } })],
    hosted({}),
  );
  expect(again.posted[0].params.arguments.intent.vault).toEqual({ agentKey: address });
});

/** The tool error that requests the signature of a payment. */
const authorizationRequired = (change: object = {}) => ({
  isError: true,
  structuredContent: {
    error: {
      code: "agent_authorization_required",
      vault: VAULT,
      agentKey: stored().address,
      typedData: { domain: { chainId: 8453 }, message: { to: PAYEE, value: "300000", ...change } },
    },
  },
});

test("`tessera mcp` signs exactly the seller's offer", async () => {
  await serve([initialize], hosted());
  const required = { x402Version: 1, accepts: [offerV1({ maxAmountRequired: "300000", payTo: PAYEE })] };
  const call = tool(1, "request_x402_v3_payment", { mandate_id: "mand_1", payment_required: required });
  const { posted } = await serve([call], hosted(authorizationRequired(), { structuredContent: { status: "ok" } }));
  expect(posted[1].params.arguments).toMatchObject({
    mandate_id: "mand_1",
    agentAuthorization: { validAfter: "0", signature: expect.stringMatching(/^0x[\da-f]{130}$/) },
  });
  for (const change of [{ to: VAULT }, { value: "300001" }]) {
    const { replies, posted: refusal } = await serve([call], hosted(authorizationRequired(change)));
    expect([replies[0].error.message, refusal.length]).toEqual([expect.stringContaining("another payment"), 1]);
  }
});

test("the pay_url tool of `tessera mcp` sends the request to the seller itself, not to the service", async () => {
  const free: Record<string, Handler> = { "GET /data": () => new Response("21 degrees") };
  const call = tool(1, "pay_url", { url: `${BASE_URL}/data`, maxAmount: "1", idempotencyKey: "k" });
  const { replies, posted } = await serve([call, tool(2, "pay_url", { url: BASE_URL })], { ...hosted(), ...free });
  expect(posted).toEqual([]);
  expect(replies.sort((a, b) => a.id - b.id)).toMatchObject([
    { result: { structuredContent: { outcome: "not_required", answer: { status: 200, body: "21 degrees" } } } },
    { result: { isError: true, structuredContent: { error: { code: "invalid_request" } } } },
  ]);
});

test("the pay_url tool of `tessera mcp` buys a pass with preferPass, and calls with it", async () => {
  const order = { url: "https://seller.example/paid/lnk_1/q", maxAmount: "10000", mandateId: "mand_1" };
  const call = (id: number) => tool(id, "pay_url", { ...order, prefer_pass: "500000", idempotencyKey: `k${id}` });
  const { replies } = await serve([initialize, call(1)], { ...hosted(), ...passSeller() });
  const { replies: later } = await serve([initialize, call(2)], { ...hosted(), ...passSeller() });
  expect([replies[1].result.structuredContent, later[1].result.structuredContent]).toMatchObject([
    { outcome: "delivered", payment: { amount: "500000" }, answer: { body: "on pass_1" } },
    { outcome: "not_required", answer: { body: "on pass_1" } },
  ]);
});
