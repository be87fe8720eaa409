import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rotateOwned } from "@/lib/agents/tokens";
import { workOf } from "@/lib/core/endpoint";
import { agentId as toAgent } from "@/lib/core/id-text";
import { LIMIT_NAMES, type LimitName } from "@/lib/core/limits";
import { getAgentCard } from "@/lib/identity/contract";
import * as identity from "@/lib/identity/service";
import { listLinks } from "@/lib/links/contract";
import type { System } from "@/lib/platform/context";
import { takeTurn, takeWork } from "@/lib/platform/limiter";
import { newAgent, type TestAgent } from "../support/actors";
import { signedBy } from "../support/confirmations";
import { partsOf, stranger, withClaims } from "../support/forged-tokens/parts";
import { signedMandate } from "../support/mandates";
import { type Served, serve } from "../support/serve";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
});

afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  for (const close of closing) await close();
  await testSystem?.close();
  await world?.stop();
});

const LIMIT: LimitName = "verify_per_agent";

/** A limiter as in another process on the same database. */
function replica(limits: string, change: Partial<System> = {}, env: Record<string, string> = {}): System {
  const { system, close } = openSystem(change, { RATE_LIMITS: limits, ...env });
  closing.push(close);
  return system;
}

const takes = (system: System, key: string, times: number, name: LimitName = LIMIT) =>
  Promise.all(Array.from({ length: times }, () => takeTurn(system, name, key)));
const granted = (responses: (number | null)[]) => responses.filter((response) => response === null).length;
const freshKey = () => randomUUID();

test("an owner can still end a token theft after the thief has used up the agent's limit of token rotations", async () => {
  const { agent, owner } = await signedMandate();
  const agentId = toAgent.parse(agent.agentId);
  const system = replica("rotate_per_agent=2/1h");
  const [row] = await testSystem.sql`select o.id, o.address from agents a join owners o on o.id = a.owner_id
    where a.id = ${agent.agentId}`;
  const actor = { type: "owner" as const, ownerId: row?.id, address: row?.address };
  let { token } = agent;
  const rotate = () => identity.rotateToken(system, { agentId, token, revokesOld: false });
  for (let times = 0; times < 2; times++) ({ token } = await rotate());
  await expect(rotate()).rejects.toMatchObject({ code: "rate_limited" });
  const byOwner = (signature?: `0x${string}`) =>
    rotateOwned({ ...system, actor, requestId: "test" }, agentId, { revokeOld: true, signature });
  const { details } = (await byOwner().catch((error: unknown) => error)) as { details: object };
  const signature = await signedBy(owner, { body: details });
  await expect(byOwner(signature)).resolves.toMatchObject({ oldTokenUntil: null });
  await expect(identity.refresh(system, { agentId, token })).rejects.toMatchObject({ code: "invalid_token" });
});

describe("the calls that a rate limit allows", () => {
  test.each([1, 2, 7, 19, 20, 39, 50])("are exactly %i of two hundred simultaneous ones", async (limit) => {
    const system = replica(`${LIMIT}=${limit}/1h`);
    const responses = await takes(system, freshKey(), 200);
    expect(granted(responses)).toBe(limit);
    for (const response of responses) if (response !== null) expect(response).toBeGreaterThanOrEqual(1);
    for (const response of responses) if (response !== null) expect(response).toBeLessThanOrEqual(3600);
  });

  test.each([1, 5, 19, 39])("are exactly %i at two replicas together, one request at a time", async (limit) => {
    const key = freshKey();
    const [a, b] = [replica(`${LIMIT}=${limit}/1h`), replica(`${LIMIT}=${limit}/1h`)];
    const given = [];
    for (let index = 0; index < limit + 4; index++) given.push(await takeTurn(index % 2 ? a : b, LIMIT, key));
    expect(given.map((response) => response === null)).toEqual(given.map((_, index) => index < limit));
  });

  test("never exceed the limit at simultaneous replicas, which reserve them in shares and waste less than a share each", async () => {
    const key = freshKey();
    const systems = [1, 2, 3].map(() => replica(`${LIMIT}=400/1h`));
    const rounds = await Promise.all(systems.map((system) => takes(system, key, 300)));
    const total = granted(rounds.flat());
    expect(total).toBeLessThanOrEqual(400);
    expect(total).toBeGreaterThan(400 - 20 * systems.length);
  });

  test("are all allowed when the limit does not divide into equal shares", async () => {
    for (const limit of [101, 601]) {
      expect(granted(await takes(replica(`${LIMIT}=${limit}/1h`), freshKey(), limit + 50))).toBe(limit);
    }
  });

  test.each([1, 7, 20, 30])("can be taken %i at once as long as that many are left", async (count) => {
    const system = replica(`${LIMIT}=100/1h`);
    const key = freshKey();
    const responses = await Promise.all(Array.from({ length: 120 }, () => takeTurn(system, LIMIT, key, count)));
    expect(granted(responses)).toBe(Math.floor(100 / count));
  });

  test("are all used up by a single call that costs more than the whole limit", async () => {
    const system = replica("work_per_address=10/1h");
    const key = freshKey();
    expect(await takeWork(system, "work_per_address", key, 11)).toBeNull();
    expect(await takeWork(system, "work_per_address", key, 1)).not.toBeNull();
  });

  test("are available again in full after the window", async () => {
    const [a, b] = [replica(`${LIMIT}=4/3s`), replica(`${LIMIT}=4/3s`)];
    const key = freshKey();
    expect(granted(await takes(a, key, 20))).toBe(4);
    const wait = await takeTurn(b, LIMIT, key);
    expect([1, 2, 3]).toContain(wait);
    await sleep(Number(wait) * 1000 + 100);
    expect(granted(await takes(b, key, 20))).toBe(4);
    expect(granted(await takes(a, key, 20))).toBe(0);
  });

  test("of one window cannot be used in the next", async () => {
    const [a, b] = [replica(`${LIMIT}=40/3s`), replica(`${LIMIT}=40/3s`)];
    const key = freshKey();
    expect(await takeTurn(a, LIMIT, key)).toBeNull();
    await sleep(3100);
    const all = await Promise.all([takes(a, key, 60), takes(b, key, 60)]);
    expect(granted(all.flat())).toBeLessThanOrEqual(40);
  });

  test("of one key or limit are separate from others", async () => {
    const system = replica(LIMIT_NAMES.map((name) => `${name}=3/1h`).join(","));
    const keys = [freshKey(), freshKey(), "::/64", "a'b", "語", ""];
    for (const name of LIMIT_NAMES) {
      for (const key of keys) expect([name, key, granted(await takes(system, key, 5, name))]).toEqual([name, key, 3]);
    }
  });

  test("of an exhausted key cost no further query", async () => {
    const system = replica(`${LIMIT}=2/1h`);
    const key = freshKey();
    await takes(system, key, 5);
    let queries = 0;
    system.db.$client.on("acquire", () => {
      queries += 1;
    });
    expect(granted(await takes(system, key, 1000))).toBe(0);
    expect(queries).toBe(0);
    expect(await takeTurn(system, LIMIT, freshKey())).toBeNull();
    expect(queries).toBe(1);
  });

  test("are counted per process while the database is down, and this is logged", async () => {
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
    const away = { DATABASE_URL: "postgres://nobody@127.0.0.1:9/nothing" };
    const [a, b] = [replica(`${LIMIT}=3/1h`, { log }, away), replica(`${LIMIT}=3/1h`, { log }, away)];
    const key = freshKey();
    expect(granted(await takes(a, key, 10))).toBe(3);
    expect(granted(await takes(b, key, 10))).toBe(3);
    expect(lines.map((line) => JSON.parse(line).msg)).toContain("rate_limit.store_failed");
    expect(lines.join("")).not.toContain(key);
  });
});

describe("a rate limit over HTTP", () => {
  let served: Served;
  let agent: TestAgent;
  let otherAgent: TestAgent;

  const PER_ADDRESS = {
    "/register": "register_per_address",
    "/refresh": "refresh_per_address",
  } as const;
  const paths = Object.keys(PER_ADDRESS) as (keyof typeof PER_ADDRESS)[];

  /** The service with these limits and reset counts. */
  async function under(limits: Partial<Record<LimitName, string>>): Promise<void> {
    const { closeSystem } = await import("../support/wiring");
    await closeSystem();
    await served?.stop();
    await testSystem.sql`truncate rate_limits`;
    const all = LIMIT_NAMES.map((name) => `${name}=${limits[name] ?? "1000000/1h"}`);
    process.env.RATE_LIMITS = all.join(",");
    served = await serve();
  }

  beforeAll(async () => {
    await under({});
    agent = await newAgent();
    otherAgent = await newAgent();
  });
  afterAll(() => served?.stop());

  async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const res = await fetch(`${served.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: res.status, retryAfter: res.headers.get("retry-after"), body: await res.json() };
  }

  /** `Retry-After` is in whole seconds, from 1 to the length of the window. */
  const LIMITED = { status: 429, retryAfter: expect.stringMatching(/^[1-9]\d{0,3}$/), body: { error: "rate_limited" } };

  test.each(paths)("makes %s respond with 429 before the body is read, and no other endpoint", async (path) => {
    await under({ [PER_ADDRESS[path]]: "3/1h" });
    for (let index = 0; index < 3; index++) expect((await post(path, "{")).status).toBe(400);
    for (const body of ["{", {}, "x".repeat(300_000)]) expect(await post(path, body)).toEqual(LIMITED);
    expect(await post(path, {}, { "content-type": "text/plain" })).toEqual(LIMITED);
    for (const free of paths.filter((each) => each !== path)) expect((await post(free, "{")).status).toBe(400);
    const bearer = { authorization: `Bearer ${agent.jwt}` };
    expect((await post("/agent/vc/issue", CREDENTIAL, bearer)).status).toBe(200);
    expect((await fetch(`${served.url}/api/payments`, { headers: bearer })).status).toBe(200);
    expect((await fetch(`${served.url}/.well-known/jwks.json`)).status).toBe(200);
  });

  test("of all endpoints together charges a client address with what each call costs", async () => {
    const bearer = { authorization: `Bearer ${agent.jwt}` };
    const list = async () => (await fetch(`${served.url}/api/payment-links`, { headers: bearer })).status;
    const read = async () => (await fetch(`${served.url}/agent/${agent.agentId}`)).status;
    await under({ work_per_address: `${workOf(listLinks) + 2 * workOf(getAgentCard)}/1h` });
    expect([await read(), await list(), await read(), await read()]).toEqual([200, 200, 200, 429]);
  });

  const CREDENTIAL = { challenge: "c", audience: "a", ttl_seconds: 600 };
  const refresh = ({ agentId, token }: TestAgent) => post("/refresh", { agent_id: agentId, token });
  const wrong = { token: `tok_${"A".repeat(24)}` };

  test("of /refresh counts only valid tokens per agent: a stranger who knows an agent's id cannot lock it out", async () => {
    await under({ refresh_per_agent: "2/1h" });
    for (let index = 0; index < 10; index++) expect((await refresh({ ...agent, ...wrong })).status).toBe(401);
    expect((await refresh(agent)).status).toBe(200);
    expect((await refresh(agent)).status).toBe(200);
    expect(await refresh(agent)).toEqual(LIMITED);
    expect(await refresh({ ...agent, ...wrong })).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    expect((await refresh(otherAgent)).status).toBe(200);
  });

  test("of /verify-vc counts valid credentials per agent, whoever sends them", async () => {
    await under({ verify_per_agent: "3/1h" });
    const issue = async ({ jwt }: TestAgent) =>
      (await post("/agent/vc/issue", CREDENTIAL, { authorization: `Bearer ${jwt}` })).body.vc as string;
    const [one, two, others] = [await issue(agent), await issue(agent), await issue(otherAgent)];
    const forge = await partsOf(testSystem, one, two, { kid: "", key: stranger.privateKey });
    for (let index = 0; index < 10; index++) {
      expect((await post("/verify-vc", { vc: withClaims({ exp: 1 })(forge) })).status).toBe(401);
    }
    expect((await post("/verify-vc", { vc: one })).status).toBe(200);
    expect((await post("/verify-vc", { vc: two, expected_audience: "b" })).status).toBe(200);
    expect((await post("/verify-vc", { vc: one })).status).toBe(200);
    expect(await post("/verify-vc", { vc: two })).toEqual(LIMITED);
    expect(await post("/verify-vc", { vc: one, expected_audience: "b" })).toEqual(LIMITED);
    expect((await post("/verify-vc", { vc: others })).status).toBe(200);
  });

  test("of /agent/vc/issue counts per agent", async () => {
    await under({ issue_per_agent: "2/1h" });
    const issue = ({ jwt }: TestAgent) => post("/agent/vc/issue", CREDENTIAL, { authorization: `Bearer ${jwt}` });
    expect([(await issue(agent)).status, (await issue(agent)).status]).toEqual([200, 200]);
    expect(await issue(agent)).toEqual(LIMITED);
    expect((await issue(otherAgent)).status).toBe(200);
  });

  test("of approval requests counts per agent, and approved payments are still signed", async () => {
    await under({ approval_per_agent: "2/1h" });
    const json = { amount: "1", payTo: `0x${"1".repeat(40)}`, resource: "https://api.example.com/" };
    const requestPayment = ({ jwt }: TestAgent, approvalId?: string) =>
      post("/api/payment/x402V1Payment", { ...json, approvalId }, { authorization: `Bearer ${jwt}` });
    const { approvalId } = (await requestPayment(agent)).body;
    expect((await requestPayment(agent)).status).toBe(202);
    expect(await requestPayment(agent)).toMatchObject({ ...LIMITED, body: { status: "error", code: "rate_limited" } });
    expect(await requestPayment(agent, approvalId)).toMatchObject({ status: 202, body: { approvalId } });
    expect((await requestPayment(otherAgent)).status).toBe(202);
  });

  test("of payouts counts per agent, and existing payouts are still returned", async () => {
    await under({ payout_per_agent: "2/1h" });
    const requestPayout = ({ jwt }: TestAgent, payoutId: string) =>
      post(
        "/api/payouts",
        { payoutId, amount: "1", toAddress: `0x${"1".repeat(40)}` },
        { authorization: `Bearer ${jwt}` },
      );
    expect([(await requestPayout(agent, "a")).status, (await requestPayout(agent, "b")).status]).toEqual([201, 201]);
    expect(await requestPayout(agent, "c")).toMatchObject({
      ...LIMITED,
      body: { status: "error", code: "rate_limited" },
    });
    expect((await requestPayout(agent, "a")).status).toBe(200);
    expect((await requestPayout(otherAgent, "c")).status).toBe(201);
  });

  const bearerOf = ({ jwt }: TestAgent) => ({ authorization: `Bearer ${jwt}` });
  const WALLET_LIMITED = { ...LIMITED, body: { status: "error", code: "rate_limited" } };
  const intent = { naturalLanguage: "Pay for data", limitAmount: "1000000", validForSeconds: 3600 };

  test("of mandate proposals counts per agent", async () => {
    await under({ intent_per_agent: "2/1h" });
    const requestMandate = (asking: TestAgent) => post("/api/mandates/create-intent", { intent }, bearerOf(asking));
    expect([(await requestMandate(agent)).status, (await requestMandate(agent)).status]).toEqual([200, 200]);
    expect(await requestMandate(agent)).toMatchObject(WALLET_LIMITED);
    expect((await requestMandate(otherAgent)).status).toBe(200);
  });

  test("of mandate proposals by agents without an owner counts per client address", async () => {
    await under({ draft_per_address: "3/1h" });
    const agents = await Promise.all([newAgent(), newAgent(), newAgent(), newAgent()]);
    const statuses = [];
    for (const each of agents)
      statuses.push((await post("/api/mandates/create-intent", { intent }, bearerOf(each))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test("of sign-in nonces counts per client address", async () => {
    await under({ nonce_per_address: "2/1h" });
    const requestNonce = async () => (await fetch(`${served.url}/api/siwe/nonce`)).status;
    expect([await requestNonce(), await requestNonce(), await requestNonce()]).toEqual([200, 200, 429]);
  });

  test("allows the same client address again after the window", async () => {
    await under({ register_per_address: "1/1s" });
    const body = { agent_name: "again", client_info: "" };
    expect((await post("/register", body)).status).toBe(200);
    await sleep(1100);
    expect((await post("/register", body)).status).toBe(200);
  });
});
