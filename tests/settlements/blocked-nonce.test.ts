import { setTimeout as sleep } from "node:timers/promises";
import { type Hex, parseTransaction, size } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { System } from "@/lib/platform/context";
import { countAtFeeCap } from "@/lib/settlements/relayer/store";
import { type Claim, isSignedByPayer, settle } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { vaultsOf } from "../support/vaults";
import { createWorld, type World } from "../support/world";

// A transaction that no node takes must not block the nonces after it.

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let system: System;
let crank: Awaited<ReturnType<typeof cranks>>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem({}, { STUCK_SECONDS: "1", LOG_LEVEL: "silent" });
  system = testSystem.system;
  crank = await cranks(system);
  await crank.observe();
  for (const { address } of world.accounts) await world.mint(toAddress(address), 100_000_000n);
});

beforeEach(() => world.setAutomine(true));

afterEach(async () => {
  world.node().heal();
  await drained();
  expect(await violations(system, ["base"])).toEqual([]);
});

afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

const account = (index: number) => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

/** Nodes of which each refuses what `isRefused` says. Returns the sizes of all transactions that were sent. */
function refuse(message: string, isRefused: (raw: Hex) => boolean): number[] {
  const sizes: number[] = [];
  world.node().faults.refuses.set("eth_sendRawTransaction", ([raw]) => {
    sizes.push(size(raw as Hex));
    return isRefused(raw as Hex) ? { code: -32000, message } : null;
  });
  return sizes;
}

const isEmpty = (raw: Hex) => (parseTransaction(raw).data ?? "0x") === "0x";
const isAbove = (bytes: number) => (raw: Hex) => size(raw) > bytes;

async function claimAll(claims: readonly Claim[]): Promise<string[]> {
  const ids: string[] = [];
  for (const claim of claims) ids.push((await settle(system, claim, 0)).id);
  return ids;
}

const states = async (ids: readonly string[]): Promise<Record<string, number>> => {
  const rows = await testSystem.sql`
    select state, count(*)::int as n from settlements where id = any(${[...ids]}) group by state`;
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
};

const openNonces = async (): Promise<number> => {
  const [row] = await testSystem.sql`select count(*)::int as n from relayer_transactions where is_open`;
  return row?.n;
};

const countEmpty = async (): Promise<number> => {
  const [row] = await testSystem.sql`select count(*)::int as n from relayer_attempts where is_empty`;
  return row?.n;
};

/** Rounds until nothing is open, at most for `seconds`. */
async function drained(seconds = 30): Promise<void> {
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    await testSystem.sql`update settlements set retry_at = null where state = 'claimed'`;
    await crank.drain(4);
    const [row] = await testSystem.sql`
      select count(*)::int as n from settlements where state in ('claimed', 'prepared', 'broadcast')`;
    if (row?.n === 0 && (await openNonces()) === 0) return;
    await sleep(100);
  }
}

test("a vault's signature with additional bytes is not accepted as the payer's", async () => {
  const v = vaultsOf(world);
  const { vault } = await v.funded(v.terms({ contractVersion: 1 }), 1_000_000n);
  const claim = v.claimOn(vault, freshAddress(), 1n);
  const padded = { ...claim, signature: `${claim.signature}${"ab".repeat(3_000)}` as const };
  // The first version of the contract accepts both.
  expect([await v.judge(vault, claim), await v.judge(vault, padded)]).toEqual(["None", "None"]);
  expect([await isSignedByPayer(system, claim), await isSignedByPayer(system, padded)]).toEqual([true, false]);
});

test("long signatures of vaults never produce a transaction that nodes refuse for its size", async () => {
  const v = vaultsOf(world);
  const { vault } = await v.funded(v.terms({ contractVersion: 1 }), 1_000_000n);
  const sizes = refuse("oversized data: transaction size, limit 131072", isAbove(131_072));
  // The admission refuses these; a vault's list of payees produces proofs that are nearly as long.
  const claims = Array.from({ length: 60 }, () => {
    const claim = v.claimOn(vault, freshAddress(), 1n);
    const pad = "ab".repeat(4096 - size(claim.signature));
    return { ...claim, signature: `${claim.signature}${pad}` as const };
  });
  const ids = await claimAll(claims);
  await drained();
  expect(Math.max(...sizes)).toBeLessThan(110_000);
  expect(sizes.length).toBeLessThan(6);
  expect(await states(ids)).toEqual({ settled: 60 });
}, 90_000);

test.each([
  ["in words that are known", "oversized data: transaction size 9999, limit 3000"],
  ["in words of its own", "the computer says no"],
])(
  "when nodes refuse a transaction %s, its nonce goes to an empty transaction, and each payment is sent alone",
  async (_, words) => {
    const emptied = await countEmpty();
    refuse(words, isAbove(3_000));
    const payee = freshAddress();
    const claims = Array.from({ length: 20 }, (_, index) => claimFrom(account(index % 5), payee, 1_000n));
    const ids = await claimAll(claims);
    await crank.relay();
    expect(await openNonces()).toBe(1);
    await drained();
    expect(await states(ids)).toEqual({ settled: 20 });
    expect(await world.balanceOf(payee)).toBe(20_000n);
    expect(await countEmpty()).toBe(emptied + 1);
    // Nobody knows whose transfer was the cause.
    expect(await testSystem.sql`select * from payer_gas`).toEqual([]);
  },
  90_000,
);

test("a payment whose transaction nodes always refuse is declined after some attempts, and the next payment is made", async () => {
  const [refusal, otherClaim] = [
    claimFrom(account(0), freshAddress(), 1_000n),
    claimFrom(account(1), freshAddress(), 1_000n),
  ];
  refuse("intrinsic gas too low", (raw) => raw.includes(refusal.authorization.nonce.slice(2)));
  const [id = ""] = await claimAll([refusal]);
  await crank.relay();
  const [next = ""] = await claimAll([otherClaim]);
  await drained(60);
  expect(await states([id])).toEqual({ declined: 1 });
  expect(await states([next])).toEqual({ settled: 1 });
}, 120_000);

test("while nodes refuse the empty transaction too, the original one is kept and sent as soon as nodes accept it", async () => {
  refuse("exceeds block gas limit", () => true);
  const [id = ""] = await claimAll([claimFrom(account(2), freshAddress(), 1_000n)]);
  for (let round = 0; round < 12; round++) {
    await crank.relay();
    await sleep(400);
  }
  world.node().heal();
  await drained();
  const [row] = await testSystem.sql`select state, attempts from settlements where id = ${id}`;
  expect(row).toEqual({ state: "settled", attempts: 0 });
}, 60_000);

test("no fee exceeds the cap when a node lies about the base fee, and the status report says that the cap is reached", async () => {
  const cap = system.config.feeCaps.base;
  world
    .node()
    .faults.answers.set("eth_getBlockByNumber", (_, block) =>
      block ? { ...block, baseFeePerGas: `0x${(10n ** 14n).toString(16)}` } : block,
    );
  const [id = ""] = await claimAll([claimFrom(account(4), freshAddress(), 1_000n)]);
  await world.setAutomine(false);
  await crank.relay();
  const [form] = await testSystem.sql`
    select a.max_fee_per_gas as fee, a.max_priority_fee_per_gas as tip from relayer_attempts a
    join settlements s on (a.network, a.signer, a.nonce) = (s.network, s.signer, s.relayer_nonce) where s.id = ${id}`;
  expect(BigInt(form?.fee)).toBe(cap.maxFeePerGas);
  expect(BigInt(form?.tip)).toBeLessThanOrEqual(cap.maxPriorityFeePerGas);
  expect(await countAtFeeCap(system.db, "base", cap)).toBe(1);
  await world.setAutomine(true);
});

test("when an earlier version of a transaction is mined in place of the empty one, it pays once", async () => {
  refuse("oversized data", () => true);
  const payee = freshAddress();
  const [id = ""] = await claimAll([claimFrom(account(3), payee, 1_000n)]);
  await crank.relay();
  await crank.relay();
  const forms = await testSystem.sql`
    select a.raw, a.is_empty from relayer_attempts a join settlements s on (a.network, a.signer, a.nonce) = (s.network, s.signer, s.relayer_nonce)
    where s.id = ${id} order by a.created_at`;
  expect(forms.map(({ is_empty }) => is_empty)).toEqual([false, true]);
  expect(isEmpty(forms[1]?.raw)).toBe(true);
  // A node took it after all.
  world.node().heal();
  await world.client().request({ method: "eth_sendRawTransaction", params: [forms[0]?.raw] } as never);
  await world.mine();
  await drained();
  expect(await states([id])).toEqual({ settled: 1 });
  expect(await world.balanceOf(payee)).toBe(1_000n);
});
