import { describe, expect, test } from "vitest";
import { SALE_COLUMNS } from "@/lib/links/sales/contract";
import { overview } from "@/lib/links/sales/service";
import { newAgent, newOwner, type TestAgent, type TestOwner } from "../support/actors";
import { IS_IN_PROCESS } from "../support/base-url";
import { setReceivingAddress } from "../support/confirmations";
import { csvText, parseCsv } from "../support/csv";
import { call, fetchPath } from "../support/http";
import { freshAddress, intentOf, type Json, owned, proposed, signatureOver, signedMandate } from "../support/mandates";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, paying } from "../support/system";

/** Opening an authorizationUrl first must not make a person the agent's owner for ever. */

const service = runService();

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

test("an agent learns its owner from its status and from the response to each intent", async () => {
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

test("an agent leaves an owner who signed nothing, and its user can sign its next proposal", async () => {
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

test("an agent cannot leave once something is signed, even if that is revoked", async () => {
  const { agent, owner, mandateId } = await signedMandate();
  expect(await unlink(agent)).toMatchObject({ status: 409, body: { code: "agent_bound" } });
  await owned(owner, mandateId, "revoke");
  expect(await unlink(agent)).toMatchObject({ status: 409, body: { code: "agent_bound" } });
  expect((await self(agent)).ownerAddress).toBe(owner.address);
});

test("of signing and unlinking at the same time, one happens", async () => {
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

test("an owner who signed nothing cannot delete an agent: it is only unlinked", async () => {
  const { agent, stranger } = await squatted();
  const path = `/api/agents/${agent.agentId}`;
  expect((await call("DELETE", path, as(stranger))).body).toMatchObject({ status: "ok", isDeleted: false });
  expect((await self(agent)).ownerAddress).toBeNull();
  const { agent: bound, owner } = await signedMandate();
  expect((await call("DELETE", `/api/agents/${bound.agentId}`, as(owner))).body).toMatchObject({ isDeleted: true });
  expect((await call("GET", "/api/agent/self/status", { bearer: bound.jwt })).status).toBe(404);
});

describe("a sale of an agent that later unlinks its owner", () => {
  const uplOf = ({ agentId }: TestAgent) => `/unifypaymentlink/agentid/${agentId}?amount=1000&asset=usdc`;
  const payeeOf = async (agent: TestAgent) => ((await call("GET", uplOf(agent))).body as Json).accepts[0].payTo;
  /** Pays the agent's address; returns the payment's id. */
  const sell = async (agent: TestAgent): Promise<number> => {
    const payTo = await payeeOf(agent);
    const paid = await call("GET", uplOf(agent), { headers: paying(claimFrom(service.payer(), payTo, 1000n)) });
    expect(paid.status).toBe(200);
    const [sale] = await service.opened
      .sql`select max(id)::int as id from received_payments where agent_id = ${agent.agentId}`;
    return sale?.id;
  };
  const soldTo = async (owner: TestOwner, filter = "") => {
    const headers = { cookie: `next-auth.session-token=${owner.session}` };
    const answer = await fetchPath("GET", `/api/received-payments.csv${filter}`, { headers });
    expect(answer.status).toBe(200);
    return parseCsv(await csvText(answer), SALE_COLUMNS).map(({ id }) => Number(id));
  };
  const refundAs = (who: object, paymentId: number, path = "/api/refunds") =>
    call("POST", path, { ...who, json: { paymentId, amount: "400" } });
  const asAgent = ({ jwt }: TestAgent) => ({ bearer: jwt });

  test("stays with the owner who was paid: in the list, the file and refunds", async () => {
    const { agent, stranger, owner } = await squatted();
    const wallet = await payeeOf(agent);
    const early = await sell(agent);
    expect((await unlink(agent)).status).toBe(200);
    expect((await call("GET", uplOf(agent))).status).toBe(404);
    await signedMandate({}, { owner, agent });
    const late = await sell(agent);

    expect([await soldTo(stranger), await soldTo(owner)]).toEqual([[early], [late]]);
    const ofAgent = `?agent=${agent.agentId}`;
    expect([await soldTo(stranger, ofAgent), await soldTo(owner, ofAgent)]).toEqual([[early], [late]]);
    // Only the production build renders pages.
    if (!IS_IN_PROCESS) await expectPages();

    async function expectPages() {
      const rows = await service.opened.sql`select p.id::int as id, s.tx_hash from received_payments p
        join settlements s on s.id = p.settlement_id where p.id in (${early}, ${late})`;
      // A streamed page has status 200, even if nothing is found.
      const shows = async (who: TestOwner, id: number) =>
        (await call("GET", `/dashboard/payments/${id}`, as(who))).text.includes(
          rows.find((row) => row.id === id)?.tx_hash,
        );
      expect([await shows(stranger, early), await shows(owner, early)]).toEqual([true, false]);
      expect([await shows(stranger, late), await shows(owner, late)]).toEqual([false, true]);
      expect((await call("GET", "/dashboard/payments?side=received", as(stranger))).text).toContain(agent.agentId);
    }

    // Only the owner who received the money can refund it, from their own wallet.
    const missing = { status: 404, body: { code: "payment_not_found" } };
    const byAgent = "/api/payment-links/refunds/initiate";
    expect((await refundAs(asAgent(agent), early, byAgent)).status).toBe(404);
    expect(await refundAs(as(owner), early)).toMatchObject(missing);
    expect(await refundAs(as(stranger), late)).toMatchObject(missing);
    expect((await refundAs(asAgent(agent), late, byAgent)).status).toBe(201);
    const { status, body } = await refundAs(as(stranger), early);
    const { refundId, refundFrom } = (body as Json).refund;
    expect([status, refundFrom]).toEqual([201, wallet]);
    const approve = (who: TestOwner) => call("POST", `/api/refunds/${refundId}/approve`, { ...as(who), json: {} });
    expect((await approve(owner)).status).toBe(404);
    expect(await approve(stranger)).toMatchObject({ status: 200, body: { refund: { refundFrom: wallet } } });

    // The events stay with that owner too, in the activity and as webhooks, including transfers that end after the unlink.
    const happened = () => service.opened.sql`
      select e.type, o.address from events e left join owners o on o.id = e.owner_id where e.subject in (
        select ${refundId} union select settlement_id from received_payments where id = ${early}
        union select settlement_id from refunds where refund_id = ${refundId})`;
    await until(async () => (await happened()).some(({ type }) => type === "refund.settled"), "the refund's end");
    const events = await happened();
    expect(events.map(({ type }) => type).sort()).toEqual(
      ["refund.approved", "refund.created", "refund.settled", "settlement.settled", "settlement.settled"].sort(),
    );
    expect(new Set(events.map(({ address }) => address))).toEqual(new Set([stranger.address]));
  });

  test("is counted for the owner who was paid", async () => {
    const { agent, stranger, owner } = await squatted();
    await sell(agent);
    await unlink(agent);
    await signedMandate({}, { owner, agent });
    const settled = async ({ address }: TestOwner) => {
      const [row] = await service.opened.sql`select id from owners where address = ${address}`;
      const actor = { type: "owner" as const, ownerId: row?.id, address };
      const ctx = { ...service.opened.system, actor, requestId: "test" };
      const { current, hasSold } = await overview(ctx, { period: "7d" });
      return [current.settled, current.volume, hasSold];
    };
    expect([await settled(stranger), await settled(owner)]).toEqual([
      [1, 1000n, true],
      [0, 0n, false],
    ]);
  });

  test("stays with an owner who deletes the agent", async () => {
    const { agent, stranger } = await squatted();
    const id = await sell(agent);
    const deleted = await call("DELETE", `/api/agents/${agent.agentId}`, as(stranger));
    expect(deleted.body).toMatchObject({ isDeleted: true });
    expect(await soldTo(stranger)).toEqual([id]);
  });
});

test("a rejected draft can be proposed again and signed", async () => {
  const [agent, owner] = [await newAgent(), await newOwner()];
  const first = await proposed(agent);
  await owned(owner, first.mandateId, "reject", { token: first.token });
  const { mandate } = await signedMandate({}, { owner, agent });
  expect(mandate.status).toBe("signed");
});

describe("the token of an authorizationUrl ends with", () => {
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

  test("the signature, and stays invalid after the mandate is revoked", async () => {
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

  test("the draft's expiry", async () => {
    const agent = await newAgent();
    const { mandateId, token } = await proposed(agent, { validForSeconds: 1 });
    await expect.poll(async () => (await read(mandateId, token)).status, { timeout: 10_000 }).toBe(404);
    await expectDead(mandateId, token);
  });
});
