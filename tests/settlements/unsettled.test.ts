import type { Hex } from "viem";
import type { HDAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { subscribers } from "@/lib/subscribers";
import { cancellationTypedData } from "@/lib/x402/cancellation";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { linkedPair, type Parties } from "../support/mandates";
import { body } from "../support/payouts";
import { claimFrom, cranks, freshAddress, openSystem, paying } from "../support/system";
import { changeToken, submitDirectly } from "../support/token";
import { createWorld, type World } from "../support/world";

// Declined settlements: the service has stopped, and anybody can still submit the authorization.

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let crank: Awaited<ReturnType<typeof cranks>>;
let seller: Parties;

const PRICE = 250_000n;

beforeAll(async () => {
  world = await createWorld();
  Object.assign(process.env, { LOG_LEVEL: "silent", SETTLE_WAIT_SECONDS: "0" });
  wiring = await import("../support/wiring");
  testSystem = openSystem({ subscribers });
  crank = await cranks(testSystem.system);
  await crank.observe();
  seller = await linkedPair();
});

beforeEach(() => world.setAutomine(true));

afterEach(async () => {
  await crank.observe();
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

afterAll(async () => {
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const account = (index: number): HDAccount => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

async function link(maxUses: number | null = null): Promise<{ linkId: string; payTo: string }> {
  const json = { amount: PRICE.toString(), maxUses };
  return body(await call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json })).paymentLink;
}

const pay = (linkId: string, claim: ReturnType<typeof claimFrom>) =>
  call("GET", `/paymentlink/${linkId}`, { headers: paying(claim) });
const settlement = async (id: string) => body(await call("GET", `/api/settlements/${id}`));

/** A payment whose payer spends the money between the claim and the relayer's transaction. */
async function createDeclined(index: number, { linkId, payTo }: { linkId: string; payTo: string }) {
  const payer = account(index);
  await world.mint(payer.address, PRICE);
  const claim = claimFrom(payer, payTo, PRICE);
  const presented = await pay(linkId, claim);
  expect(presented.status).toBe(202);
  await changeToken(world, "transfer", [freshAddress(), await world.balanceOf(payer.address)], payer.address);
  await crank.drain();
  return { claim, payer, id: body(presented).settlementId as string };
}

const DECLINED = {
  settlementStatus: "pending",
  failureCode: "INSUFFICIENT_FUNDS",
  stillValidUntil: expect.stringMatching(/^2.*Z$/),
  txHash: null,
};

test("a payment declined for lack of money keeps its use of the link, and settles if its proof is submitted later", async () => {
  const made = await link(1);
  const { claim, payer, id } = await createDeclined(1, made);
  expect(await settlement(id)).toMatchObject(DECLINED);
  const repeatedResponse = await pay(made.linkId, claim);
  expect([repeatedResponse.status, repeatedResponse.body]).toMatchObject([
    409,
    {
      code: "PAYMENT_ALREADY_USED",
      settlementId: id,
      settlementStatus: "pending",
      stillValidUntil: expect.any(String),
    },
  ]);
  await world.mint(account(2).address, PRICE);
  const otherResponse = await pay(made.linkId, claimFrom(account(2), made.payTo, PRICE));
  expect([otherResponse.status, body(otherResponse).code]).toEqual([410, "LINK_SOLD_OUT"]);
  await world.mint(payer.address, PRICE);
  await submitDirectly(world, claim);
  await crank.observe();
  expect(await settlement(id)).toMatchObject({ settlementStatus: "settled", failureCode: null, stillValidUntil: null });
});

test("a payer can cancel a declined settlement by a signature that the service submits; it is void once the chain shows it", async () => {
  const made = await link(1);
  const { payer, id } = await createDeclined(4, made);
  const path = `/api/settlements/${id}/cancellation`;
  const offered = await call("GET", path);
  const typedData = cancellationTypedData("base", claimFrom(payer, made.payTo, 1n).authorization.from, "0x");
  expect(body(offered)).toMatchObject({
    status: "ok",
    typedData: { domain: typedData.domain, primaryType: "CancelAuthorization" },
  });
  const signature = await payer.signTypedData(body(offered).typedData);
  const stranger = await account(5).signTypedData(body(offered).typedData);
  const refusal = await call("POST", path, { json: { signature: stranger } });
  expect([refusal.status, body(refusal).code]).toEqual([400, "CANCELLATION_SIGNATURE_INVALID"]);
  for (let times = 0; times < 2; times++) {
    const response = await call("POST", path, { json: { signature } });
    expect([response.status, response.body]).toMatchObject([202, { status: "pending", settlementStatus: "pending" }]);
  }
  // No new requirement before the chain shows the end.
  await world.mint(payer.address, PRICE);
  expect((await pay(made.linkId, claimFrom(payer, made.payTo, PRICE))).status).toBe(410);
  await crank.relay();
  await crank.observe();
  expect(await settlement(id)).toMatchObject({
    settlementStatus: "failed",
    failureCode: "CANCELED",
    stillValidUntil: null,
  });
  expect((await call("POST", path, { json: { signature } })).status).toBe(200);
  await crank.drain();
  expect(await testSystem.sql`select state from cancellations where settlement_id = ${id}`).toMatchObject([
    { state: "done" },
  ]);
  const paidResponse = await pay(made.linkId, claimFrom(payer, made.payTo, PRICE));
  expect(paidResponse.status).toBe(202);
  await crank.drain();
  expect(await settlement(body(paidResponse).settlementId)).toMatchObject({ settlementStatus: "settled" });
});

// Returns 32 bytes that begin with ERC-1271's magic value, for every call; the second returns another value.
const AGREES: Hex = "0x7f1626ba7e0000000000000000000000000000000000000000000000000000000060005260206000f3";
const REFUSES: Hex = "0x7fffffffff0000000000000000000000000000000000000000000000000000000060005260206000f3";

test("a contract account can cancel with a signature that its code accepts", async () => {
  const made = await link(1);
  const { payer, id } = await createDeclined(8, made);
  const path = `/api/settlements/${id}/cancellation`;
  const json = { signature: "0x1234" };
  await world.client().setCode({ address: payer.address, bytecode: REFUSES });
  const refusal = await call("POST", path, { json });
  expect([refusal.status, body(refusal).code]).toEqual([400, "CANCELLATION_SIGNATURE_INVALID"]);
  await world.client().setCode({ address: payer.address, bytecode: AGREES });
  expect((await call("POST", path, { json })).status).toBe(202);
  await crank.relay();
  await crank.observe();
  await world.client().setCode({ address: payer.address, bytecode: "0x" });
  expect(await settlement(id)).toMatchObject({ settlementStatus: "failed", failureCode: "CANCELED" });
});

test("a pending or settled payment cannot be cancelled", async () => {
  const made = await link();
  await world.mint(account(6).address, PRICE);
  const { settlementId: id } = body(await pay(made.linkId, claimFrom(account(6), made.payTo, PRICE)));
  const path = `/api/settlements/${id}/cancellation`;
  const expectRefusal = async (settlementStatus: string) =>
    expect(await call("GET", path)).toMatchObject({
      status: 409,
      body: { code: "PAYMENT_NOT_CANCELLABLE", settlementId: id, settlementStatus },
    });
  await expectRefusal("pending");
  await crank.drain();
  await expectRefusal("settled");
  const unknown = await call("GET", "/api/settlements/stl_00000000000000000000000000/cancellation");
  expect(body(unknown).code).toBe("SETTLEMENT_NOT_FOUND");
});

test.each<[string, unknown]>([
  ["no signature", {}],
  ["a number", { signature: 1 }],
  ["no hexadecimal digits", { signature: "0xzz" }],
  ["an odd number of digits", { signature: "0x123" }],
  ["too long", { signature: `0x${"ab".repeat(5_000)}` }],
])("a cancellation with %s is rejected", async (_, json) => {
  const response = await call("POST", "/api/settlements/stl_00000000000000000000000000/cancellation", {
    json: json as object,
  });
  expect([response.status, body(response).code]).toEqual([400, "INVALID_REQUEST"]);
});

// Last, because the chain's clock is ahead of the wall clock afterwards.
test("a declined payment fails once a block is later than its expiry, and its use of the link is free again", async () => {
  const made = await link(1);
  const { id } = await createDeclined(7, made);
  await world.increaseTime(700);
  await crank.observe();
  expect(await settlement(id)).toMatchObject({
    settlementStatus: "failed",
    failureCode: "INSUFFICIENT_FUNDS",
    stillValidUntil: null,
  });
  const shown = body(await call("GET", "/api/payment-links", { bearer: seller.agent.jwt }));
  const match = shown.paymentLinks.find(({ linkId }: { linkId: string }) => linkId === made.linkId);
  expect(match).toMatchObject({ isPayable: true });
});
