import { afterAll, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { workOf } from "@/lib/core/endpoint";
import { REFUSED_PROOF_WORK } from "@/lib/core/limits";
import { getUpl } from "@/lib/links/upl/contract";
import type { Claim } from "@/lib/settlements/service";
import { setReceivingAddress } from "../support/confirmations";
import { call } from "../support/http";
import { linkedPair, type Parties } from "../support/mandates";
import { claimFrom, freshAddress, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const PER_PAYER = 3;
const PER_ADDRESS = 12;
const WITH_CODE_PER_ADDRESS = 2;
const AMOUNT = 1_000_000n;

/** Returns ERC-1271's magic value for every call. */
const YES = "0x7f1626ba7e0000000000000000000000000000000000000000000000000000000060005260206000f3";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let seller: Parties;
const payTo = freshAddress();

beforeAll(async () => {
  world = await createWorld();
  process.env.SETTLE_WAIT_SECONDS = "0";
  process.env.RATE_LIMITS += `,payment_per_payer=${PER_PAYER}/1h,payment_per_address=${PER_ADDRESS}/1h,contract_payment_per_address=${WITH_CODE_PER_ADDRESS}/1h`;
  // Each test has its own client address.
  process.env.TRUSTED_PROXIES = "1";
  testSystem = openSystem();
  for (const { address } of world.accounts) await world.mint(toAddress(address), 1_000_000n);
  seller = await linkedPair();
  await setReceivingAddress(seller, payTo);
});

afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const account = (index: number) => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

const path = (amount = 1_000n) => `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${amount}&asset=usdc`;
const pay = (claim: Claim, sender = "198.51.100.1") =>
  call("GET", path(claim.authorization.value), { headers: { ...paying(claim), "X-Forwarded-For": sender } });
const claim = (index: number) => claimFrom(account(index), payTo, 1_000n);
const forged = (index: number): Claim => ({ ...claim(index), signature: claim(index + 1).signature });
const claims = async () => {
  const [row] = await testSystem.sql`select count(*)::int as n from settlements`;
  return row?.n;
};

// In sequence: all count against the limit of one address.
test("presented proofs are limited per payer, then per client address, and no proof above the limit is claimed", async () => {
  // Invalid proofs in a payer's name do not count against the payer's limit.
  for (let round = 0; round < PER_PAYER; round++) expect((await pay(forged(1))).status).toBe(402);
  for (let round = 0; round < PER_PAYER; round++) expect((await pay(claim(1))).status).toBe(202);
  const claimsBefore = await claims();
  const tooMany = await pay(claim(1));
  expect([tooMany.status, (tooMany.body as { code: string }).code]).toEqual([429, "RATE_LIMITED"]);
  expect(Number(tooMany.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await claims()).toBe(claimsBefore);
  // Another payer can still pay from the same address.
  for (let round = 2 * PER_PAYER + 1; round < PER_ADDRESS; round++)
    expect((await pay(claim(2 + (round % 2)))).status).toBe(202);
  const taken = await claims();
  expect((await pay(claim(5))).status).toBe(429);
  expect(await claims()).toBe(taken);
  // A request for the price does not count.
  expect((await call("GET", path())).status).toBe(402);
});

test("payers with contract code have a separate limit per client address, which affects no other payer", async () => {
  const sender = "198.51.100.2";
  const wallets = [freshAddress(), freshAddress(), freshAddress()];
  for (const address of wallets) {
    await world.client().setCode({ address, bytecode: YES });
    await world.mint(address, AMOUNT);
  }
  const [first, second, third] = wallets.map((from) => claimFrom(account(6), payTo, AMOUNT, { from }));
  if (!first || !second || !third) throw new Error("three claims were made");
  expect((await pay(first, sender)).status).toBe(202);
  expect((await pay(second, sender)).status).toBe(202);
  const claimsBefore = await claims();
  const tooMany = await pay(third, sender);
  expect([tooMany.status, (tooMany.body as { code: string }).code]).toEqual([429, "TOO_MANY_CONTRACT_PAYMENTS"]);
  expect(Number(tooMany.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await claims()).toBe(claimsBefore);
  expect((await pay(claim(7), sender)).status).toBe(202);
  expect((await pay(third, "198.51.100.3")).status).toBe(202);
});

test("a refused proof uses more of the sender's rate limit than one that settles", async () => {
  const sender = "198.51.100.4";
  const price = () => call("GET", path(), { headers: { "X-Forwarded-For": sender } });
  const work = workOf(getUpl);
  const limits = process.env.RATE_LIMITS;
  process.env.RATE_LIMITS += `,work_per_address=${3 * work + REFUSED_PROOF_WORK}/1h`;
  await testSystem.sql`truncate rate_limits`;
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  expect((await pay(claim(6), sender)).status).toBe(202);
  expect((await pay(forged(6), sender)).status).toBe(402);
  expect((await price()).status).toBe(402);
  expect((await price()).status).toBe(429);
  process.env.RATE_LIMITS = limits;
  await closeSystem();
});
