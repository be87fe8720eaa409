import { expect, test } from "vitest";
import { newOwner, type TestOwner } from "../support/actors";
import { confirmedCall, signedBy } from "../support/confirmations";
import { call } from "../support/http";
import { freshAddress, linkedPair, RESOURCE, signedMandate } from "../support/mandates";
import { body, funded, outcome, payout, requestedPayout } from "../support/payouts";
import { shareService } from "../support/service";

const service = shareService();

const PAYOUTS = "/api/wallet/payouts";
const post = ({ session }: Pick<TestOwner, "session">, path: string, json: object = {}) =>
  call("POST", path, { session, json });
const NEEDED = [403, "signature_required"];

/** An owner with a listed payee. */
async function listed({ owner }: { owner: TestOwner }): Promise<`0x${string}`> {
  await funded(service.world, owner, 1_000_000_000n);
  const address = freshAddress();
  expect((await confirmedCall(owner, "/api/wallet/addresses", { address, name: "Rent" })).status).toBe(201);
  return address;
}

test("payouts to a known address without a signature are limited per day in total, not each", async () => {
  const owner = await newOwner();
  const toAddress = await listed({ owner });
  const json = (amount: string) => payout({ toAddress, amount, approve: true });
  expect((await post(owner, PAYOUTS, json("60000000"))).status).toBe(201);
  const refusal = await post(owner, PAYOUTS, json("40000001"));
  expect(outcome(refusal)).toEqual(NEEDED);
  // With a signature it is paid, and does not count.
  const signature = await signedBy(owner, refusal);
  expect((await post(owner, PAYOUTS, { ...json("40000001"), signature })).status).toBe(201);
  // Nor does a withdrawal.
  expect(
    (await post(owner, PAYOUTS, payout({ toAddress: owner.address, amount: "200000000", approve: true }))).status,
  ).toBe(201);
  expect((await post(owner, PAYOUTS, json("40000000"))).status).toBe(201);
  expect(outcome(await post(owner, PAYOUTS, json("1")))).toEqual(NEEDED);
  const rows = [{ payoutId: "row", toAddress, amount: "1" }];
  expect(outcome(await post(owner, `${PAYOUTS}/batch`, { rows, approve: true }))).toEqual(NEEDED);
  await service.opened.sql`update payouts set approved_at = approved_at - interval '1 day'
    where owner_id = (select id from owners where address = ${owner.address})`;
  expect((await post(owner, PAYOUTS, json("100000000"))).status).toBe(201);
});

test("parallel payouts together do not exceed the limit per day", async () => {
  const owner = await newOwner();
  const toAddress = await listed({ owner });
  const json = payout({ toAddress, amount: "30000000", approve: true });
  const responses = await Promise.all(Array.from({ length: 10 }, () => post(owner, PAYOUTS, json)));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(3);
  for (const response of responses) if (response.status !== 201) expect(outcome(response)).toEqual(NEEDED);
});

test("an agent's payouts count towards the limit per day, alone and together", async () => {
  const pair = await linkedPair();
  const toAddress = await listed(pair);
  const ids = [];
  for (const _ of [1, 2, 3]) ids.push((await requestedPayout(pair.agent, { toAddress, amount: "40000000" })).id);
  const [first, second, third] = ids;
  expect((await post(pair.owner, `${PAYOUTS}/${first}/approve`)).status).toBe(200);
  expect(outcome(await post(pair.owner, `${PAYOUTS}/approve`, { payoutRecordIds: [second, third] }))).toEqual(NEEDED);
  expect((await post(pair.owner, `${PAYOUTS}/${second}/approve`)).status).toBe(200);
  const refusal = await post(pair.owner, `${PAYOUTS}/${third}/approve`);
  expect(outcome(refusal)).toEqual(NEEDED);
  const signature = await signedBy(pair.owner, refusal);
  expect((await post(pair.owner, `${PAYOUTS}/${third}/approve`, { signature })).status).toBe(200);
});

test("payouts and single payments count together towards the limit per day; what a mandate pays does not", async () => {
  const { owner, agent, mandateId } = await signedMandate({ limitAmount: "500000000" });
  const toAddress = await listed({ owner });
  const mandated = payout({ toAddress, amount: "150000000", mandateId });
  expect((await call("POST", "/api/payouts", { bearer: agent.jwt, json: mandated })).status).toBe(201);
  const asked = await call("POST", "/api/payment/x402V1Payment", {
    bearer: agent.jwt,
    json: { amount: "70000000", payTo: freshAddress(), resource: RESOURCE },
  });
  expect(asked.status).toBe(202);
  expect((await post(owner, `/api/approvals/${body(asked).approvalId}/approve`)).status).toBe(200);
  const json = payout({ toAddress, amount: "30000001", approve: true });
  expect(outcome(await post(owner, PAYOUTS, json))).toEqual(NEEDED);
  expect((await post(owner, PAYOUTS, { ...json, amount: "30000000" })).status).toBe(201);
  const more = await call("POST", "/api/payment/x402V1Payment", {
    bearer: agent.jwt,
    json: { amount: "1000", payTo: freshAddress(), resource: RESOURCE },
  });
  expect(outcome(await post(owner, `/api/approvals/${body(more).approvalId}/approve`))).toEqual(NEEDED);
});
