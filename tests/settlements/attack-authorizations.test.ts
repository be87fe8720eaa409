import { expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import {
  body,
  brief,
  buyer,
  buyers,
  newLink,
  openShop,
  PRICE,
  pay,
  salesOf,
  settlement,
  stranger,
  waitForPool,
  waitUntilRead,
} from "../support/attack";
import { type Answer, call } from "../support/http";
import { lieAbout } from "../support/lying-node";
import { type Json, signedMandate } from "../support/mandates";
import { funded, readPayout, requestPayout } from "../support/payouts";
import { until } from "../support/replica";
import { empty } from "../support/reverting-transfers";
import { claimFrom, freshAddress } from "../support/system";
import { submitDirectly } from "../support/token";

// Anybody with a signed authorization can submit it until the chain shows it as used, cancelled or expired. Before that the
// service must not report it as ended, and must not give its goods to another buyer.

const shop = openShop();

const YEARS_10 = 10 * 365 * 86_400;

/** A third party submits the payer's public authorization. */
const submit = (claim: Parameters<typeof submitDirectly>[1]) => submitDirectly(shop.world, claim);

const saidNoMoneyMoved = (response: Answer) => response.status === 500 && !body(response).stillValidUntil;

test("of two purchases by one wallet in one block, neither is reported as failed while it can still be paid", async () => {
  const link = await newLink(shop);
  const payer = await buyer(shop, PRICE);
  const [first, second] = [claimFrom(payer, link.payTo, PRICE), claimFrom(payer, link.payTo, PRICE)];
  await shop.world.setAutomine(false);
  const one = pay(link, first);
  await waitForPool(shop, first);
  const two = pay(link, second);
  await waitForPool(shop, second);
  await shop.world.setAutomine(true);
  expect((await one).status).toBe(200);
  const response = await two;
  expect.soft(brief(response)).toBe("500 INSUFFICIENT_FUNDS still valid");
  const known = await settlement(body(response).settlementId);
  expect.soft([known.settlementStatus, known.failureCode]).toEqual(["pending", "INSUFFICIENT_FUNDS"]);

  // A buyer who reads "no money was moved" signs again, and the seller submits the publicly reverted proof.
  await shop.world.mint(toAddress(payer.address), 2n * PRICE);
  if (saidNoMoneyMoved(response)) expect((await pay(link, claimFrom(payer, link.payTo, PRICE))).status).toBe(200);
  await submit(second);
  await waitUntilRead(shop);
  const spent = 3n * PRICE - (await shop.world.balanceOf(toAddress(payer.address)));
  expect.soft(spent).toBe(2n * PRICE);
  expect((await settlement(known.settlementId)).settlementStatus).toBe("settled");
});

test("proofs of an empty wallet that are paid after the link was sold and deleted do not count as its sales", async () => {
  const link = await newLink(shop, { maxUses: 1 });
  const payer = stranger();
  const long = claimFrom(payer, link.payTo, PRICE, { windowSeconds: YEARS_10 });
  const short = claimFrom(payer, link.payTo, PRICE);
  const responses = [await pay(link, long), await pay(link, short)];
  expect.soft(responses.map(brief)).toEqual(["402 PAYMENT_VALIDITY_TOO_LONG", "500 INSUFFICIENT_FUNDS still valid"]);
  expect.soft(responses.map((response) => body(response).settlementId)).toEqual([undefined, undefined]);

  const soldResponse = await pay(link, claimFrom(await buyer(shop), link.payTo, PRICE));
  expect(soldResponse.status).toBe(200);
  const path = `/api/payment-links/${link.linkId}`;
  expect((await call("DELETE", path, { bearer: shop.seller.agent.jwt })).status).toBe(200);
  await shop.world.mint(toAddress(payer.address), 2n * PRICE);
  await submit(long);
  await submit(short);
  await waitUntilRead(shop);
  expect(await salesOf(shop, link)).toHaveLength(1);
});

test("a payer whose money is gone in the block of the purchase holds the last use of the link until the proof has expired", async () => {
  const link = await newLink(shop, { maxUses: 1 });
  const [payer = stranger(), otherAccount = stranger()] = await buyers(shop, 2);
  const claim = claimFrom(payer, link.payTo, PRICE);
  await shop.world.setAutomine(false);
  const presented = pay(link, claim);
  await waitForPool(shop, claim);
  await empty(shop.world, toAddress(payer.address), { isFirst: true });
  await shop.world.setAutomine(true);
  expect.soft(brief(await presented)).toBe("500 INSUFFICIENT_FUNDS still valid");
  expect.soft(brief(await pay(link, claimFrom(otherAccount, link.payTo, PRICE)))).toBe("410 LINK_SOLD_OUT");
  await shop.world.mint(toAddress(payer.address), PRICE);
  await submit(claim);
  await waitUntilRead(shop);
  expect(await salesOf(shop, link)).toHaveLength(1);
});

test("empty wallets cannot hold the uses of a link: a buyer with money gets one immediately", async () => {
  const link = await newLink(shop, { maxUses: 3 });
  const payer = await buyer(shop);
  // Until the next block, proofs can be valid by the service's clock and not yet by the chain's.
  await shop.world.setAutomine(false);
  const shownTime = await shop.world.chainTime();
  await until(async () => Date.now() > shownTime.getTime() + 3_000, "our clock to be ahead");
  const validAfter = BigInt(Math.floor(Date.now() / 1000) - 1);
  const held = Promise.all(
    Array.from({ length: 9 }, () => pay(link, claimFrom(stranger(), link.payTo, PRICE, { validAfter }))),
  );
  const takenOrRefused = async () => {
    const [row] = await shop.sql`select count(*)::int as n from settlements where subject = ${link.linkId}`;
    return row?.n === 3;
  };
  let isRefused = false;
  void held.then(() => {
    isRefused = true;
  });
  await until(async () => isRefused || (await takenOrRefused()), "the empty wallets to be refused or to hold the link");
  const claim = claimFrom(payer, link.payTo, PRICE);
  const bought = pay(link, claim);
  await Promise.race([bought, waitForPool(shop, claim)]);
  await shop.world.setAutomine(true);
  expect.soft(brief(await bought)).toBe("200");
  expect(new Set((await held).map(brief))).toEqual(new Set(["402 PAYMENT_NOT_YET_VALID"]));
});

/**
 * `make` requests a transfer while a node lies about it; `again` repeats the request once the node is honest. Then the node
 * submits what it saw. Returns what the payee received in total.
 */
async function deceived(
  { wallet, payee }: { wallet: Address; payee: Address },
  { make, again }: { make: () => Promise<unknown>; again: () => Promise<unknown> },
): Promise<bigint> {
  const balanceBefore = await shop.world.balanceOf(payee);
  const liar = lieAbout(shop.world, wallet);
  await make();
  expect(liar.wasShown()).toBe(true);
  shop.world.node().heal();
  await again();
  await liar.submit();
  await waitUntilRead(shop);
  return (await shop.world.balanceOf(payee)) - balanceBefore;
}

test("a refund that a node refuses and submits later is not paid a second time", async () => {
  const payer = await buyer(shop);
  const link = await newLink(shop);
  expect((await pay(link, claimFrom(payer, link.payTo, PRICE))).status).toBe(200);
  const wallet = toAddress(link.payTo);
  await shop.world.mint(wallet, 2n * PRICE);
  const [{ id: paymentId }] = await salesOf(shop, link);
  const { agent, owner } = shop.seller;
  const initiate = () =>
    call("POST", "/api/payment-links/refunds/initiate", { bearer: agent.jwt, json: { paymentId } });
  const approve = async (response: Answer): Promise<Json> => {
    const path = `/api/refunds/${body(response).refundId}/approve`;
    return body(await call("POST", path, { session: owner.session, json: {} })).refund;
  };
  const received = await deceived(
    { wallet, payee: toAddress(payer.address) },
    {
      make: async () => {
        const { status, failureCode, stillValidUntil } = await approve(await initiate());
        expect
          .soft({ status, failureCode, stillValidUntil })
          .toEqual({ status: "pending", failureCode: "INSUFFICIENT_FUNDS", stillValidUntil: expect.any(String) });
      },
      again: async () => {
        const requested = await initiate();
        expect.soft(brief(requested)).toBe("400 REFUND_EXCEEDS_PAYMENT");
        if (requested.status === 201) expect((await approve(requested)).status).toBe("settled");
      },
    },
  );
  expect(received).toBe(PRICE);
});

test("a payout that a node refuses and submits later is not paid a second time", async () => {
  const { owner, agent, mandateId } = await signedMandate();
  const wallet = await funded(shop.world, owner);
  const payee = freshAddress();
  const order = (payoutId: string) =>
    requestPayout(agent, { payoutId, bizId: "invoice 7", toAddress: payee, amount: "10000", mandateId });
  const now = async (payoutId: string): Promise<Json> => body(await readPayout(agent, payoutId));
  const received = await deceived(
    { wallet, payee },
    {
      make: async () => {
        expect((await order("first")).status).toBe(201);
        const isTold = async () => (await now("first")).legs[0].failureCode !== null;
        await until(isTold, "the payout to be reported");
        const { status, stillValidUntil } = (await now("first")).legs[0];
        expect.soft([status, stillValidUntil]).toEqual(["pending", expect.any(String)]);
      },
      again: async () => {
        const second = await order("second");
        expect.soft(brief(second)).toBe("409 duplicate_biz_id");
        if (second.status === 201)
          await until(async () => (await now("second")).status === "succeeded", "the second payout");
      },
    },
  );
  expect(received).toBe(10_000n);
});
