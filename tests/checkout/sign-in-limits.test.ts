import type { Hex } from "viem";
import type { HDAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { subscribers } from "@/lib/subscribers";
import { violations } from "@/ops/invariants";
import { linkedPair } from "../support/mandates";
import { empty, pollRounds } from "../support/reverting-transfers";
import { buyerSite, YES } from "../support/sign-in";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 1_000_000n;
const CONTENT = "the report";
const PER_ADDRESS = 60;
const WITH_CODE_PER_ADDRESS = 3;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let crank: Awaited<ReturnType<typeof cranks>>;
let site: ReturnType<typeof buyerSite>;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  Object.assign(process.env, { SETTLE_WAIT_SECONDS: "0", TRUSTED_PROXIES: "1" });
  process.env.RATE_LIMITS += `,payment_per_address=${PER_ADDRESS}/1h,contract_sign_in_per_address=${WITH_CODE_PER_ADDRESS}/1h`;
  testSystem = openSystem({ subscribers }, { STUCK_SECONDS: "1" });
  crank = await cranks(testSystem.system);
  await crank.observe();
  site = buyerSite(await linkedPair(), AMOUNT, CONTENT);
  await world.mint(toAddress(payer().address), 5n * AMOUNT);
});

afterEach(async () => {
  expect(await violations(testSystem.system, ["base"])).toEqual([]);
});

afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const payer = (): HDAccount => {
  const [first] = world.accounts;
  if (!first) throw new Error("no accounts");
  return first;
};

async function buyAtNewLink(from = toAddress(payer().address)) {
  const link = await site.newLink();
  expect((await site.pay(link, claimFrom(payer(), link.payTo, AMOUNT, { from }))).status).toBe(202);
  await crank.drain();
  return link;
}

/** Runs rounds until the link's payment has this state. */
const ended = (path: string, state: string) =>
  pollRounds(crank, async () => {
    const [row] = await testSystem.sql`select state from settlements where subject = ${path.split("/").at(-1) ?? ""}`;
    return row?.state;
  }).toBe(state);

const read = async (path: string, signer: HDAccount, sender: string) =>
  site.read(path, await site.signed(path, signer), { "X-Forwarded-For": sender });

test("after a reorganisation reverses a payment, its buyer reads no content until the payment is made again", async () => {
  const { path } = await buyAtNewLink();
  const signed = () => read(path, payer(), "198.51.100.1");
  expect(await signed()).toMatchObject({ status: 200, body: { resource: CONTENT } });
  await world.reorg(1);
  await crank.observe();
  const undone = await signed();
  expect(undone).toMatchObject({ status: 202, body: { status: "pending" } });
  expect(undone.text).not.toContain(CONTENT);
  await ended(path, "settled");
  expect(await signed()).toMatchObject({ status: 200, body: { resource: CONTENT } });
});

test("a buyer whose payment was reversed and can never be made again reads no content", async () => {
  const { path } = await buyAtNewLink();
  await world.reorg(1);
  await crank.observe();
  const taken = await empty(world, toAddress(payer().address));
  await ended(path, "declined");
  const refusal = await read(path, payer(), "198.51.100.1");
  expect(refusal).toMatchObject({
    status: 500,
    body: { code: "SETTLEMENT_FAILED", failureCode: "INSUFFICIENT_FUNDS", stillValidUntil: expect.any(String) },
  });
  expect(refusal.text).not.toContain(CONTENT);
  await world.mint(toAddress(payer().address), taken);
});

test("sign-ins that need a call to the chain are limited per client address with 429, because a 402 would make the buyer pay twice", async () => {
  const wallet = freshAddress();
  await world.client().setCode({ address: wallet, bytecode: YES });
  await world.mint(wallet, AMOUNT);
  const { path } = await buyAtNewLink(wallet);
  const signer: HDAccount = { ...payer(), address: wallet, signMessage: async (): Promise<Hex> => "0xabcd" };
  for (let round = 0; round < WITH_CODE_PER_ADDRESS; round++) {
    expect((await read(path, signer, "198.51.100.2")).status).toBe(200);
  }
  const limited = await read(path, signer, "198.51.100.2");
  expect(limited).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await read(path, signer, "198.51.100.3")).status).toBe(200);
});

test("sign-ins share the limit of proofs per client address, and a limited sign-in reads no content", async () => {
  const { path } = await buyAtNewLink();
  const garbage = () => site.read(path, "garbage", { "X-Forwarded-For": "198.51.100.4" });
  for (let round = 0; round < PER_ADDRESS; round++) expect((await garbage()).status).toBe(402);
  const limited = await read(path, payer(), "198.51.100.4");
  expect(limited).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(limited.text).not.toContain(CONTENT);
  expect((await read(path, payer(), "198.51.100.5")).status).toBe(200);
});
