import { setTimeout as sleep } from "node:timers/promises";
import { type Hex, toFunctionSelector } from "viem";
import { expect, test } from "vitest";
import artifacts from "@/dev/token/artifacts.json";
import { toAddress } from "@/lib/core/address";
import type { Claim } from "@/lib/settlements/service";
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
  waitUntilRead,
} from "../support/attack";
import { call } from "../support/http";
import { until } from "../support/replica";
import { claimFrom, freshAddress } from "../support/system";
import { submitDirectly } from "../support/token";

// Responses about a proof that somebody else submitted, and the cost of cancellations.

const shop = openShop();

const TRANSFER = toFunctionSelector("transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)");
const CANCEL = toFunctionSelector("cancelAuthorization(address,bytes32,bytes)");

test("a proof that a node submits before it responds to the simulation is treated as the sale that it paid for", async () => {
  const link = await newLink(shop, { maxUses: 1 });
  const claim = claimFrom(await buyer(shop), link.payTo, PRICE);
  let isSubmitted = false;
  shop.world.node().faults.answers.set("eth_call", async (params, result) => {
    const [{ data = "" }] = params as [{ data?: string }];
    if (isSubmitted || !data.startsWith(TRANSFER)) return result;
    isSubmitted = true;
    await submitDirectly(shop.world, claim);
    // In vain if the observer's own request is in the same batch as this one.
    await Promise.race([waitUntilRead(shop), sleep(4_000)]);
    return result;
  });
  const response = await pay(link, claim);
  shop.world.node().heal();
  const { settlementId } = body(response);
  await until(async () => (await settlement(settlementId)).settlementStatus !== "pending", "its end");
  // The buyer has paid exactly this price to this seller with the presented proof.
  expect(await shop.world.balanceOf(toAddress(claim.authorization.from))).toBe(0n);
  const { settlementStatus, failureCode } = await settlement(settlementId);
  expect.soft([settlementStatus, failureCode]).toEqual(["settled", null]);
  expect.soft(await salesOf(shop, link)).toHaveLength(1);
});

test("a payer who loses the last use after the simulation is not told that nothing was charged", async () => {
  const link = await newLink(shop, { maxUses: 1 });
  const claims = (await buyers(shop, 6)).map((payer) => claimFrom(payer, link.payTo, PRICE));
  // The node sees several proofs before one of them gets the use, and submits all that it saw.
  const shown = new Set<Claim>();
  shop.world.node().faults.answers.set("eth_call", async (params, result) => {
    const [{ data = "" }] = params as [{ data?: string }];
    const claim = claims.find(({ authorization }) => data.includes(authorization.nonce.slice(2)));
    if (!claim || !data.startsWith(TRANSFER) || shown.has(claim)) return result;
    shown.add(claim);
    await sleep(1_500);
    return result;
  });
  const responses = await Promise.all(claims.map((claim) => pay(link, claim)));
  shop.world.node().heal();
  const lost = claims.flatMap((claim, index) => {
    const response = responses[index];
    return response?.status === 410 && shown.has(claim) ? [{ claim, answer: response }] : [];
  });
  expect(lost).not.toEqual([]);
  for (const { claim, answer } of lost) {
    await submitDirectly(shop.world, claim);
    expect(await shop.world.balanceOf(toAddress(claim.authorization.from))).toBe(0n);
    expect.soft(answer.text).not.toContain("Nothing was charged");
    expect.soft(body(answer)).toMatchObject({ stillValidUntil: expect.any(String) });
  }
});

test("a proof that was refused here and then submitted by somebody else is not reported as expired", async () => {
  const link = await newLink(shop);
  const payer = stranger();
  const claim = claimFrom(payer, link.payTo, PRICE, { windowSeconds: 15 });
  expect(brief(await pay(link, claim))).toBe("500 INSUFFICIENT_FUNDS still valid");
  await shop.world.mint(toAddress(payer.address), PRICE);
  await submitDirectly(shop.world, claim);
  await sleep(Math.max(0, Number(claim.authorization.validBefore) * 1000 + 1_000 - Date.now()));
  // "The proof has expired and can no longer move money. Sign a new one" would be false: it has moved, and a new one would
  // pay again.
  expect(brief(await pay(link, claim))).toBe("409 PAYMENT_ALREADY_USED");
});

test("a payer's cancellations cost no more gas than the payer's gas budget", async () => {
  const { payTo } = await newLink(shop);
  const turncoat = freshAddress();
  const bytecode = artifacts.TurncoatWallet.deployedBytecode as Hex;
  await shop.world.client().setCode({ address: turncoat, bytecode });
  await shop.world.mint(turncoat, PRICE);
  const link = await newLink(shop);
  const response = await pay(link, claimFrom(stranger(), payTo, PRICE, { from: turncoat }));
  expect(brief(response)).toBe("500 REVERTED still valid");
  const path = `/api/settlements/${body(response).settlementId}/cancellation`;
  for (let i = 0; i < 8; i++) {
    await call("POST", path, { json: { signature: "0x11" } });
    await sleep(2_500);
  }
  const [row] = await shop.sql`select count(*)::int as n from relayer_transactions where calldata like ${`${CANCEL}%`}`;
  // 400,000 gas each, of a budget of 1,000,000 an hour.
  expect(row?.n).toBeLessThanOrEqual(2);
});
