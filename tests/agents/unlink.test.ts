import { describe, expect, test } from "vitest";
import { SALE_COLUMNS } from "@/lib/links/sales/contract";
import { overview } from "@/lib/links/sales/service";
import { newAgent, newOwner, type TestAgent, type TestOwner } from "../support/actors";
import { setReceivingAddress } from "../support/confirmations";
import { csvText, parseCsv } from "../support/csv";
import { call, fetchPath } from "../support/http";
import { freshAddress, intentOf, type Json, owned, proposed, signatureOver, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";
import { claimFrom, paying } from "../support/system";

/** Opening an authorizationUrl first must not make a person the agent's owner for ever. */

const service = shareService();

const unlink = ({ jwt }: TestAgent) => call("POST", "/api/agent/self/unlink", { bearer: jwt });
const self = async ({ jwt }: TestAgent) =>
  ((await call("GET", "/api/agent/self/status", { bearer: jwt })).body as Json).agent;
const as = (owner: TestOwner) => ({ session: owner.session });

/** An agent that a stranger claimed first. */
async function squatted() {
  const [agent, stranger, owner] = [await newAgent(), await newOwner(), await newOwner()];
  const { mandateId, token } = await proposed(agent);
  await owned(stranger, mandateId, "claim", { token });
  return { agent, stranger, owner, mandateId, token };
}

test("an agent reads its owner's address in its status and in the response to each mandate intent", async () => {
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

test("an agent can leave an owner who has signed nothing, and then its user can sign its next mandate", async () => {
  const { agent, stranger, owner, mandateId, token } = await squatted();
  await setReceivingAddress({ owner: stranger, agent }, freshAddress());
  const elsewhere = await call("POST", `/api/mandates/${mandateId}/claim`, { ...as(owner), json: { token } });
  expect(elsewhere).toMatchObject({ status: 404, body: { code: "agent_linked_elsewhere" } });

  expect(await unlink(agent)).toMatchObject({
    status: 200,
    body: { status: "ok", agentStatus: "needs_wallet_authorization", ownerAddress: null },
  });
  expect(await self(agent)).toMatchObject({ ownerAddress: null, isAuthorized: false });
  expect((await unlink(agent)).status).toBe(200);

  // The stranger keeps nothing.
  const credential = { challenge: "c", audience: "https://a.example", ttl_seconds: 60 };
  const path = `/api/agents/${agent.agentId}`;
  expect((await call("POST", `${path}/credentials`, { ...as(stranger), json: credential })).status).toBe(404);
  expect((await call("DELETE", path, as(stranger))).status).toBe(404);
  expect((await call("GET", "/api/agents", as(stranger))).body).toMatchObject({ agents: [] });
  const lateResponse = await call("POST", `/api/mandates/${mandateId}/signature`, {
    ...as(stranger),
    json: { signature: `0x${"1".repeat(130)}` },
  });
  expect(lateResponse.status).toBeGreaterThanOrEqual(400);

  const { mandate } = await signedMandate({}, { owner, agent });
  expect(mandate).toMatchObject({ status: "signed" });
  expect((await self(agent)).ownerAddress).toBe(owner.address);
  const agents = (await call("GET", "/api/agents", as(owner))).body as Json;
  expect(agents.agents).toMatchObject([{ agentId: agent.agentId, receivingAddress: null, isBound: true }]);
});

test("an agent cannot leave an owner who has signed a mandate, even a revoked one", async () => {
  const { agent, owner, mandateId } = await signedMandate();
  expect(await unlink(agent)).toMatchObject({ status: 409, body: { code: "agent_bound" } });
  await owned(owner, mandateId, "revoke");
  expect(await unlink(agent)).toMatchObject({ status: 409, body: { code: "agent_bound" } });
  expect((await self(agent)).ownerAddress).toBe(owner.address);
});

test("when an owner signs and the agent unlinks at the same time, only one of the two succeeds", async () => {
  for (let round = 0; round < 5; round++) {
    const { agent, stranger, mandateId } = await squatted();
    const signature = await signatureOver(mandateId, stranger);
    const [signed, leftResponse] = await Promise.all([
      call("POST", `/api/mandates/${mandateId}/signature`, { ...as(stranger), json: { signature } }),
      unlink(agent),
    ]);
    expect([signed.status === 200, leftResponse.status === 200].filter(Boolean)).toHaveLength(1);
    expect((await self(agent)).ownerAddress).toBe(signed.status === 200 ? stranger.address : null);
  }
});

test("when an owner who has signed nothing deletes an agent, the agent is only unlinked", async () => {
  const { agent, stranger } = await squatted();
  const path = `/api/agents/${agent.agentId}`;
  expect((await call("DELETE", path, as(stranger))).body).toMatchObject({ status: "ok", isDeleted: false });
  expect((await self(agent)).ownerAddress).toBeNull();
  const { agent: bound, owner } = await signedMandate();
  expect((await call("DELETE", `/api/agents/${bound.agentId}`, as(owner))).body).toMatchObject({ isDeleted: true });
  expect((await call("GET", "/api/agent/self/status", { bearer: bound.jwt })).status).toBe(404);
});

describe("an agent that has received a payment", () => {
  const uplOf = ({ agentId }: TestAgent) => `/unifypaymentlink/agentid/${agentId}?amount=1000&asset=usdc`;
  const payeeOf = async (agent: TestAgent) => ((await call("GET", uplOf(agent))).body as Json).accepts[0].payTo;
  /** Pays the agent's address; returns the payment's id. */
  const sell = async (agent: TestAgent): Promise<number> => {
    const payTo = await payeeOf(agent);
    const paidResponse = await call("GET", uplOf(agent), { headers: paying(claimFrom(service.payer(), payTo, 1000n)) });
    expect(paidResponse.status).toBe(200);
    const [sale] = await service.opened
      .sql`select max(id)::int as id from received_payments where agent_id = ${agent.agentId}`;
    return sale?.id;
  };
  const soldTo = async (owner: TestOwner, filter = "") => {
    const headers = { cookie: `next-auth.session-token=${owner.session}` };
    const response = await fetchPath("GET", `/api/received-payments.csv${filter}`, { headers });
    expect(response.status).toBe(200);
    return parseCsv(await csvText(response), SALE_COLUMNS).map(({ id }) => Number(id));
  };

  test("cannot leave its owner, so that its addresses never pay anybody else", async () => {
    const { agent, stranger, owner, mandateId, token } = await squatted();
    const payTo = await payeeOf(agent);
    const sold = await sell(agent);
    expect(await unlink(agent)).toMatchObject({ status: 409, body: { code: "agent_bound" } });
    const claim = await call("POST", `/api/mandates/${mandateId}/claim`, { ...as(owner), json: { token } });
    expect(claim).toMatchObject({ status: 404, body: { code: "agent_linked_elsewhere" } });
    expect(await payeeOf(agent)).toBe(payTo);
    expect([await soldTo(stranger), await soldTo(owner)]).toEqual([[sold], []]);
    const settledSales = async ({ address }: TestOwner) => {
      const [row] = await service.opened.sql`select id from owners where address = ${address}`;
      const actor = { type: "owner" as const, ownerId: row?.id, address };
      const ctx = { ...service.opened.system, actor, requestId: "test" };
      const { current, hasSold } = await overview(ctx, { period: "7d" });
      return [current.settled, current.volume, hasSold];
    };
    expect([await settledSales(stranger), await settledSales(owner)]).toEqual([
      [1, 1000n, true],
      [0, 0n, false],
    ]);
  });

  test("keeps its sales with the owner who deletes it", async () => {
    const { agent, stranger } = await squatted();
    const id = await sell(agent);
    const deleted = await call("DELETE", `/api/agents/${agent.agentId}`, as(stranger));
    expect(deleted.body).toMatchObject({ isDeleted: true });
    expect(await soldTo(stranger)).toEqual([id]);
  });
});

describe("a payment link created under one owner", () => {
  const published = async ({ jwt }: TestAgent): Promise<string> => {
    const json = { amount: "1000", description: "A book", isListed: true };
    const { body } = await call("POST", "/api/payment-links", { bearer: jwt, json });
    return (body as Json).paymentLink.linkId;
  };
  const offerAt = async (linkId: string) => (await call("GET", `/paymentlink/${linkId}`)).body as Json;
  const listed = async (linkId: string) => {
    const { resources } = (await call("GET", "/discovery/search?query=book")).body as Json;
    return resources.some(({ resource }: Json) => resource.endsWith(linkId));
  };

  test.each(["the agent", "the owner"])(
    "never pays a different owner after %s ended the agent's link to the first",
    async (by) => {
      const { agent, stranger, owner } = await squatted();
      const linkId = await published(agent);
      const { payTo } = (await offerAt(linkId)).accepts[0];
      if (by === "the agent") expect((await unlink(agent)).status).toBe(200);
      else await call("DELETE", `/api/agents/${agent.agentId}`, as(stranger));
      await signedMandate({}, { owner, agent });

      expect(await offerAt(linkId)).toMatchObject({ code: "WALLET_NOT_LINKED" });
      const path = `/api/payment-links/${linkId}`;
      await call("PATCH", path, { bearer: agent.jwt, json: { description: "Another book", status: "active" } });
      expect(await offerAt(linkId)).toMatchObject({ code: "WALLET_NOT_LINKED" });
      const lateResponse = await call("GET", `/paymentlink/${linkId}`, {
        headers: paying(claimFrom(service.payer(), payTo, 1000n)),
      });
      expect(lateResponse).toMatchObject({ status: 409, body: { code: "WALLET_NOT_LINKED" } });
      const own = (await call("GET", path, { bearer: agent.jwt })).body as Json;
      expect(own.paymentLink).toMatchObject({ isPayable: false, payTo: null });

      const next = await published(agent);
      expect((await offerAt(next)).accepts[0].payTo).not.toBe(payTo);
      await expect.poll(() => listed(next), { timeout: 30_000 }).toBe(true);
      expect(await listed(linkId)).toBe(false);
    },
  );
});

test("a rejected mandate can be proposed again and signed", async () => {
  const [agent, owner] = [await newAgent(), await newOwner()];
  const first = await proposed(agent);
  await owned(owner, first.mandateId, "reject", { token: first.token });
  const { mandate } = await signedMandate({}, { owner, agent });
  expect(mandate.status).toBe("signed");
});

describe("the token in an authorizationUrl becomes invalid with", () => {
  const read = (mandateId: string, token: string) =>
    call("GET", `/api/mandates/${mandateId}/typed-data?token=${token}`);
  const expectDead = async (mandateId: string, token: string) => {
    expect(await read(mandateId, token)).toMatchObject({ status: 404, body: { code: "mandate_not_found" } });
    const stranger = await newOwner();
    for (const verb of ["claim", "reject"]) {
      const response = await call("POST", `/api/mandates/${mandateId}/${verb}`, { ...as(stranger), json: { token } });
      expect(response).toMatchObject({ status: 404, body: { code: "mandate_not_found" } });
    }
  };

  test("the signature, and stays invalid after the mandate is revoked", async () => {
    const { mandateId, token, stranger } = await squatted();
    expect((await read(mandateId, token)).status).toBe(200);
    await owned(stranger, mandateId, "signature", { signature: await signatureOver(mandateId, stranger) });
    await expectDead(mandateId, token);
    await owned(stranger, mandateId, "revoke");
    await expectDead(mandateId, token);
  });

  test("the owner's rejection", async () => {
    const { mandateId, token, stranger } = await squatted();
    await owned(stranger, mandateId, "reject");
    await expectDead(mandateId, token);
  });

  test("the unlinking of the agent", async () => {
    const { agent, mandateId, token } = await squatted();
    await unlink(agent);
    await expectDead(mandateId, token);
  });

  test("the expiry of the draft", async () => {
    const agent = await newAgent();
    const { mandateId, token } = await proposed(agent, { validForSeconds: 1 });
    await expect.poll(async () => (await read(mandateId, token)).status, { timeout: 10_000 }).toBe(404);
    await expectDead(mandateId, token);
  });
});
