import type { LocalAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgent, postSignIn, sessionIn, siweMessage, type Via } from "../support/actors";
import { PORT } from "../support/base-url";
import { deployWallet } from "../support/contract-accounts";
import { call } from "../support/http";
import { type Json, linkedPair } from "../support/mandates";
import { type Replica, startReplica } from "../support/replica";
import { BODIES } from "../support/requests";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

/** Limits per agent and per address, over HTTP and with two replicas. */

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let replica: Replica;

beforeAll(async () => {
  world = await createWorld();
  const limits = [
    "link_per_agent=2/1h",
    "contract_sign_in_per_address=2/1h",
    "new_owner_per_address=3/1h",
    "file_per_owner=1/1h",
  ];
  process.env.RATE_LIMITS = limits.join(",");
  process.env.TRUSTED_PROXIES = "1";
  testSystem = openSystem();
  replica = await startReplica();
});

afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await replica?.kill();
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

let addresses = 0;
/** An address that no other test of this file uses. */
const freshAddress = () => {
  addresses += 1;
  return `203.0.113.${addresses}`;
};

const person = () => privateKeyToAccount(generatePrivateKey());
const here = (address: string): Via => ({ address, port: PORT });
const there = (address: string): Via => ({ address, port: replica.port });
const count = async (table: string): Promise<number> =>
  (await testSystem.sql`select count(*)::int as n from ${testSystem.sql(table)}`)[0]?.n;

/** `Retry-After` is in whole seconds, from 1 to the length of the window. */
const RETRY_AFTER = expect.stringMatching(/^[1-9]\d{0,3}$/);
const LIMITED = {
  status: 429,
  retryAfter: RETRY_AFTER,
  body: { status: "error", error: expect.any(String), message: expect.any(String), code: "rate_limited" },
};

/** Signs in as `account`, with the key of `signer`. */
async function signIn(account: string, signer: LocalAccount, via: Via) {
  const message = await siweMessage(account);
  const res = await postSignIn(message, await signer.signMessage({ message }), {}, via);
  const body = await res.json();
  return { status: res.status, retryAfter: res.headers.get("retry-after"), session: sessionIn(res), body };
}
const signInAs = (account: LocalAccount, via: Via) => signIn(account.address, account, via);

test("the payment links of an agent, created by itself or by its owner, share one rate limit across replicas", async () => {
  const { agent, owner } = await linkedPair();
  const json = { amount: "1000" };
  const byAgent = (jwt = agent.jwt, port = PORT) => call("POST", "/api/payment-links", { bearer: jwt, json, port });
  const byOwner = (port: number) =>
    call("POST", `/api/agents/${agent.agentId}/payment-links`, { session: owner.session, json, port });
  const linksOf = async ({ agentId }: { agentId: string }): Promise<number> =>
    (await testSystem.sql`select count(*)::int as n from payment_links where agent_id = ${agentId}`)[0]?.n;

  expect([(await byAgent()).status, (await byOwner(replica.port)).status]).toEqual([200, 200]);
  const refusal = [await byAgent(), await byAgent(agent.jwt, replica.port), await byOwner(PORT)];
  // Each surface has its own spelling of codes.
  expect(refusal.map(({ body }) => (body as Json).code)).toEqual(["RATE_LIMITED", "RATE_LIMITED", "rate_limited"]);
  for (const { status, headers } of refusal) expect([status, headers.get("retry-after")]).toEqual([429, RETRY_AFTER]);
  expect(await linksOf(agent)).toBe(2);
  // Each invoice has a link, so it counts as one.
  const invoice = BODIES["/api/invoices"]?.();
  const asOwner = { session: owner.session, json: invoice };
  for (const response of [
    await call("POST", "/api/invoices", { bearer: agent.jwt, json: invoice }),
    await call("POST", `/api/agents/${agent.agentId}/invoices`, asOwner),
  ])
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, RETRY_AFTER]);
  expect(await linksOf(agent)).toBe(2);

  const otherParties = await linkedPair();
  expect((await byAgent(otherParties.agent.jwt)).status).toBe(200);
  expect(await linksOf(otherParties.agent)).toBe(1);
  // Existing ones can still be read and changed.
  const [row] = await testSystem.sql`select link_id from payment_links where agent_id = ${agent.agentId}`;
  const path = `/api/payment-links/${row?.link_id}`;
  expect((await call("PATCH", path, { bearer: agent.jwt, json: { status: "disabled" } })).status).toBe(200);
});

test("an owner's file uploads are rate limited across replicas", async () => {
  const { agent, owner } = await linkedPair();
  const upload = (port: number) =>
    call("POST", `/api/agents/${agent.agentId}/link-files?name=x`, { session: owner.session, raw: "x", port });
  expect((await upload(PORT)).status).toBe(200);
  const refusal = await upload(replica.port);
  expect([refusal.status, refusal.headers.get("retry-after")]).toEqual([429, RETRY_AFTER]);
  expect(await count("link_files")).toBe(1);
});

test("sign-ins with contract accounts are limited per client address, which also bounds the calls to the chain", async () => {
  const holder = person();
  const wallet = await deployWallet(world, holder.address);
  const [mine, other] = [freshAddress(), freshAddress()];
  const node = world.node("base");
  expect(await signIn(wallet, holder, here(mine))).toMatchObject({ status: 200, session: expect.any(String) });
  // A signature that the contract refuses counts too, because it costs the same call.
  expect(await signIn(wallet, person(), there(mine))).toMatchObject({ status: 401, session: null });

  const sessions = await count("sessions");
  node.resetCalls();
  for (const via of [here(mine), there(mine)]) {
    const refusal = await signIn(wallet, holder, via);
    expect(refusal).toEqual({ ...LIMITED, session: null });
    expect(await signIn(person().address, holder, via)).toEqual({ ...LIMITED, session: null });
  }
  expect(node.calls("eth_call")).toBe(0);
  expect(await count("sessions")).toBe(sessions);

  // Accounts with a key need no call, so they can still sign in from this address, and contracts from other addresses.
  expect(await signInAs(person(), here(mine))).toMatchObject({ status: 200, session: expect.any(String) });
  expect(await signIn(wallet, holder, here(other))).toMatchObject({ status: 200, session: expect.any(String) });
});

test("new owners are limited per client address, also when they sign in simultaneously at two replicas", async () => {
  const [mine, other] = [freshAddress(), freshAddress()];
  const known = person();
  expect((await signInAs(known, here(other))).status).toBe(200);
  const countBefore = await count("owners");
  const responses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => signInAs(person(), index % 2 ? here(mine) : there(mine))),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429]);
  for (const response of responses.filter(({ status }) => status === 429))
    expect(response).toEqual({ ...LIMITED, session: null });
  expect(await count("owners")).toBe(countBefore + 3);

  expect(await signInAs(known, here(mine))).toMatchObject({ status: 200, session: expect.any(String) });
  expect(await signInAs(person(), there(other))).toMatchObject({ status: 200, session: expect.any(String) });
  expect((await newAgent()).agentId).toEqual(expect.any(String));
});
