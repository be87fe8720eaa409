import { describe, expect, test } from "vitest";
import { newAgent, newOwner, type TestAgent, type TestOwner } from "../support/actors";
import { receiveAt } from "../support/confirmations";
import { call } from "../support/http";
import { freshAddress, intentOf, type Json, owned, proposed, signatureOver, signedMandate } from "../support/mandates";
import { runService } from "../support/service";
import { claimFrom, paying } from "../support/system";

/** The first person to see an authorizationUrl must not own the agent for good. */

const service = runService();

const unlink = ({ jwt }: TestAgent) => call("POST", "/api/agent/self/unlink", { bearer: jwt });
const self = async ({ jwt }: TestAgent) =>
  ((await call("GET", "/api/agent/self/status", { bearer: jwt })).body as Json).agent;
const as = (owner: TestOwner) => ({ session: owner.session });

/** An agent whose link a stranger opened first. */
async function squatted() {
  const [agent, stranger, owner] = [await newAgent(), await newOwner(), await newOwner()];
  const { mandateId, token } = await proposed(agent);
  await owned(stranger, mandateId, "claim", { token });
  return { agent, stranger, owner, mandateId, token };
}

test("an agent is told whose it is, by its status and by the answer to each intent", async () => {
  const { agent, stranger } = await squatted();
  expect((await self(agent)).ownerAddress).toBe(stranger.address);
  const { body } = await call("POST", "/api/mandates/create-intent", {
    bearer: agent.jwt,
    json: { intent: intentOf() },
  });
  expect((body as Json).ownerAddress).toBe(stranger.address);
  const free = await newAgent();
  expect((await self(free)).ownerAddress).toBeNull();
});

test("an agent leaves an owner who signed nothing, and its user signs what it proposes again", async () => {
  const { agent, stranger, owner, mandateId, token } = await squatted();
  await receiveAt({ owner: stranger, agent }, freshAddress());
  const elsewhere = await call("POST", `/api/mandates/${mandateId}/claim`, { ...as(owner), json: { token } });
  expect(elsewhere).toMatchObject({ status: 404, body: { code: "agent_linked_elsewhere" } });

  expect(await unlink(agent)).toMatchObject({
    status: 200,
    body: { status: "ok", agentStatus: "needs_wallet_authorization", ownerAddress: null },
  });
  expect(await self(agent)).toMatchObject({ ownerAddress: null, isAuthorized: false });
  expect((await unlink(agent)).status).toBe(200);

  // Nothing of the stranger's is left.
  const credential = { challenge: "c", audience: "https://a.example", ttl_seconds: 60 };
  const path = `/api/agents/${agent.agentId}`;
  expect((await call("POST", `${path}/credentials`, { ...as(stranger), json: credential })).status).toBe(404);
  expect((await call("DELETE", path, as(stranger))).status).toBe(404);
  expect((await call("GET", "/api/agents", as(stranger))).body).toMatchObject({ agents: [] });
  const late = await call("POST", `/api/mandates/${mandateId}/signature`, {
    ...as(stranger),
    json: { signature: `0x${"1".repeat(130)}` },
  });
  expect(late.status).toBeGreaterThanOrEqual(400);

  const { mandate } = await signedMandate({}, { owner, agent });
  expect(mandate).toMatchObject({ status: "signed" });
  expect((await self(agent)).ownerAddress).toBe(owner.address);
  const agents = (await call("GET", "/api/agents", as(owner))).body as Json;
  expect(agents.agents).toMatchObject([{ agentId: agent.agentId, receivingAddress: null, isBound: true }]);
});

test("once something is signed the agent cannot leave, also not when that is revoked", async () => {
  const { agent, owner, mandateId } = await signedMandate();
  expect(await unlink(agent)).toMatchObject({ status: 409, body: { code: "agent_bound" } });
  await owned(owner, mandateId, "revoke");
  expect(await unlink(agent)).toMatchObject({ status: 409, body: { code: "agent_bound" } });
  expect((await self(agent)).ownerAddress).toBe(owner.address);
});

test("signing and unlinking at the same moment: one of the two happens", async () => {
  for (let round = 0; round < 5; round++) {
    const { agent, stranger, mandateId } = await squatted();
    const signature = await signatureOver(mandateId, stranger);
    const [signed, left] = await Promise.all([
      call("POST", `/api/mandates/${mandateId}/signature`, { ...as(stranger), json: { signature } }),
      unlink(agent),
    ]);
    expect([signed.status === 200, left.status === 200].filter(Boolean)).toHaveLength(1);
    expect((await self(agent)).ownerAddress).toBe(signed.status === 200 ? stranger.address : null);
  }
});

test("an owner who signed nothing deletes no agent: it is unlinked", async () => {
  const { agent, stranger } = await squatted();
  const path = `/api/agents/${agent.agentId}`;
  expect((await call("DELETE", path, as(stranger))).body).toMatchObject({ status: "ok", isDeleted: false });
  expect((await self(agent)).ownerAddress).toBeNull();
  const { agent: bound, owner } = await signedMandate();
  expect((await call("DELETE", `/api/agents/${bound.agentId}`, as(owner))).body).toMatchObject({ isDeleted: true });
  expect((await call("GET", "/api/agent/self/status", { bearer: bound.jwt })).status).toBe(404);
});

test("a sale binds nothing: an owner cannot keep an agent by paying it", async () => {
  const { agent, stranger, owner } = await squatted();
  const upl = `/unifypaymentlink/agentid/${agent.agentId}?amount=1&asset=usdc`;
  const { payTo } = ((await call("GET", upl)).body as Json).accepts[0];
  const paid = await call("GET", upl, { headers: paying(claimFrom(service.payer(), payTo, 1n)) });
  expect(paid.status).toBe(200);
  const [sale] = await service.opened.sql`select id from received_payments where agent_id = ${agent.agentId}`;
  expect((await unlink(agent)).status).toBe(200);
  expect((await call("GET", upl)).status).toBe(404);
  // The next owner did not get the money, and gives none of it back.
  await signedMandate({}, { owner, agent });
  const json = { paymentId: Number(sale?.id) };
  const byAgent = await call("POST", "/api/payment-links/refunds/initiate", { bearer: agent.jwt, json });
  const byOwner = await call("POST", "/api/refunds", { session: owner.session, json });
  const byStranger = await call("POST", "/api/refunds", { session: stranger.session, json });
  expect([byAgent.status, byOwner.status, byStranger.status]).toEqual([404, 404, 404]);
});

test("a rejected draft can be proposed again, and be signed", async () => {
  const [agent, owner] = [await newAgent(), await newOwner()];
  const first = await proposed(agent);
  await owned(owner, first.mandateId, "reject", { token: first.token });
  const { mandate } = await signedMandate({}, { owner, agent });
  expect(mandate.status).toBe("signed");
});

describe("the token of an authorizationUrl dies with", () => {
  const read = (mandateId: string, token: string) =>
    call("GET", `/api/mandates/${mandateId}/typed-data?token=${token}`);
  const expectDead = async (mandateId: string, token: string) => {
    expect(await read(mandateId, token)).toMatchObject({ status: 404, body: { code: "mandate_not_found" } });
    const stranger = await newOwner();
    for (const verb of ["claim", "reject"]) {
      const answer = await call("POST", `/api/mandates/${mandateId}/${verb}`, { ...as(stranger), json: { token } });
      expect(answer).toMatchObject({ status: 404, body: { code: "mandate_not_found" } });
    }
  };

  test("the signature, and stays dead after it is revoked", async () => {
    const { mandateId, token, stranger } = await squatted();
    expect((await read(mandateId, token)).status).toBe(200);
    await owned(stranger, mandateId, "signature", { signature: await signatureOver(mandateId, stranger) });
    await expectDead(mandateId, token);
    await owned(stranger, mandateId, "revoke");
    await expectDead(mandateId, token);
  });

  test("the rejection", async () => {
    const { mandateId, token, stranger } = await squatted();
    await owned(stranger, mandateId, "reject");
    await expectDead(mandateId, token);
  });

  test("the unlinking", async () => {
    const { agent, mandateId, token } = await squatted();
    await unlink(agent);
    await expectDead(mandateId, token);
  });

  test("its end", async () => {
    const agent = await newAgent();
    const { mandateId, token } = await proposed(agent, { validForSeconds: 1 });
    await expect.poll(async () => (await read(mandateId, token)).status, { timeout: 10_000 }).toBe(404);
    await expectDead(mandateId, token);
  });
});
