import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { violations } from "@/ops/invariants";
import { call } from "../support/http";
import { type Json, linkedPair } from "../support/mandates";
import { until } from "../support/replica";
import { claimFrom, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 10_000n;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
let workers: { stop: () => Promise<void> } | undefined;

beforeAll(async () => {
  world = await createWorld({ networks: ["base", "base-sepolia"] });
  Object.assign(process.env, { LOG_LEVEL: "silent", POLL_MILLISECONDS: "200" });
  testSystem = openSystem();
  wiring = await import("../support/wiring");
  await wiring.control({ do: "arm", failpoint: "settlement.claimed", action: "throw" });
});

afterAll(async () => {
  await workers?.stop();
  await wiring?.closeSystem();
  await testSystem?.close();
  await world?.stop();
});

test("a payer whose response was lost in a crash keeps the link's use, is charged once, and gets the content", async () => {
  const { agent } = await linkedPair();
  const [payer, otherAccount] = world.accounts;
  if (!payer || !otherAccount) throw new Error("no accounts");
  for (const { address } of [payer, otherAccount]) await world.mint(toAddress(address), AMOUNT);
  const { body: link } = await call("POST", "/api/payment-links", {
    bearer: agent.jwt,
    json: { amount: AMOUNT.toString(), resourceContent: "what was bought", maxUses: 1 },
  });
  const { linkId, payTo } = (link as Json).paymentLink;
  const pay = (proof: ReturnType<typeof claimFrom>) =>
    call("GET", `/paymentlink/${linkId}`, { headers: paying(proof) });

  const secret = randomBytes(32).toString("hex");
  const nonce = `0x${createHash("sha256").update(secret).digest("hex")}` as const;
  const proof = claimFrom(payer, payTo, AMOUNT, { nonce });
  const lost = await pay(proof);
  expect([lost.status, (lost.body as Json).code]).toEqual([500, "INTERNAL_ERROR"]);
  expect(lost.text).not.toContain("what was bought");

  const lateResponse = await pay(claimFrom(otherAccount, payTo, AMOUNT));
  expect([lateResponse.status, (lateResponse.body as Json).code]).toEqual([410, "LINK_SOLD_OUT"]);
  const repeatedResponse = await pay(proof);
  const { settlementId } = repeatedResponse.body as Json;
  expect([repeatedResponse.status, repeatedResponse.body]).toMatchObject([409, { settlementStatus: "pending" }]);

  workers = wiring.startWorkers();
  const readPurchase = async (): Promise<Json> =>
    (await call("GET", `/api/settlements/${settlementId}?key=${secret}`)).body;
  await until(async () => (await readPurchase()).settlementStatus !== "pending", "the settlement");
  expect(await readPurchase()).toMatchObject({ settlementStatus: "settled", content: "what was bought" });
  expect(await world.balanceOf(toAddress(payer.address))).toBe(0n);
  expect(await world.balanceOf(toAddress(otherAccount.address))).toBe(AMOUNT);
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

test("a refund whose approval response was lost in a crash is paid once, and cannot be approved again", async () => {
  const { owner, agent } = await linkedPair();
  const [, , payer] = world.accounts;
  if (!payer) throw new Error("no accounts");
  await world.mint(toAddress(payer.address), AMOUNT);
  const json = { amount: AMOUNT.toString() };
  const { body: link } = await call("POST", "/api/payment-links", { bearer: agent.jwt, json });
  const { linkId, payTo } = (link as Json).paymentLink;
  const headers = paying(claimFrom(payer, payTo, AMOUNT));
  expect((await call("GET", `/paymentlink/${linkId}`, { headers })).status).toBe(500);
  workers ??= wiring.startWorkers();
  const payments = async (): Promise<Json> =>
    ((await call("GET", "/api/received-payments", { bearer: agent.jwt })).body as Json).payments[0];
  await until(async () => (await payments()).settlementStatus === "settled", "the payment");
  await workers.stop();
  workers = undefined;

  const { body: created } = await call("POST", "/api/refunds", {
    session: owner.session,
    json: { paymentId: (await payments()).id },
  });
  const { refundId } = (created as Json).refund;
  const approve = () => call("POST", `/api/refunds/${refundId}/approve`, { session: owner.session });
  const lost = await approve();
  expect([lost.status, (lost.body as Json).code]).toEqual([500, "internal_error"]);
  const repeatedResponse = await approve();
  expect([repeatedResponse.status, (repeatedResponse.body as Json).code]).toEqual([409, "refund_approved"]);
  const refund = async (): Promise<Json> =>
    (await call("GET", `/api/payment-links/refunds/${refundId}`, { bearer: agent.jwt })).body;
  expect(await refund()).toMatchObject({ status: "pending", isApproved: true });
  const takenResponse = await call("POST", `/api/payment-links/refunds/${refundId}/cancel`, { bearer: agent.jwt });
  expect([takenResponse.status, (takenResponse.body as Json).code]).toEqual([409, "REFUND_APPROVED"]);
  expect((await payments()).refundedAmount).toBe("0");

  workers = wiring.startWorkers();
  await until(async () => (await refund()).status === "settled", "the refund");
  expect(await world.balanceOf(toAddress(payer.address))).toBe(AMOUNT);
  expect(await payments()).toMatchObject({ settlementStatus: "refunded", refundedAmount: AMOUNT.toString() });
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});
