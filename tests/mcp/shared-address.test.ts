import { expect, test } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { workOf } from "@/lib/core/endpoint";
import { callMcp } from "@/lib/mcp/contract";
import { exchangeToken } from "@/lib/oauth/contract";
import { newAgent } from "../support/actors";
import { call } from "../support/http";
import { type Json, linkedPair, signedMandate } from "../support/mandates";
import { runService } from "../support/service";

/** Hosts call /mcp for all of their users from few addresses. All calls here come from one. */
const service = runService();
const WORK = workOf(callMcp);

async function limited(limits: string): Promise<void> {
  await service.restart({ RATE_LIMITS: limits });
  await service.opened.sql`delete from rate_limits`;
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const send = async (bearer?: string, message: object = rpc("tools/list"), path = "/mcp") => {
  const { status, body } = await call("POST", path, { json: message, ...(bearer && { bearer }) });
  return { status, body: body as Json };
};
const status = async (bearer?: string) => (await send(bearer)).status;
const statuses = async (times: number, bearer?: string) => {
  const list: number[] = [];
  for (let n = 0; n < times; n++) list.push(await status(bearer));
  return list;
};

async function newLinked(): Promise<string> {
  return (await linkedPair()).agent.token;
}

test("a flood without a token exhausts its address, and agents there still get answers", async () => {
  await service.restart(LOOSE_LIMITS);
  const [owned, unowned] = [await newLinked(), await newAgent()];
  await limited(`work_per_address=${2 * WORK}/1h`);
  expect(await statuses(4)).toEqual([200, 200, 429, 429]);
  for (const token of [owned, unowned.token, unowned.jwt]) {
    const { status, body } = await send(token, rpc("tools/call", { name: "get_agent_status", arguments: {} }));
    // The endpoints that the tool calls are not counted for the address either.
    expect([status, body.result.isError ?? false]).toEqual([200, false]);
  }
  expect((await send(undefined, undefined, "/mcp/oauth")).status).toBe(429);
  const form = { raw: "grant_type=refresh_token", headers: { "content-type": "application/x-www-form-urlencoded" } };
  expect((await call("POST", "/oauth/token", form)).status).toBe(400);
  // The API itself is not /mcp: there the address counts.
  expect((await call("GET", "/api/payments", { bearer: unowned.jwt })).status).toBe(429);
});

test("a flood by one agent shuts out its owner's agents, and nobody else at the address", async () => {
  await service.restart(LOOSE_LIMITS);
  const [one, other] = [await linkedPair(), await newLinked()];
  const sibling = await signedMandate({}, { owner: one.owner, agent: await newAgent() });
  const [free, otherFree] = [await newAgent(), await newAgent()];
  await limited(`mcp_work_per_party=${2 * WORK}/1h`);
  expect(await statuses(3, one.agent.token)).toEqual([200, 200, 429]);
  expect(await status(sibling.agent.token)).toBe(429);
  expect(await statuses(3, other)).toEqual([200, 200, 429]);
  // An agent that cost nothing gets less.
  expect(await statuses(2, free.token)).toEqual([200, 429]);
  expect(await status(otherFree.token)).toBe(200);
  expect(await status()).toBe(200);
});

test("what a tool calls counts for its agent", async () => {
  await service.restart(LOOSE_LIMITS);
  const token = await newLinked();
  await limited(`mcp_work_per_party=${WORK + 1}/1h`);
  const { body } = await send(token, rpc("tools/call", { name: "list_payments", arguments: {} }));
  expect(body.result.structuredContent.error).toMatchObject({ code: "rate_limited", retry: "wait" });
});

test("what an endpoint allows an address, a tool allows each owner", async () => {
  await service.restart(LOOSE_LIMITS);
  const [one, other] = [await newLinked(), await newLinked()];
  await limited("discovery_per_address=1/1h");
  const search = rpc("tools/call", { name: "search_services", arguments: { query: "weather" } });
  const codeOf = async (token: string) => {
    const { result } = (await send(token, search)).body;
    return result.isError ? result.structuredContent.error.code : "ok";
  };
  expect((await call("GET", "/discovery/search?query=weather")).status).toBe(200);
  expect((await call("GET", "/discovery/search?query=weather")).status).toBe(429);
  expect([await codeOf(one), await codeOf(one), await codeOf(other)]).toEqual(["ok", "rate_limited", "ok"]);
});

test("all owners at an address have a bound, and agents without an owner have one of their own", async () => {
  await service.restart(LOOSE_LIMITS);
  const owned = [await newLinked(), await newLinked(), await newLinked()];
  const free = [await newAgent(), await newAgent()];
  await limited(`mcp_work_per_address=${2 * WORK}/1h`);
  for (const agent of free.slice(0, 1)) expect(await status(agent.token)).toBe(200);
  expect(await status(free[1]?.token)).toBe(429);
  expect([await status(owned[0]), await status(owned[1]), await status(owned[2])]).toEqual([200, 200, 429]);
});

test("wrong tokens exhaust what an address may have verified, and agents that were there before go on", async () => {
  await service.restart(LOOSE_LIMITS);
  const [known, newcomer] = [await newAgent(), await newAgent()];
  await limited("login_work_per_address=8/1h");
  expect(await status(known.token)).toBe(200);
  const wrong = ["tok_000000000000000000000000", "oat_000000000000000000000000", "nonsense", "a.b.c"];
  const refused = [];
  for (const token of wrong) refused.push(await status(token));
  expect(refused).toEqual([401, 429, 429, 429]);
  expect(await statuses(3, known.token)).toEqual([200, 200, 200]);
  expect(await status(newcomer.token)).toBe(429);
  expect(await status()).toBe(200);
});

test("a token that was valid a moment ago is verified at each call", async () => {
  await service.restart(LOOSE_LIMITS);
  const agent = await newAgent();
  expect(await status(agent.token)).toBe(200);
  const json = { agent_id: agent.agentId, token: agent.token, revoke_old: true };
  expect((await call("POST", "/token/rotate", { json })).status).toBe(200);
  expect(await status(agent.token)).toBe(401);
});

test("the token endpoint has an allowance of its own", async () => {
  await limited(`login_work_per_address=${2 * workOf(exchangeToken)}/1h`);
  const exchange = async () =>
    (
      await call("POST", "/oauth/token", {
        raw: "grant_type=refresh_token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      })
    ).status;
  expect([await exchange(), await exchange(), await exchange()]).toEqual([400, 400, 429]);
});

test("an owner whose money has moved is limited by none of these", async () => {
  await service.restart(LOOSE_LIMITS);
  const { agent, mandateId } = await signedMandate();
  await service.opened.sql`update mandates set spent_amount = 1000000 where id = ${mandateId}`;
  await limited(`mcp_work_per_party=${WORK}/1h,mcp_work_per_address=${WORK}/1h,work_per_address=${WORK}/1h`);
  expect(await statuses(4, agent.token)).toEqual([200, 200, 200, 200]);
  await service.opened.sql`update mandates set spent_amount = 0 where id = ${mandateId}`;
});
