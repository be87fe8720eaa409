import { beforeAll, expect, test } from "vitest";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { freshAddress, linkedPair, type Parties, pay, signedMandate } from "../support/mandates";
import { body, outcome, walletOf } from "../support/payouts";
import { shareService } from "../support/service";

// A challenge of the Machine Payments Protocol is signed once, and not after its end.

const service = shareService();
let pair: Parties;
let mandateId: string;

beforeAll(async () => {
  pair = await linkedPair();
  await service.world.mint(await walletOf(pair.owner), 1_000_000n);
  ({ mandateId } = await signedMandate({}, pair));
});

test("a challenge is answered once, under a mandate or by an approval", async () => {
  const order = { payTo: freshAddress(), challenge: { id: "one", realm: "shop.example" } };
  expect((await pay(pair.agent, mandateId, order)).status).toBe(200);
  expect(outcome(await pay(pair.agent, mandateId, order))).toEqual([422, "challenge_over"]);
  const json = { amount: "10000", resource: "https://shop.example/a", ...order };
  const request = (more: object = {}) =>
    call("POST", "/api/payment/x402V1Payment", { bearer: pair.agent.jwt, json: { ...json, ...more } });
  const { approvalId } = body(await request());
  await confirmedCall(pair.owner, `/api/approvals/${approvalId}/approve`, {});
  expect(outcome(await request({ approvalId }))).toEqual([422, "challenge_over"]);
  expect(await service.opened.sql`select 1 from reservations where payee = ${order.payTo}`).toHaveLength(1);
});

test("a challenge that has ended is not signed", async () => {
  const challenge = { id: "two", realm: "shop.example", expires: "2020-01-01T00:00:00Z" };
  const late = await pay(pair.agent, mandateId, { payTo: freshAddress(), challenge });
  expect(outcome(late)).toEqual([422, "challenge_over"]);
});
