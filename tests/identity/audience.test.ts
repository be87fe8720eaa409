import { decodeJwt } from "jose";
import { beforeAll, expect, test } from "vitest";
import { newAgent, type TestAgent } from "../support/actors";
import { call } from "../support/http";
import type { Json } from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();
let agent: TestAgent;
beforeAll(async () => {
  agent = await newAgent();
});

const issue = (change: object) =>
  call("POST", "/agent/vc/issue", {
    bearer: agent.jwt,
    json: { challenge: "c", audience: "https://a.example", ttl_seconds: 60, ...change },
  });
const verify = async (json: object) => (await call("POST", "/verify-vc", { json })).body as Json;
const eventCount = async () =>
  (await service.opened.sql`select count(*)::int as n from events where agent_id = ${agent.agentId}`)[0]?.n;

test("an audience has at most 2048 bytes of UTF-8; with one byte more it is refused and nothing is stored", async () => {
  const audience = `${"語".repeat(682)}xx`;
  const { vc } = (await issue({ audience })).body as Json;
  expect(decodeJwt(vc).aud).toBe(audience);
  expect(await verify({ vc, expected_audience: audience })).toMatchObject({ valid: true });
  const eventCountBefore = await eventCount();
  for (const long of [`${audience}x`, "é".repeat(1025), "a".repeat(60_000)]) {
    expect(await issue({ audience: long })).toMatchObject({
      status: 400,
      body: { error: "audience too large (max 2048 bytes)" },
    });
  }
  expect(await eventCount()).toBe(eventCountBefore);
});

test("a credential of maximal length is verified, with every byte of challenge and audience written as an escape", async () => {
  const [challenge, audience] = ["\u0001".repeat(4096), "\u0001".repeat(2048)];
  const { vc } = (await issue({ challenge, audience })).body as Json;
  expect(await verify({ vc, expected_challenge: challenge, expected_audience: audience })).toMatchObject({
    valid: true,
  });
});
