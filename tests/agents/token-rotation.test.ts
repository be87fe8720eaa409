import { expect, test } from "vitest";
import { newAgent, type TestAgent } from "../support/actors";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { type Json, linkedPair, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();

const rotate = ({ agentId }: TestAgent, token: string, change: object = {}) =>
  call("POST", "/token/rotate", { json: { agent_id: agentId, token, ...change } });
const refresh = async ({ agentId }: TestAgent, token: string) =>
  (await call("POST", "/refresh", { json: { agent_id: agentId, token } })).status;
const TOKEN = /^tok_[0-9A-Za-z]{24}$/;

test("after an agent rotates its token, the old token works for ten more minutes, and only for this agent", async () => {
  const agent = await newAgent();
  const { status, body } = await rotate(agent, agent.token);
  const { token, jwt, old_token_expires_at } = body as Json;
  expect([status, token]).toEqual([200, expect.stringMatching(TOKEN)]);
  expect(Math.abs(old_token_expires_at - (Date.now() / 1000 + 600))).toBeLessThan(60);
  expect((await call("GET", "/api/payments", { bearer: jwt })).status).toBe(200);
  expect([await refresh(agent, token), await refresh(agent, agent.token)]).toEqual([200, 200]);
  expect(await rotate(agent, agent.token)).toMatchObject({ status: 401, body: { error: "invalid_token" } });
  await service.opened.sql`update agents set old_token_until = now() - interval '1 second' where id = ${agent.agentId}`;
  expect([await refresh(agent, token), await refresh(agent, agent.token)]).toEqual([200, 401]);
});

test("a second rotation revokes the oldest of the three tokens immediately", async () => {
  const agent = await newAgent();
  const second = ((await rotate(agent, agent.token)).body as Json).token;
  const third = ((await rotate(agent, second)).body as Json).token;
  expect(await Promise.all([agent.token, second, third].map((token) => refresh(agent, token)))).toEqual([
    401, 200, 200,
  ]);
});

test("a rotation that revokes the old token at once also ends the logins made with it", async () => {
  const agent = await newAgent();
  const { body } = await rotate(agent, agent.token, { revoke_old: true });
  const { token, jwt, old_token_expires_at } = body as Json;
  expect(old_token_expires_at).toBeNull();
  expect([await refresh(agent, token), await refresh(agent, agent.token)]).toEqual([200, 401]);
  const responseBefore = await call("GET", "/api/payments", { bearer: agent.jwt });
  expect(responseBefore).toMatchObject({ status: 401, body: { code: "invalid_or_expired_jwt" } });
  expect((await call("GET", "/api/payments", { bearer: jwt })).status).toBe(200);
});

test("a thief who keeps logging in while the token is being revoked ends up without a valid login", async () => {
  const agent = await newAgent();
  const logins: string[] = [];
  const revoked = (async () => {
    while (logins.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    return (await rotate(agent, agent.token, { revoke_old: true })).body as Json;
  })();
  for (let turn = 0; turn < 25; turn++) {
    const { status, body } = await call("POST", "/refresh", {
      json: { agent_id: agent.agentId, token: agent.token },
    });
    if (status !== 200) break;
    logins.push((body as Json).jwt);
  }
  const { jwt } = await revoked;
  const statuses = logins.map(async (bearer) => (await call("GET", "/api/payments", { bearer })).status);
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]));
  expect((await call("GET", "/api/payments", { bearer: jwt })).status).toBe(200);
});

test("of many simultaneous rotations with one token, exactly one succeeds", async () => {
  const agent = await newAgent();
  const responses = await Promise.all(Array.from({ length: 6 }, () => rotate(agent, agent.token)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
});

test.each([
  ["a wrong token", { token: `tok_${"A".repeat(24)}` }, 401, "invalid_token"],
  ["no such agent", { agent_id: "00000000-0000-4000-8000-000000000000" }, 404, "agent_not_found"],
  ["an invalid id", { agent_id: "x" }, 404, "agent_not_found"],
  ["no token", { token: undefined }, 400, "token is required"],
  ["an empty token", { token: "" }, 400, "token is required"],
  ["no id", { agent_id: undefined }, 400, "agent_id is required"],
  ["a word for yes", { revoke_old: "yes" }, 400, "revoke_old must be true or false"],
  ["null instead of a boolean", { revoke_old: null }, 400, "revoke_old must be true or false"],
])("a rotation with %s changes nothing", async (_, change, status, error) => {
  const agent = await newAgent();
  expect(await rotate(agent, agent.token, change)).toMatchObject({ status, body: { error } });
  expect(await refresh(agent, agent.token)).toBe(200);
});

test("an owner who has signed a mandate can create an agent's token, which is recorded and stored as a hash", async () => {
  const { agent, owner } = await signedMandate();
  const rotateToken = (json: object, by = owner) => confirmedCall(by, `/api/agents/${agent.agentId}/token`, json);
  const { status, body } = await rotateToken({ revokeOld: true });
  const { token, oldTokenUntil } = body as Json;
  expect([status, token, oldTokenUntil]).toEqual([200, expect.stringMatching(TOKEN), null]);
  expect([await refresh(agent, token), await refresh(agent, agent.token)]).toEqual([200, 401]);
  const rows = JSON.stringify(await service.opened.sql`select * from agents where id = ${agent.agentId}`);
  expect(rows).not.toContain(token);
  const events = await service.opened
    .sql`select meta from events where type = 'agent.token_rotated' and agent_id = ${agent.agentId}`;
  expect([...events]).toEqual([{ meta: { by: "owner", isOldRevoked: true } }]);
  const keptResponse = await rotateToken({});
  expect((keptResponse.body as Json).oldTokenUntil).toEqual(expect.any(String));
  expect((await rotateToken({ revokeOld: "yes" })).status).toBe(400);
  const stranger = (await linkedPair()).owner;
  expect(await rotateToken({}, stranger)).toMatchObject({ status: 404, body: { code: "agent_not_found" } });
});

test("an owner who has signed nothing cannot lock an agent out by creating a new token", async () => {
  const { agent, owner } = await linkedPair();
  const response = await call("POST", `/api/agents/${agent.agentId}/token`, {
    session: owner.session,
    json: { revokeOld: true },
  });
  expect(response).toMatchObject({ status: 409, body: { code: "nothing_signed_yet" } });
  expect(await refresh(agent, agent.token)).toBe(200);
});
