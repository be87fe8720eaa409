import { expect, test } from "vitest";
import { workOf } from "@/lib/core/endpoint";
import { callMcp } from "@/lib/mcp/contract";
import { newAgent } from "../support/actors";
import { call } from "../support/http";
import type { Json } from "../support/mandates";
import { runService } from "../support/service";

const service = runService();

const rpc = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const tool = (id: unknown, name: string) => rpc(id, "tools/call", { name, arguments: {} });
const notification = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };

const send = async (bearer: string | undefined, messages: unknown, version?: string, path = "/mcp") => {
  const headers = { ...(version && { "mcp-protocol-version": version }) };
  const { status, body, text } = await call("POST", path, { json: messages, headers, ...(bearer && { bearer }) });
  return { status, body: body as Json, text };
};

test.each([undefined, "2025-03-26"])("a batch is answered member by member (version: %s)", async (version) => {
  const { token, agentId } = await newAgent();
  const { status, body } = await send(
    token,
    [rpc("a", "tools/list"), tool(2, "get_agent_status"), notification],
    version,
  );
  expect([status, body.map(({ id }: Json) => id)]).toEqual([200, ["a", 2]]);
  expect(body[0].result.tools.length).toBeGreaterThan(20);
  expect(body[1].result.structuredContent.agent.id).toBe(agentId);
});

test.each(["2025-06-18", "2025-11-25", "2026-07-28"])(
  "a batch is refused in version %s, which has none",
  async (version) => {
    const { status, body } = await send(undefined, [rpc(1, "tools/list")], version);
    expect([status, body.code, body.message]).toEqual([400, "invalid_request", expect.stringContaining("2025-03-26")]);
  },
);

test("one member's failure does not change the answers to the others", async () => {
  const { body } = await send(undefined, [
    "tools/list",
    [rpc(1, "tools/list")],
    rpc(2, "initialize", { protocolVersion: "2025-03-26" }),
    { id: 3, method: "tools/list" },
    rpc({}, "tools/list"),
    rpc(4, "nothing/here"),
    tool(5, "get_agent_status"),
    rpc(6, "tools/list"),
  ]);
  const codes = body.map(({ id, error, result }: Json) => [id, error?.code ?? result.isError ?? "ok"]);
  expect(codes).toEqual([
    [null, -32_600],
    [null, -32_600],
    [2, -32_600],
    [3, -32_600],
    [null, expect.any(Number)],
    [4, -32_601],
    [5, true],
    [6, "ok"],
  ]);
});

test.each(["/mcp", "/mcp/oauth"])(
  "a batch of notifications at %s gets no answer, like one notification",
  async (path) => {
    const { token } = await newAgent();
    for (const messages of [notification, [notification, notification]])
      expect(await send(token, messages, undefined, path)).toMatchObject({ status: 202, text: "" });
  },
);

test("each member counts as a request: those above a limit are refused, and the rest is answered", async () => {
  const agent = await newAgent();
  await service.restart({ RATE_LIMITS: "mcp_per_agent=3/1h" });
  await service.opened.sql`delete from rate_limits`;
  const five = [1, 2, 3, 4, 5].map((id) => rpc(id, "tools/list"));
  const { status, body } = await send(agent.token, five);
  const refused = body.filter(({ error }: Json) => error);
  expect([status, body.length, refused.length]).toEqual([200, 5, 2]);
  expect(refused[0].error).toMatchObject({ code: -32_000, data: { code: "rate_limited", retry: "wait" } });
  await service.restart({ RATE_LIMITS: `work_per_address=${4 * workOf(callMcp)}/1h` });
  await service.opened.sql`delete from rate_limits`;
  const { body: strangers } = await send(undefined, five);
  // The batch itself counts too.
  expect(strangers.filter(({ result }: Json) => result)).toHaveLength(3);
});
