import type { Hex } from "viem";
import type { HDAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import type { System } from "@/lib/platform/context";
import { type Claim, claimTogether, settle } from "@/lib/settlements/service";
import { NETWORKS } from "@/lib/x402/networks";
import { setReceivingAddress } from "../support/confirmations";
import { delegate } from "../support/contract-accounts";
import { call } from "../support/http";
import { linkedPair, type Parties } from "../support/mandates";
import { claimFrom, cranks, freshAddress, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

const AMOUNT = 1_000_000n;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let system: System;
let crank: Awaited<ReturnType<typeof cranks>>;
let seller: Parties;
let payTo: Address;

beforeAll(async () => {
  world = await createWorld();
  process.env.SETTLE_WAIT_SECONDS = "0";
  testSystem = openSystem();
  system = testSystem.system;
  crank = await cranks(system);
  await crank.observe();
  for (const { address } of world.accounts) await world.mint(toAddress(address), 100n * AMOUNT);
  seller = await linkedPair();
});

afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

beforeEach(async () => {
  await world.setAutomine(true);
  payTo = freshAddress();
  await setReceivingAddress(seller, payTo);
});

const account = (index: number): HDAccount => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

const setCode = (address: Address, bytecode: Hex) => world.client().setCode({ address, bytecode });
/** Returns 32 bytes that begin with ERC-1271's magic value, for every call. */
const YES = "0x7f1626ba7e0000000000000000000000000000000000000000000000000000000060005260206000f3";
/** The same with one bit set after the magic value. */
const ALMOST_YES = "0x7f1626ba7e0000000000000000000000000000000000000000000000000000000160005260206000f3";
/** An infinite loop. */
const BURN: Hex = "0x5b600056";

async function codeAt(bytecode: Hex): Promise<Address> {
  const address = freshAddress();
  await setCode(address, bytecode);
  return address;
}

const claimDirectly = (claim: Claim) => settle(system, claim, 0);

const rowsOf = async (ids: readonly string[]) =>
  testSystem.sql`select * from settlements where id = any(${[...ids]}) order by id`;

async function stateOf(id: string): Promise<string> {
  const [row] = await rowsOf([id]);
  return row?.state;
}

/** Makes postponed settlements due and runs rounds. */
async function drain(rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await testSystem.sql`update settlements set retry_at = null`;
    await crank.drain(6);
  }
}

/** Honest claims: single ones, and a group. */
async function honest() {
  const alone = await Promise.all(
    [1, 2].map((index) => claimDirectly(claimFrom(account(index), freshAddress(), AMOUNT))),
  );
  const group = [3, 4].map((index) => claimFrom(account(index), freshAddress(), AMOUNT)) as [Claim, Claim];
  return [...alone, ...(await claimTogether(system, group, async () => {}))].map(({ id }) => id);
}

async function expectSettled(ids: readonly string[]): Promise<void> {
  expect((await rowsOf(ids)).map((row) => row.state)).toEqual(ids.map(() => "settled"));
}

const pay = (claim: Claim, amount = claim.authorization.value as bigint) =>
  call("GET", `/unifypaymentlink/agentid/${seller.agent.agentId}?amount=${amount}&asset=usdc`, {
    headers: paying(claim),
  });
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code;
const countOf = async (payer: Address) => {
  const [row] = await testSystem.sql`select count(*)::int as n from settlements where payer = ${payer}`;
  return row?.n;
};

describe("one bad item never stops the others:", () => {
  test("a 65-byte signature with r = 0 whose payer removes its code does not stop the network", async () => {
    const attacker = account(7);
    await delegate(world, attacker.address, await codeAt(YES));
    const now = Math.floor((await world.chainTime()).getTime() / 1000);
    const claim = claimFrom(attacker, payTo, AMOUNT, { validAfter: BigInt(now + 40) });
    const { id } = await claimDirectly({ ...claim, signature: `0x${"00".repeat(32)}${"11".repeat(32)}1b` });
    await crank.relay();
    await delegate(world, attacker.address, null);
    await world.increaseTime(60);
    const good = await honest();
    await drain();
    await expectSettled(good);
    expect(await stateOf(id)).not.toBe("settled");
    expect(["claimed", "prepared", "broadcast"]).not.toContain(await stateOf(id));
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ["an empty signature", (id) => testSystem.sql`update settlements set signature = '0x' where id = ${id}`],
    [
      "a signature that is not hex",
      (id) => testSystem.sql`update settlements set signature = 'garbage' where id = ${id}`,
    ],
    ["half a byte of signature", (id) => testSystem.sql`update settlements set signature = '0x123' where id = ${id}`],
    [
      "the token as payee",
      (id) => testSystem.sql`update settlements set payee = ${NETWORKS.base.usdc} where id = ${id}`,
    ],
    [
      "the zero address as payee",
      (id) => testSystem.sql`update settlements set payee = ${`0x${"0".repeat(40)}`} where id = ${id}`,
    ],
    [
      "more than any balance",
      (id) => testSystem.sql`update settlements set amount = ${(2n ** 256n - 1n).toString()} where id = ${id}`,
    ],
    ["an amount beyond uint256", (id) => testSystem.sql`update settlements set amount = 1e77 * 9 where id = ${id}`],
    ["a time beyond uint256", (id) => testSystem.sql`update settlements set valid_before = 1e77 * 9 where id = ${id}`],
  ])("%s in the database affects only its own row", async (_, corrupt) => {
    const bad = await claimDirectly(claimFrom(account(5), payTo, AMOUNT));
    await corrupt(bad.id);
    const good = await honest();
    await drain();
    await expectSettled(good);
    expect(["claimed", "prepared", "broadcast", "settled"]).not.toContain(await stateOf(bad.id));
    expect(await world.balanceOf(payTo)).toBe(0n);
  });

  test("a corrupt payment in a group affects only that group", async () => {
    const group = [3, 4].map((index) => claimFrom(account(index), payTo, AMOUNT)) as [Claim, Claim];
    const bad = await claimTogether(system, group, async () => {});
    await testSystem.sql`update settlements set signature = 'garbage' where id = ${bad[1]?.id ?? ""}`;
    const good = await honest();
    await drain(8);
    await expectSettled(good);
    const states = (await rowsOf(bad.map(({ id }) => id))).map((row) => row.state);
    for (const state of states) expect(["claimed", "prepared", "broadcast", "settled"]).not.toContain(state);
    expect(await world.balanceOf(payTo)).toBe(0n);
  });
});

describe("the amount of a payer with code", () => {
  test("must be worth the gas of its transfer; an account without code may move one atomic unit", async () => {
    const wallet = await codeAt(YES);
    await world.mint(wallet, AMOUNT);
    const dust = await pay(claimFrom(account(7), payTo, 9_999n, { from: wallet }));
    expect([dust.status, codeOf(dust)]).toEqual([402, "AMOUNT_TOO_SMALL"]);
    expect(await countOf(wallet)).toBe(0);
    expect((await pay(claimFrom(account(7), payTo, 10_000n, { from: wallet }))).status).toBe(202);
    expect((await pay(claimFrom(account(1), payTo, 1n))).status).toBe(202);
    await drain(3);
    expect(await world.balanceOf(payTo)).toBe(10_001n);
  });
});

describe("a signature checked by a payer's code", () => {
  const digest: Hex = `0x${"07".repeat(32)}`;
  const accepts = (address: Address) => system.chains.base.acceptsSignature(address, digest, "0x1234");

  test("is valid only if the result is the magic value followed by zeros", async () => {
    expect(await accepts(await codeAt(YES))).toBe(true);
    expect(await accepts(await codeAt(ALMOST_YES))).toBe(false);
    // 33 bytes, and 4 bytes.
    expect(await accepts(await codeAt(`${YES.slice(0, -10)}60216000f3` as Hex))).toBe(false);
    expect(await accepts(await codeAt(`${YES.slice(0, -10)}60046000f3` as Hex))).toBe(false);
    expect(await accepts(await codeAt(BURN))).toBe(false);
    expect(await accepts(freshAddress())).toBe(false);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0x11, 0x100, 0xffff])(
    "is not valid from a precompile: %i",
    async (number) => {
      const address = toAddress(`0x${number.toString(16).padStart(40, "0")}`);
      // Simulates the magic value as its result, which takes about 2^32 tries with SHA-256.
      if (number > 0x11) await setCode(address, YES);
      expect(await accepts(address)).toBe(false);
    },
  );
});

describe("a proof at admission", () => {
  const refusedBy = async (claim: Claim) => {
    const response = await pay(claim);
    expect(await countOf(claim.authorization.from)).toBe(0);
    return { status: response.status, body: response.body as Record<string, unknown> };
  };
  const stranger = async (balance = AMOUNT) => {
    const wallet = await codeAt(YES);
    if (balance > 0n) await world.mint(wallet, balance);
    return wallet;
  };

  test("from an empty wallet is rejected, and nothing is claimed", async () => {
    const from = await stranger(0n);
    const claim = claimFrom(account(7), payTo, AMOUNT, { from });
    const { status, body } = await refusedBy(claim);
    expect([status, body.code, body.failureCode]).toEqual([500, "SETTLEMENT_FAILED", "INSUFFICIENT_FUNDS"]);
    expect(body).not.toHaveProperty("settlementId");
    const until = new Date(Number(claim.authorization.validBefore) * 1000).toISOString();
    expect(body.stillValidUntil).toBe(until);
    // The same proof is accepted once the payer has money.
    await world.mint(from, AMOUNT);
    expect((await pay(claim)).status).toBe(202);
    await drain(2);
    expect(await world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("that is valid for more than an hour is rejected", async () => {
    const from = await stranger();
    const long = await refusedBy(claimFrom(account(7), payTo, AMOUNT, { from, windowSeconds: 3_700 }));
    expect([long.status, long.body.code]).toEqual([402, "PAYMENT_VALIDITY_TOO_LONG"]);
    expect((await pay(claimFrom(account(7), payTo, AMOUNT, { from, windowSeconds: 3_590 }))).status).toBe(202);
    await drain(2);
  });

  test("with an unreadable deployment is rejected with an error that says so", async () => {
    const claim = claimFrom(account(7), payTo, AMOUNT, { from: await stranger() });
    const wrapped: Hex = `${claim.signature}${"00".repeat(31)}${"6492".repeat(16)}`;
    const { status, body } = await refusedBy({ ...claim, signature: wrapped });
    expect([status, body.code]).toEqual([402, "PAYMENT_SIGNATURE_INVALID"]);
    expect(body.error).toMatch(/ERC-6492/);
  });

  test("that was already used on the chain is rejected with 409, and nothing is claimed", async () => {
    const from = await stranger(2n * AMOUNT);
    const claim = claimFrom(account(7), payTo, AMOUNT, { from });
    const { submitDirectly } = await import("../support/token");
    await submitDirectly(world, claim);
    await crank.observe();
    const { status, body } = await refusedBy(claim);
    expect([status, body.code]).toEqual([409, "PAYMENT_ALREADY_USED"]);
  });

  test("with a signature with r = 0 is rejected once its payer has no code", async () => {
    const claim = claimFrom(account(7), payTo, AMOUNT, { from: freshAddress() });
    const { status, body } = await refusedBy({ ...claim, signature: `0x${"00".repeat(32)}${"11".repeat(32)}1b` });
    expect([status, body.code]).toEqual([402, "PAYMENT_SIGNATURE_INVALID"]);
  });
});
