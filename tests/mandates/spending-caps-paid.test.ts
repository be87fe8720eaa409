import { expect, test } from "vitest";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, type Parties, pay, signedMandate } from "../support/mandates";
import { createPayout, decide, ended, funded, requestedPayout, requestPayout } from "../support/payouts";
import { shareService } from "../support/service";
import { eventually, vaultMandate } from "../support/vault-mandates";

const service = shareService();
const CAPS = "/api/wallet/spending-caps";

const body = ({ body }: { body: unknown }): Json => body;
const outcome = (response: { status: number; body: unknown }) => [response.status, body(response).code ?? "ok"];
const setCap = (parties: Parties, json: object) => call("POST", CAPS, { session: parties.owner.session, json });
const capsOf = async ({ owner }: Parties): Promise<Json> =>
  body(await call("GET", CAPS, { session: owner.session })).caps;

test("what a vault pays counts as well", async () => {
  const { owner, agent, mandateId } = await vaultMandate(service.world);
  const stateOf = () => service.opened.sql`select state from vaults where mandate_id = ${mandateId}`;
  await eventually(async () => ((await stateOf())[0]?.state === "open" ? true : null), "the vault to open");
  await setCap({ owner, agent }, { maxAmountPer24Hours: "15000" });
  expect((await pay(agent, mandateId)).status).toBe(200);
  expect(outcome(await pay(agent, mandateId))).toEqual([403, "owner_limit_reached"]);
});

test("an agent's payouts count, with and without a mandate; what the owner pays out alone and the credits of a scan do not", async () => {
  const pair = await linkedPair();
  await funded(service.world, pair.owner, 10_000_000n);
  const { mandateId } = await signedMandate({}, pair);
  await setCap(pair, { maxAmountPer24Hours: "50000" });
  const underMandate = (amount: string) => requestPayout(pair.agent, { toAddress: freshAddress(), amount, mandateId });
  expect((await underMandate("20000")).status).toBe(201);
  const approvedOne = await requestedPayout(pair.agent, { amount: "20000" });
  expect((await decide(pair.owner, approvedOne.id, "approve")).status).toBe(200);
  const refusedOne = await requestedPayout(pair.agent, { amount: "20000" });
  expect(outcome(await decide(pair.owner, refusedOne.id, "approve"))).toEqual([403, "owner_limit_reached"]);
  expect(outcome(await underMandate("10001"))).toEqual([403, "owner_limit_reached"]);
  const own = { payoutId: "own-1", toAddress: freshAddress(), amount: "900000", approve: true };
  expect((await createPayout(pair.owner, own)).status).toBe(201);
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: { usedAmount: "40000" } }]);
  expect(outcome(await confirmedCall(pair.owner, "/api/credits/purchases", { amount: "20000" }))).toEqual([
    403,
    "owner_limit_reached",
  ]);
  expect((await confirmedCall(pair.owner, "/api/credits/purchases", { amount: "10000" })).status).toBeLessThan(300);
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: { usedAmount: "50000", remainingAmount: "0" } }]);
  // Set again, it counts the same from the payments, payouts and purchases of the owner.
  expect((await setCap(pair, { maxAmountPer24Hours: "50000", maxAmountPer30Days: "60000" })).status).toBe(200);
  const used = { usedAmount: "50000" };
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: used, last30Days: used }]);
});

test("payouts that the chain has paid are recorded after a restore, also above a cap that was set since", async () => {
  const pair = await linkedPair();
  await funded(service.world, pair.owner);
  const { mandateId } = await signedMandate({}, pair);
  const rent = { payoutId: "rent-11", toAddress: freshAddress(), amount: "20000", mandateId };
  const tax = { payoutId: "tax-11", toAddress: freshAddress(), amount: "30000" };
  const askAndPay = async () => {
    expect(outcome(await requestPayout(pair.agent, rent))).toEqual([201, "ok"]);
    const { id } = await requestedPayout(pair.agent, tax);
    expect((await decide(pair.owner, id, "approve")).status).toBe(200);
    return Promise.all([rent, tax].map(({ payoutId }) => ended(pair.agent, payoutId)));
  };
  const paid = await askAndPay();
  expect(paid.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  await forgetPayouts(pair.agent.agentId, mandateId);
  await setCap(pair, { maxAmountPer24Hours: "1" });
  const recorded = await askAndPay();
  expect(recorded.map(({ status, txHash }) => ({ status, txHash }))).toEqual(
    paid.map(({ status, txHash }) => ({ status, txHash })),
  );
  expect(await capsOf(pair)).toMatchObject([{ last24Hours: { usedAmount: "50000", remainingAmount: "0" } }]);
  const next = { ...rent, payoutId: "rent-12" };
  expect(outcome(await requestPayout(pair.agent, next))).toEqual([403, "owner_limit_reached"]);
});

/** As a backup from before them. */
const forgetPayouts = (agentId: string, mandateId: string) =>
  service.opened.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    const settled = await tx`select l.settlement_id as id from payout_legs l join payouts p on p.id = l.payout
      where p.agent_id = ${agentId}`;
    const ids = settled.map(({ id }) => id);
    for (const table of ["ledger_entries", "reservations"])
      await tx`delete from ${tx(table)} t using settlements s
        where s.id = any(${ids}) and (t.network, t.payer, t.nonce) = (s.network, s.payer, s.nonce)`;
    await tx`delete from settlements where id = any(${ids})`;
    await tx`delete from payout_legs where payout in (select id from payouts where agent_id = ${agentId})`;
    await tx`delete from payouts where agent_id = ${agentId}`;
    await tx`update mandates set spent_amount = 0 where id = ${mandateId}`;
  });
