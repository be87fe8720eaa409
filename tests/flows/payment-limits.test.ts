import { afterAll, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { Claim } from "@/lib/settlements/service";
import { receiveAt } from "../support/confirmations";
import { call } from "../support/http";
import { linkedPair, type Parties } from "../support/mandates";
import { claimFrom, freshAddress, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const PER_PAYER = 3;
const PER_ADDRESS = 12;

let world: World;
let opened: ReturnType<typeof openSystem>;
let seller: Parties;
const payTo = freshAddress();

beforeAll(async () => {
  world = await createWorld();
  process.env.SETTLE_WAIT_SECONDS = "0";
  process.env.RATE_LIMITS += `,payment_per_payer=${PER_PAYER}/1h,payment_per_address=${PER_ADDRESS}/1h`;
  opened = openSystem();
  for (const { address } of world.accounts) await world.mint(toAddress(address), 1_000_000n);
  seller = await linkedPair();
  await receiveAt(seller, payTo);
});

afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await opened?.close();
  await world?.stop();
});

const account = (at: number) => {
  const found = world.accounts[at];
  if (!found) throw new Error("no such account");
  return found;
};

const path = () => `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=1000&asset=usdc`;
const pay = (claim: Claim) => call("GET", path(), { headers: paying(claim) });
const claim = (at: number) => claimFrom(account(at), payTo, 1_000n);
const forged = (at: number): Claim => ({ ...claim(at), signature: claim(at + 1).signature });
const claims = async () => {
  const [row] = await opened.sql`select count(*)::int as n from settlements`;
  return row?.n;
};

// One after another: each uses up turns of the same address.
test("proofs are limited by payer, then by address, with nothing claimed above", async () => {
  // What others sign in a payer's name takes none of its turns.
  for (let round = 0; round < PER_PAYER; round++) expect((await pay(forged(1))).status).toBe(402);
  for (let round = 0; round < PER_PAYER; round++) expect((await pay(claim(1))).status).toBe(202);
  const before = await claims();
  const tooMany = await pay(claim(1));
  expect([tooMany.status, (tooMany.body as { code: string }).code]).toEqual([429, "RATE_LIMITED"]);
  expect(Number(tooMany.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await claims()).toBe(before);
  // Another payer at the same address still pays.
  for (let round = 2 * PER_PAYER + 1; round < PER_ADDRESS; round++)
    expect((await pay(claim(2 + (round % 2)))).status).toBe(202);
  const taken = await claims();
  expect((await pay(claim(5))).status).toBe(429);
  expect(await claims()).toBe(taken);
  // Asking for the price takes no turn.
  expect((await call("GET", path())).status).toBe(402);
});
