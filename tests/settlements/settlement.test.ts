import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { System } from "@/lib/platform/context";
import { settle } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { claimFrom, cranks, freshAddress, openSystem } from "../support/system";
import { cancelDirectly, changeToken, submitDirectly } from "../support/token";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let system: System;
let crank: Awaited<ReturnType<typeof cranks>>;

beforeAll(async () => {
  world = await createWorld({ blockTimeSeconds: 0 });
  testSystem = openSystem({}, { STUCK_SECONDS: "1" });
  system = testSystem.system;
  crank = await cranks(system);
  await crank.observe();
});

afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

afterEach(async () => {
  await crank.observe();
  expect(await violations(system, ["base"])).toEqual([]);
});

beforeEach(async () => {
  await world.setAutomine(true);
});

const account = (index: number) => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

const rowsOf = (id: string) => testSystem.sql`select * from settlements where id = ${id}`;

async function claimDirectly(claim: ReturnType<typeof claimFrom>) {
  return settle(system, claim, 0);
}

const stateOf = async (id: string) => {
  const [row] = await rowsOf(id);
  return { state: row?.state, failureCode: row?.failure_code };
};

test("a claimed proof settles once, with ledger postings that sum to zero", async () => {
  const payee = freshAddress();
  await world.mint(account(0).address, 5_000_000n);
  const { id } = await claimDirectly(claimFrom(account(0), payee, 1_250_000n));
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
  expect(await world.balanceOf(payee)).toBe(1_250_000n);
  const postings =
    await testSystem.sql`select side, amount from ledger_entries where account = ${payee} or payer = ${account(0).address} order by side`;
  expect(postings.map((p) => [p.side, p.amount])).toEqual([
    ["credit", "1250000"],
    ["debit", "-1250000"],
  ]);
});

test("the same proof presented twice at once is claimed once, and the other request gets that settlement", async () => {
  const payee = freshAddress();
  await world.mint(account(0).address, 1_000_000n);
  const claim = claimFrom(account(0), payee, 1_000_000n);
  const responses = await Promise.allSettled([claimDirectly(claim), claimDirectly(claim), claimDirectly(claim)]);
  const won = responses.filter((a) => a.status === "fulfilled");
  const lost = responses.filter((a) => a.status === "rejected");
  expect(won).toHaveLength(1);
  for (const response of lost) {
    expect(response.reason).toMatchObject({
      code: "PAYMENT_ALREADY_USED",
      details: { settlementId: won[0]?.value.id },
    });
  }
  await crank.drain();
  expect(await world.balanceOf(payee)).toBe(1_000_000n);
});

test("waiting proofs are sent in one transaction, and a bad one does not stop the others", async () => {
  const payee = freshAddress();
  await world.mint(account(1).address, 10_000_000n);
  await world.setAutomine(false);
  const first = await claimDirectly(claimFrom(account(1), payee, 1_000n));
  await crank.relay();
  const good = await Promise.all(Array.from({ length: 30 }, () => claimDirectly(claimFrom(account(1), payee, 1_000n))));
  const poor = await claimDirectly(claimFrom(account(1), payee, 10n ** 15n));
  await crank.relay();
  await world.setAutomine(true);
  await world.mine();
  await crank.drain();
  expect(await stateOf(first.id)).toEqual({ state: "settled", failureCode: null });
  for (const { id } of good) expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
  expect(await stateOf(poor.id)).toEqual({ state: "declined", failureCode: "INSUFFICIENT_FUNDS" });
  const [used] =
    await testSystem.sql`select count(distinct relayer_nonce)::int as n from settlements where payee = ${payee} and state = 'settled'`;
  expect(used?.n).toBe(2);
  expect(await world.balanceOf(payee)).toBe(31_000n);
});

test("a settlement is declined, not void, when its money is spent between simulation and block, because the authorization can still be submitted", async () => {
  const payee = freshAddress();
  await world.mint(account(2).address, 1_000_000n);
  await world.setAutomine(false);
  const { id } = await claimDirectly(claimFrom(account(2), payee, 1_000_000n));
  const head = await world.client().getBlockNumber();
  await crank.relay();
  await changeToken(world, "transfer", [freshAddress(), 1_000_000n], account(2).address, { isFirst: true });
  expect(await world.client().getBlockNumber()).toBe(head + 1n);
  await world.setAutomine(true);
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "declined", failureCode: "INSUFFICIENT_FUNDS" });
  expect(await world.balanceOf(payee)).toBe(0n);
});

test("an authorization that somebody else submits after the claim pays once", async () => {
  const payee = freshAddress();
  await world.mint(account(3).address, 1_000_000n);
  const claim = claimFrom(account(3), payee, 1_000_000n);
  const { id } = await claimDirectly(claim);
  await submitDirectly(world, claim);
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
  expect(await world.balanceOf(payee)).toBe(1_000_000n);
});

test("an authorization that was used before it was presented buys nothing", async () => {
  const payee = freshAddress();
  await world.mint(account(3).address, 1_000_000n);
  const claim = claimFrom(account(3), payee, 1_000_000n);
  await submitDirectly(world, claim);
  await crank.observe();
  const { id } = await claimDirectly(claim);
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "void", failureCode: "ALREADY_USED" });
});

test("a use of the authorization shortly before the claim is visible to the observer still counts as this payment", async () => {
  const payee = freshAddress();
  await world.mint(account(3).address, 1_000_000n);
  await crank.observe();
  const claim = claimFrom(account(3), payee, 1_000_000n);
  const { id } = await claimDirectly(claim);
  await submitDirectly(world, claim);
  // The observer reads the block as if the claim did not exist yet.
  await testSystem.sql`update settlements set nonce = ${`0x${"00".repeat(32)}`} where id = ${id}`;
  await crank.observe();
  await testSystem.sql`update settlements set nonce = ${claim.authorization.nonce} where id = ${id}`;
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
});

test("a cancelled authorization makes the settlement void, because authorizationState alone does not prove a payment", async () => {
  const payee = freshAddress();
  await world.mint(account(4).address, 1_000_000n);
  const claim = claimFrom(account(4), payee, 1_000_000n);
  const { id } = await claimDirectly(claim);
  await cancelDirectly(world, account(4), claim);
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "void", failureCode: "CANCELED" });
  expect(await world.balanceOf(payee)).toBe(0n);
});

test("a void settlement is declined again when its block is replaced, and a transfer by somebody else is reported as late", async () => {
  const payee = freshAddress();
  await world.mint(account(4).address, 1_000_000n);
  await world.mine(2);
  await crank.observe();
  const claim = claimFrom(account(4), payee, 1_000_000n);
  const { id } = await claimDirectly(claim);
  await cancelDirectly(world, account(4), claim);
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "void", failureCode: "CANCELED" });
  await world.reorg(1);
  await crank.observe();
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "declined", failureCode: "CANCELED" });
  expect(await world.balanceOf(payee)).toBe(0n);
  await submitDirectly(world, claim);
  await crank.observe();
  expect((await rowsOf(id))[0]).toMatchObject({ state: "settled", is_late: true });
});

test("an authorization that has expired by the chain's clock ends as EXPIRED", async () => {
  const claim = claimFrom(account(5), freshAddress(), 1_000_000n, { validBefore: 1_000_000_000n, validAfter: 0n });
  await world.mint(account(5).address, 1_000_000n);
  const { id } = await claimDirectly(claim);
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "void", failureCode: "EXPIRED" });
});

test("a reorganisation reverses the credit, and the same signed transaction is sent again", async () => {
  const payee = freshAddress();
  await world.mint(account(6).address, 1_000_000n);
  await world.mine(2);
  await crank.observe();
  const { id } = await claimDirectly(claimFrom(account(6), payee, 1_000_000n));
  await crank.drain();
  const [rowsBefore] = await rowsOf(id);
  expect(rowsBefore?.state).toBe("settled");
  await world.reorg(1);
  expect(await world.balanceOf(payee)).toBe(0n);
  await crank.observe();
  expect((await rowsOf(id))[0]).toMatchObject({ state: "broadcast", ended_at: null });
  await testSystem.sql`update relayer_attempts set sent_at = now() - interval '10 seconds'`;
  await crank.drain();
  const [rowsAfter] = await rowsOf(id);
  expect(rowsAfter).toMatchObject({ state: "settled", tx_hash: rowsBefore?.tx_hash });
  expect(await world.balanceOf(payee)).toBe(1_000_000n);
  const [ledger] = await testSystem.sql`select sum(amount)::text as held from ledger_entries where account = ${payee}`;
  expect(ledger?.held).toBe("1000000");
});

test("a receipt from a block that has been replaced does not close its transaction", async () => {
  const payee = freshAddress();
  await world.mint(account(3).address, 1_000_000n);
  await world.mine(2);
  await crank.observe();
  await world.setAutomine(false);
  const { id } = await claimDirectly(claimFrom(account(3), payee, 1_000_000n));
  await crank.relay();
  await world.mine();
  const { base } = system.chains;
  system.chains.base = {
    ...base,
    receipt: async (hash) => {
      const receipt = await base.receipt(hash);
      system.chains.base = base;
      await world.reorg(1);
      await crank.observe();
      // Simulates a transaction that moved nothing, which has no transfer to compare with the chain.
      return receipt && { ...receipt, uses: [] };
    },
  };
  await crank.relay();
  const [sent] = await rowsOf(id);
  expect(sent?.state).toBe("broadcast");
  await testSystem.sql`update relayer_attempts set sent_at = now() - interval '10 seconds'`;
  await crank.relay();
  await world.mine();
  await crank.drain();
  expect((await rowsOf(id))[0]).toMatchObject({ state: "settled", tx_hash: sent?.tx_hash });
});

test("a closed transaction that is missing on the chain is sent again, and later ones are mined after it", async () => {
  await world.mint(account(3).address, 2_000_000n);
  await crank.observe();
  await world.setAutomine(false);
  const lost = await claimDirectly(claimFrom(account(3), freshAddress(), 1_000_000n));
  await crank.relay();
  await world.dropTransactions();
  await testSystem.sql`update relayer_transactions t set is_open = false, mined_block = 1
    from settlements s where s.id = ${lost.id} and (t.signer, t.nonce) = (s.signer, s.relayer_nonce)`;
  await testSystem.sql`update relayer_attempts set sent_at = now() - interval '10 seconds'`;
  const later = await claimDirectly(claimFrom(account(3), freshAddress(), 1_000_000n));
  await crank.relay();
  await world.mine();
  await crank.relay();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await crank.relay();
  await crank.relay();
  await world.mine();
  await crank.drain();
  expect(await stateOf(lost.id)).toEqual({ state: "settled", failureCode: null });
  expect(await stateOf(later.id)).toEqual({ state: "settled", failureCode: null });
});

test("a transaction dropped from the pool is sent again, and a stuck one is replaced with the same nonce and call", async () => {
  const payee = freshAddress();
  await world.mint(account(7).address, 1_000_000n);
  await crank.observe();
  await world.setAutomine(false);
  const { id } = await claimDirectly(claimFrom(account(7), payee, 1_000_000n));
  await crank.relay();
  await world.dropTransactions();
  await testSystem.sql`update relayer_attempts set sent_at = now() - interval '5 seconds' where sent_at is not null`;
  await crank.relay();
  expect(await pooled()).toBe(1);
  await testSystem.sql`update relayer_attempts set created_at = now() - interval '60 seconds' where sent_at is not null`;
  await crank.relay();
  const [row] = await rowsOf(id);
  const forms =
    await testSystem.sql`select hash from relayer_attempts where nonce = ${row?.relayer_nonce} and signer = ${row?.signer}`;
  expect(forms).toHaveLength(2);
  await world.setAutomine(true);
  await world.mine();
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
  expect(await world.balanceOf(payee)).toBe(1_000_000n);
});

test("a second authorization with the same nonce makes the first settlement void, and delays no other payment", async () => {
  const payee = freshAddress();
  await world.mint(account(5).address, 2_000_000n);
  const claim = claimFrom(account(5), payee, 1_000_000n);
  const { id } = await claimDirectly(claim);
  await submitDirectly(world, claimFrom(account(5), account(5).address, 1n, { nonce: claim.authorization.nonce }));
  const honest = await claimDirectly(claimFrom(account(5), payee, 500_000n));
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "void", failureCode: "ALREADY_USED" });
  expect(await stateOf(honest.id)).toEqual({ state: "settled", failureCode: null });
});

test("while a node lacks a receipt, the observer waits instead of taking the payment for a cancellation", async () => {
  const payee = freshAddress();
  await world.mint(account(6).address, 1_000_000n);
  await crank.observe();
  const claim = claimFrom(account(6), payee, 1_000_000n);
  const { id } = await claimDirectly(claim);
  await submitDirectly(world, claim);
  const { base } = system.chains;
  system.chains.base = { ...base, receipt: async () => null };
  await expect(crank.observe()).rejects.toThrow("lacks a block or receipt");
  system.chains.base = base;
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
});

test("a payment whose log a node hides from the observer is settled by its receipt", async () => {
  const payee = freshAddress();
  await world.mint(account(6).address, 1_000_000n);
  await crank.observe();
  const { id } = await claimDirectly(claimFrom(account(6), payee, 1_000_000n));
  const { base } = system.chains;
  system.chains.base = { ...base, authorizationLogs: async ({ to }) => ({ logs: [], last: await base.block(to) }) };
  await crank.drain();
  system.chains.base = base;
  expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
  expect(await world.balanceOf(payee)).toBe(1_000_000n);
});

test("a node that lags behind is not taken for a reorganisation", async () => {
  const payee = freshAddress();
  await world.mint(account(6).address, 1_000_000n);
  const { id } = await claimDirectly(claimFrom(account(6), payee, 1_000_000n));
  await crank.drain();
  const { base } = system.chains;
  const head = await base.head();
  const behind = await base.block(head.number - 2n);
  if (!behind) throw new Error("the chain is too short");
  system.chains.base = { ...base, head: async () => behind };
  await crank.observe();
  await world.mine();
  system.chains.base = { ...base, block: async () => null };
  await crank.observe();
  system.chains.base = base;
  expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
});

test("blocks that are read again after a reorganisation above them are credited again", async () => {
  const payee = freshAddress();
  await world.mint(account(7).address, 1_000_000n);
  await crank.observe();
  const claim = claimFrom(account(7), payee, 1_000_000n);
  const { id } = await claimDirectly(claim);
  await submitDirectly(world, claim);
  await world.mine(2);
  await crank.drain();
  await world.reorg(1);
  await world.mine();
  await crank.drain();
  expect(await stateOf(id)).toEqual({ state: "settled", failureCode: null });
  const [ledger] = await testSystem.sql`select sum(amount)::text as held from ledger_entries where account = ${payee}`;
  expect(ledger?.held).toBe("1000000");
});

test("a relayer key that was used elsewhere is paused, and its work is released to other keys", async () => {
  await world.mint(account(8).address, 1_000_000n);
  const payee = freshAddress();
  await crank.observe();
  await world.setAutomine(false);
  const { id } = await claimDirectly(claimFrom(account(8), payee, 1_000_000n));
  await crank.relay();
  const [row] = await rowsOf(id);
  await world.dropTransactions();
  const signer = row?.signer as `0x${string}`;
  await world.client().impersonateAccount({ address: signer });
  await world.setAutomine(true);
  const hash = await world.client().sendTransaction({ account: signer, chain: null, to: freshAddress(), value: 1n });
  await world.client().waitForTransactionReceipt({ hash });
  await testSystem.sql`update relayer_attempts set sent_at = now() - interval '60 seconds' where nonce = ${row?.relayer_nonce}`;
  await crank.observe();
  await crank.relay();
  expect((await rowsOf(id))[0]?.state).toBe("broadcast");
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await crank.relay();
  const [relayer] = await testSystem.sql`select paused_reason from relayers where signer = ${signer}`;
  expect(relayer?.paused_reason).toMatch(/not ours/);
  expect((await rowsOf(id))[0]).toMatchObject({ state: "claimed", signer: null });
  expect(await world.balanceOf(payee)).toBe(0n);
});

async function pooled(): Promise<number> {
  const status = await world.client().getTxpoolStatus();
  return status.pending + status.queued;
}
