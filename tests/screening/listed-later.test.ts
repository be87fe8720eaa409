import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmedCall } from "../support/confirmations";
import { call } from "../support/http";
import { linkedPair, type Parties, RESOURCE } from "../support/mandates";
import { body, decide, funded, outcome, requestedPayout } from "../support/payouts";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, freshAddress, paying } from "../support/system";

// Addresses that are listed after somebody asked to pay them, or after the owner approved it.

const AMOUNT = 250_000n;
const service = runService();
const dir = mkdtempSync(join(tmpdir(), "tessera-listed-later-"));
const file = join(dir, "list.txt");
let pair: Parties;

/** Lists addresses. Another process reads the list anew. */
async function list(...addresses: string[]): Promise<void> {
  writeFileSync(file, addresses.join("\n"));
  await service.restart({ SCREENING_LISTS: `ours=${file}` });
}
const signedFor = (payee: string) => service.opened.sql`select 1 from reservations where payee = ${payee}`;
const claimedFor = (payee: string) => service.opened.sql`select 1 from settlements where payee = ${payee}`;

beforeAll(async () => {
  await list(freshAddress());
  pair = await linkedPair();
  await funded(service.world, pair.owner, 100_000_000n);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("a payment that its owner has approved is not signed", async () => {
  const payTo = freshAddress();
  const ask = (json: object) =>
    call("POST", "/api/payment/x402V1Payment", {
      bearer: pair.agent.jwt,
      json: { amount: "10000", payTo, resource: RESOURCE, ...json },
    });
  const { approvalId } = body(await ask({}));
  expect((await confirmedCall(pair.owner, `/api/approvals/${approvalId}/approve`, {})).status).toBe(200);
  await list(payTo);
  expect(outcome(await ask({ approvalId }))).toEqual([403, "payee_denied"]);
  expect(await signedFor(payTo)).toHaveLength(0);
  await list(freshAddress());
  expect((await ask({ approvalId })).status).toBe(200);
});

test("a payout that waits for its owner is not paid, and neither is one of its shares", async () => {
  const [toAddress, other] = [freshAddress(), freshAddress()];
  const alone = await requestedPayout(pair.agent, { toAddress });
  const recipients = [other, toAddress].map((address) => ({ toAddress: address, amount: "10000" }));
  const split = await requestedPayout(pair.agent, { toAddress: undefined, amount: undefined, recipients });
  await list(toAddress.toLowerCase());
  for (const { id } of [alone, split])
    expect(outcome(await decide(pair.owner, id, "approve"))).toEqual([403, "payee_denied"]);
  for (const payee of [toAddress, other]) expect(await claimedFor(payee)).toHaveLength(0);
});

test("a buyer is not refunded", async () => {
  const { jwt: bearer } = pair.agent;
  const created = await call("POST", "/api/payment-links", { bearer, json: { amount: AMOUNT.toString() } });
  const { linkId, payTo } = body(created).paymentLink;
  const buyer = service.payer();
  const bought = await call("GET", `/paymentlink/${linkId}`, { headers: paying(claimFrom(buyer, payTo, AMOUNT)) });
  expect(bought.status).toBe(200);
  const [{ id: paymentId }] = body(await call("GET", `/api/payment-links/${linkId}/payments`, { bearer })).payments;
  const asked = await call("POST", "/api/payment-links/refunds/initiate", { bearer, json: { paymentId } });
  const { refundId } = body(asked);
  await list(buyer.address);
  const approve = () => call("POST", `/api/refunds/${refundId}/approve`, { session: pair.owner.session });
  await service.world.mine(3);
  await until(async () => outcome(await approve())[1] !== "PAYMENT_NOT_FINAL", "the payment to be final");
  expect(outcome(await approve())).toEqual([403, "payee_denied"]);
  expect(await claimedFor(buyer.address)).toHaveLength(0);
});
