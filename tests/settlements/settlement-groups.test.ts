import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { unixSeconds } from "@/lib/core/time";
import { ChainUnavailable } from "@/lib/platform/chain";
import type { System } from "@/lib/platform/context";
import type { Tx } from "@/lib/platform/db";
import { pickGroup } from "@/lib/settlements/relayer/queue-store";
import { relay, relayerJob } from "@/lib/settlements/relayer/relayer";
import { type Claim, claimTogether, type Settlement, settle } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { minePending } from "../support/blocks";
import { claimFrom, cranks, freshAddress, leaseFor, openSystem } from "../support/system";
import { cancelDirectly, changeToken, submitDirectly } from "../support/token";
import { createWorld, type World } from "../support/world";

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let system: System;
let crank: Awaited<ReturnType<typeof cranks>>;
/** A round of the second relayer key. */
let relayOther: () => Promise<unknown>;

beforeAll(async () => {
  world = await createWorld({ relayerCount: 2, blockTimeSeconds: 0 });
  testSystem = openSystem({}, { STUCK_SECONDS: "1" });
  system = testSystem.system;
  crank = await cranks(system);
  await crank.observe();
  const [, key] = system.config.relayerKeys;
  if (!key) throw new Error("the world has one relayer");
  const lease = await leaseFor(system, "relayer:base:1");
  relayOther = async () => {
    await relay({ ...relayerJob(system, "base", key), lease });
    await minePending();
  };
});

afterAll(async () => {
  await testSystem?.close();
  await world?.stop();
});

beforeEach(async () => {
  await world.setAutomine(true);
});

afterEach(async () => {
  await crank.observe();
  expect(await violations(system, ["base"])).toEqual([]);
});

const account = (index: number) => {
  const account = world.accounts[index];
  if (!account) throw new Error("no such account");
  return account;
};

/** Legs of `amounts` from one account with a balance of `minted`, each to a new payee. */
async function legsOf(from: number, amounts: bigint[], minted = amounts.reduce((a, b) => a + b, 0n)) {
  const balance = await world.balanceOf(account(from).address);
  if (balance > 0n) await changeToken(world, "transfer", [freshAddress(), balance], account(from).address);
  if (minted > 0n) await world.mint(account(from).address, minted);
  return amounts.map((amount) => claimFrom(account(from), freshAddress(), amount));
}

const legs = (count: number) => Array.from({ length: count }, (_, index) => BigInt(1_000 + index));

/** The states of a group's legs in the order of the claims, and the payees' balances. */
async function endsOf(rows: Settlement[]) {
  const found =
    await testSystem.sql`select * from settlements where id = any(${rows.map((row) => row.id)}) order by id`;
  const ends = found.map((row) => (row.failure_code ? `${row.state} ${row.failure_code}` : row.state));
  const moved = await Promise.all(rows.map((row) => world.balanceOf(row.payee)));
  const hashes = [...new Set(found.map((row) => row.tx_hash))];
  const nonces = [...new Set(found.map((row) => row.relayer_nonce))];
  return { ends, moved, hashes, nonces, signers: [...new Set(found.map((row) => row.signer))] };
}

const amountsOf = (rows: Settlement[]) => rows.map((row) => row.amount);

/** Makes postponed settlements due and runs rounds until all have ended. */
async function drain(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await testSystem.sql`update settlements set retry_at = null`;
    await crank.drain();
    const [open] =
      await testSystem.sql`select 1 from settlements where state in ('claimed', 'prepared', 'broadcast') limit 1`;
    if (!open) return;
  }
  throw new Error("the queue does not run empty");
}

const together = (claims: Claim[]) => claimTogether(system, claims as [Claim, ...Claim[]], async () => {});

test("a group is claimed as a whole, in the order of its claims, with the caller's rows written in the same transaction", async () => {
  const claims = [3n, 1n, 2n].map((value) => claimFrom(account(6), freshAddress(), value));
  const refusals: string[] = [];
  const rows = await claimTogether(system, claims as [Claim, ...Claim[]], async (_, ids) => void refusals.push(...ids));
  expect(rows.map((row) => [row.amount, row.nonce, row.state, row.groupId])).toEqual(
    claims.map(({ authorization: a }) => [a.value, a.nonce, "claimed", rows[0]?.id]),
  );
  expect(refusals).toEqual(rows.map((row) => row.id));
});

test("a single claim is refused as a group", async () => {
  const [row] = await together([claimFrom(account(6), freshAddress(), 1n)]);
  expect(row).toMatchObject({ groupId: null, state: "claimed" });
});

test("a group with an authorization that was claimed before writes nothing, and its error names the earlier settlement", async () => {
  const used = claimFrom(account(6), freshAddress(), 1n);
  const { id } = await settle(system, used, 0);
  const fresh = claimFrom(account(6), freshAddress(), 1n);
  await expect(together([fresh, used])).rejects.toMatchObject({
    code: "PAYMENT_ALREADY_USED",
    details: { settlementId: id },
  });
  await expect(together([fresh, fresh])).rejects.toMatchObject({ code: "PAYMENT_ALREADY_USED" });
  const left = await testSystem.sql`select id from settlements where nonce = ${fresh.authorization.nonce}`;
  expect(left).toEqual([]);
});

test("a failure of the caller's writes rolls the claims back", async () => {
  const claim = claimFrom(account(6), freshAddress(), 1n);
  const refusing = claimTogether(system, [claim, claimFrom(account(6), freshAddress(), 1n)], async () => {
    throw new Error("no");
  });
  await expect(refusing).rejects.toMatchObject({ code: "SETTLEMENT_UNKNOWN" });
  expect(await testSystem.sql`select id from settlements where nonce = ${claim.authorization.nonce}`).toEqual([]);
});

test("of groups that share authorizations and are claimed at once in any order, exactly one is claimed", async () => {
  const claims = Array.from({ length: 10 }, () => claimFrom(account(6), freshAddress(), 1n));
  const responses = await Promise.allSettled([together(claims), together(claims.toReversed()), together(claims)]);
  expect(responses.filter((response) => response.status === "fulfilled")).toHaveLength(1);
  for (const response of responses) {
    if (response.status === "rejected") expect(response.reason).toMatchObject({ code: "PAYMENT_ALREADY_USED" });
  }
});

test.each([
  ["more than a hundred claims", () => Array.from({ length: 101 }, () => claimFrom(account(6), freshAddress(), 1n))],
  [
    "claims on two networks",
    () => [
      claimFrom(account(6), freshAddress(), 1n),
      claimFrom(account(6), freshAddress(), 1n, { network: "base-sepolia" }),
    ],
  ],
])("%s are refused as a group", async (_, claims) => {
  await expect(together(claims())).rejects.toThrow("a group has at most 100 claims, all on one network");
});

test("when the money is not enough for the last payment of a group, no payment moves, and each has its reason", async () => {
  const rows = await together(await legsOf(0, [1_000n, 2_000n, 3_000n], 5_999n));
  await drain();
  expect(await endsOf(rows)).toMatchObject({
    ends: ["declined GROUP_FAILED", "declined GROUP_FAILED", "declined INSUFFICIENT_FUNDS"],
    moved: [0n, 0n, 0n],
  });
});

test("when the token blocks one payee of a group, no payment moves, and each has its reason", async () => {
  const claims = await legsOf(0, legs(3));
  await changeToken(world, "blacklist", [claims[1]?.authorization.to ?? ""]);
  const rows = await together(claims);
  await drain();
  expect(await endsOf(rows)).toMatchObject({
    ends: ["declined GROUP_FAILED", "declined ACCOUNT_BLOCKED", "declined GROUP_FAILED"],
    moved: [0n, 0n, 0n],
  });
});

test.each([
  ["relayer", ["declined GROUP_FAILED", "declined GROUP_FAILED", "declined EXPIRED"]],
  ["observer", ["claimed", "claimed", "void EXPIRED"]],
] as const)(
  "when one payment of a group has expired by the chain's clock, which the %s sees first, no payment moves",
  async (first, seen) => {
    const claims = await legsOf(0, legs(2));
    const rows = await together([
      ...claims,
      claimFrom(account(0), freshAddress(), 1n, { validAfter: 0n, validBefore: 1n }),
    ]);
    await (first === "relayer" ? crank.relay() : crank.observe());
    expect((await endsOf(rows)).ends).toEqual(seen);
    await drain();
    expect(await endsOf(rows)).toMatchObject({
      ends: ["declined GROUP_FAILED", "declined GROUP_FAILED", "void EXPIRED"],
      moved: [0n, 0n, 0n],
    });
  },
);

test("a payment that is not valid yet makes its whole group wait, and then all move", async () => {
  const [first] = await legsOf(0, legs(1), 3_000n);
  const earlyClaim = claimFrom(account(0), freshAddress(), 2_000n, {
    validAfter: BigInt(unixSeconds(await world.chainTime()) + 30),
  });
  const rows = await together([first as Claim, earlyClaim]);
  await crank.drain();
  expect(await endsOf(rows)).toMatchObject({ ends: ["claimed", "claimed"], nonces: [null] });
  await world.increaseTime(31);
  await drain();
  expect(await endsOf(rows)).toMatchObject({ ends: ["settled", "settled"], moved: [1_000n, 2_000n] });
});

test("when somebody else moved one payment of a group before it was sent, the others follow in one transaction", async () => {
  const claims = await legsOf(0, legs(4));
  const rows = await together(claims);
  await submitDirectly(world, claims[2] as Claim);
  await drain();
  const { ends, moved, hashes } = await endsOf(rows);
  expect(ends).toEqual(rows.map(() => "settled"));
  expect(moved).toEqual(amountsOf(rows));
  expect(hashes).toHaveLength(2);
});

test("when somebody else moves one payment while the group is pending, the group reverts and the others follow", async () => {
  const claims = await legsOf(0, legs(4));
  const rows = await together(claims);
  await world.setAutomine(false);
  await crank.relay();
  const before = await endsOf(rows);
  expect(before).toMatchObject({ ends: rows.map(() => "broadcast"), nonces: [expect.anything()] });
  await submitDirectly(world, claims[0] as Claim, { isFirst: true });
  expect((await system.chains.base.receipt(before.hashes[0]))?.isSuccess).toBe(false);
  await world.setAutomine(true);
  await drain();
  const { ends, moved, hashes } = await endsOf(rows);
  expect(ends).toEqual(rows.map(() => "settled"));
  expect(moved).toEqual(amountsOf(rows));
  expect(hashes).toHaveLength(2);
  expect(hashes).not.toContain(before.hashes[0]);
});

test("once one payment of a group has moved, another that cannot move ends alone and the rest continue", async () => {
  const claims = await legsOf(0, [1_000n, 5_000n, 2_000n], 3_500n);
  const rows = await together(claims);
  await submitDirectly(world, claims[0] as Claim);
  await drain();
  expect(await endsOf(rows)).toMatchObject({
    ends: ["settled", "declined INSUFFICIENT_FUNDS", "settled"],
    moved: [1_000n, 0n, 2_000n],
  });
});

test("a payment of a group that moved and was not observed yet never makes the others fail first", async () => {
  const claims = await legsOf(0, [1_000n, 5_000n, 2_000n], 3_500n);
  const rows = await together(claims);
  await submitDirectly(world, claims[2] as Claim);
  // The observer has not read that block, and the second leg is refused permanently.
  await crank.relay();
  expect((await endsOf(rows)).ends).toEqual(["claimed", "claimed", "claimed"]);
  await drain();
  expect((await endsOf(rows)).ends).toEqual(["settled", "declined INSUFFICIENT_FUNDS", "settled"]);
});

test("when the money is spent while the group is pending, the whole group ends and nothing moves", async () => {
  const rows = await together(await legsOf(0, legs(3)));
  await world.setAutomine(false);
  await crank.relay();
  await changeToken(world, "transfer", [freshAddress(), 1_500n], account(0).address, { isFirst: true });
  await world.setAutomine(true);
  await drain();
  expect(await endsOf(rows)).toMatchObject({
    ends: ["declined GROUP_FAILED", "declined INSUFFICIENT_FUNDS", "declined INSUFFICIENT_FUNDS"],
    moved: [0n, 0n, 0n],
  });
});

test.each([
  ["before it was sent", false],
  ["while it is on its way", true],
])("when the payer cancels one payment of a group %s, no payment moves", async (_, isOnItsWay) => {
  const claims = await legsOf(0, legs(3));
  const rows = await together(claims);
  if (isOnItsWay) {
    await world.setAutomine(false);
    await crank.relay();
  }
  await cancelDirectly(world, account(0), claims[1] as Claim, { isFirst: isOnItsWay });
  await world.setAutomine(true);
  await drain();
  expect(await endsOf(rows)).toMatchObject({
    ends: ["declined GROUP_FAILED", "void CANCELED", "declined GROUP_FAILED"],
    moved: [0n, 0n, 0n],
  });
});

test("when one payment's authorization was used for something else before, the whole group ends", async () => {
  const claims = await legsOf(0, legs(2), 5_000n);
  await submitDirectly(world, claims[0] as Claim);
  await crank.observe();
  const rows = await together(claims);
  await drain();
  expect(await endsOf(rows)).toMatchObject({
    ends: ["void ALREADY_USED", "declined GROUP_FAILED"],
    moved: [1_000n, 0n],
  });
});

test("a stuck group is sent again with the same nonce and call at a higher fee, and moves once", async () => {
  const rows = await together(await legsOf(0, legs(3)));
  await crank.observe();
  await world.setAutomine(false);
  await crank.relay();
  const { nonces, signers } = await endsOf(rows);
  await world.dropTransactions();
  await testSystem.sql`update relayer_attempts set sent_at = now() - interval '60 seconds', created_at = now() - interval '60 seconds'
    where nonce = ${nonces[0]} and signer = ${signers[0]}`;
  await world.client().mine({ blocks: 1 });
  await crank.observe();
  await crank.relay();
  const forms =
    await testSystem.sql`select hash from relayer_attempts where nonce = ${nonces[0]} and signer = ${signers[0]}`;
  expect(forms).toHaveLength(2);
  await world.setAutomine(true);
  await world.mine();
  await drain();
  expect(await endsOf(rows)).toMatchObject({ ends: rows.map(() => "settled"), moved: amountsOf(rows), nonces });
});

test("a reorganisation reverses all payments of a group, and they move again in the same transaction", async () => {
  const claims = await legsOf(0, legs(5));
  await world.mine(2);
  await crank.observe();
  const rows = await together(claims);
  await drain();
  const before = await endsOf(rows);
  await world.reorg(1);
  await crank.observe();
  expect(await endsOf(rows)).toMatchObject({ ends: rows.map(() => "broadcast"), moved: rows.map(() => 0n) });
  // Due to be sent again but not yet stuck, even on a slow machine: a higher fee would be another transaction.
  await testSystem.sql`update relayer_attempts set sent_at = now() - interval '10 seconds', created_at = now() + interval '60 seconds'
    where hash = ${before.hashes[0]}`;
  await drain();
  expect(await endsOf(rows)).toEqual(before);
});

/** Rounds of both keys, with everything postponed made due. */
async function drainBoth(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    await testSystem.sql`update settlements set retry_at = null`;
    await testSystem.sql`update relayer_attempts set sent_at = now() - interval '10 seconds'`;
    await relayOther();
    await crank.relay();
    await crank.observe();
  }
}

test("when a reorganisation reverses a payment that somebody else moved and the rest that followed, all move again", async () => {
  const claims = await legsOf(0, legs(3));
  await world.mine(3);
  await crank.observe();
  const rows = await together(claims);
  await submitDirectly(world, claims[0] as Claim);
  await crank.observe();
  await crank.relay();
  await crank.observe();
  expect((await endsOf(rows)).ends).toEqual(rows.map(() => "settled"));
  await world.reorg(2);
  await crank.observe();
  expect((await endsOf(rows)).moved).toEqual([0n, 0n, 0n]);
  await drainBoth();
  expect(await endsOf(rows)).toMatchObject({ ends: rows.map(() => "settled"), moved: amountsOf(rows) });
});

test("a payment that a reorganisation reopens joins the rest of its group, whichever relayer key has it by then", async () => {
  const claims = await legsOf(0, legs(3));
  await world.mine(3);
  await crank.observe();
  const rows = await together(claims);
  await submitDirectly(world, claims[0] as Claim);
  await crank.relay();
  await crank.observe();
  expect((await endsOf(rows)).ends).toEqual(["settled", "claimed", "claimed"]);
  // The first key is paused and releases its claims. The other takes them, and its node does not answer.
  await testSystem.sql`update settlements set signer = null, retry_at = null where state = 'claimed'`;
  const { base } = system.chains;
  system.chains.base = { ...base, simulateAlone: () => Promise.reject(new ChainUnavailable("no answer")) };
  await relayOther();
  system.chains.base = base;
  await world.reorg(1);
  await crank.observe();
  await drainBoth();
  const { ends, moved, hashes } = await endsOf(rows);
  expect(ends).toEqual(rows.map(() => "settled"));
  expect(moved).toEqual(amountsOf(rows));
  expect(hashes).toHaveLength(1);
});

/** Runs `happens` after a given step of the relayer's next round. */
async function relayWhile(
  step: "signTransaction" | "authorizationStates",
  happens: () => Promise<void>,
): Promise<void> {
  const { base } = system.chains;
  const interrupted = async <Result>(response: Promise<Result>): Promise<Result> => {
    const result = await response;
    system.chains.base = base;
    await happens();
    return result;
  };
  system.chains.base = {
    ...base,
    ...(step === "signTransaction"
      ? { signTransaction: (...args) => interrupted(base.signTransaction(...args)) }
      : { authorizationStates: (...args) => interrupted(base.authorizationStates(...args)) }),
  };
  await crank.relay();
  expect(system.chains.base).toBe(base);
}

test("when somebody else moves one payment while the group is being signed, the group is not sent", async () => {
  const claims = await legsOf(0, legs(3));
  const rows = await together(claims);
  await relayWhile("signTransaction", async () => {
    await submitDirectly(world, claims[1] as Claim);
    await crank.observe();
  });
  expect(await endsOf(rows)).toMatchObject({ ends: ["claimed", "settled", "claimed"], nonces: [null] });
  await drain();
  expect(await endsOf(rows)).toMatchObject({ ends: rows.map(() => "settled"), moved: amountsOf(rows) });
});

test("when one payment is reopened while the rest of its group is being signed, the rest does not move without it", async () => {
  const claims = await legsOf(0, legs(3));
  await world.mine(3);
  await crank.observe();
  const rows = await together(claims);
  await submitDirectly(world, claims[1] as Claim);
  await crank.observe();
  await relayWhile("signTransaction", async () => {
    await world.reorg(1);
    await crank.observe();
  });
  expect(await endsOf(rows)).toMatchObject({ ends: ["claimed", "claimed", "claimed"], nonces: [null] });
  await drain();
  const { ends, hashes } = await endsOf(rows);
  expect([ends, hashes.length]).toEqual([rows.map(() => "settled"), 1]);
});

test("when one payment moves while its group is being declined, the others stay open", async () => {
  const claims = await legsOf(0, [1_000n, 5_000n, 2_000n], 3_500n);
  const rows = await together(claims);
  await relayWhile("authorizationStates", async () => {
    await submitDirectly(world, claims[0] as Claim);
    await crank.observe();
  });
  expect((await endsOf(rows)).ends).toEqual(["settled", "claimed", "claimed"]);
  await drain();
  expect((await endsOf(rows)).ends).toEqual(["settled", "declined INSUFFICIENT_FUNDS", "settled"]);
});

test("a group whose transaction reverts repeatedly is declined as a whole, whatever its node simulates", async () => {
  const rows = await together(await legsOf(0, legs(3), 2_500n));
  const { base } = system.chains;
  // No failures: the settler returns an empty array.
  const data = `0x${"20".padStart(64, "0")}${"0".repeat(64)}` as const;
  system.chains.base = { ...base, simulateAlone: async () => ({ ok: true, data }) };
  await drain();
  system.chains.base = base;
  expect(await endsOf(rows)).toMatchObject({ ends: rows.map(() => "declined REVERTED"), moved: [0n, 0n, 0n] });
});

test("no part of a group that one relayer key holds can be taken by another key", async () => {
  const rows = await together(await legsOf(0, legs(3)));
  const [groupId] = rows.map((row) => row.id);
  const [one, other] = world.relayers.map((key) => toAddress(key.address));
  if (!groupId || !one || !other) throw new Error("no group or no keys");
  const take = (tx: Tx, signer: Address) => pickGroup(tx, groupId, "base", signer, new Date());
  const taken = await system.db.transaction(async (tx) => {
    const mine = await take(tx, one);
    expect(await system.db.transaction((meanwhile) => take(meanwhile, other))).toEqual([]);
    return mine;
  });
  expect(taken.map((row) => row.id)).toEqual(rows.map((row) => row.id));
  // Even if only the last leg had been released.
  await testSystem.sql`update settlements set signer = null where id = ${rows[2]?.id ?? ""}`;
  expect(await system.db.transaction((tx) => take(tx, other))).toEqual([]);
  expect((await endsOf(rows)).signers).toEqual([one, null]);
  await testSystem.sql`update settlements set signer = null where group_id = ${groupId}`;
  await drain();
});

test("two relayers never share a group, and each group moves once", async () => {
  const claims = await legsOf(0, legs(24));
  const groups = await Promise.all(
    Array.from({ length: 8 }, (_, index) => together(claims.slice(index * 3, index * 3 + 3))),
  );
  await Promise.all(
    Array.from({ length: 12 }).flatMap(() => [crank.relay().catch(() => {}), relayOther().catch(() => {})]),
  );
  for (let round = 0; round < 20; round++) await Promise.all([crank.relay(), relayOther(), crank.observe()]);
  await drain();
  const ends = await Promise.all(groups.map(endsOf));
  for (const [index, end] of ends.entries()) {
    const rows = groups[index] ?? [];
    expect(end).toMatchObject({ ends: rows.map(() => "settled"), moved: amountsOf(rows) });
    expect([end.hashes.length, end.nonces.length, end.signers.length]).toEqual([1, 1, 1]);
  }
  expect(new Set(ends.map((end) => end.hashes[0])).size).toBe(groups.length);
  expect(new Set(ends.map((end) => end.signers[0])).size).toBe(2);
});

test("waiting groups and other payments do not delay each other, and never share a transaction", async () => {
  const claims = await legsOf(0, legs(40), 100_000n);
  await world.setAutomine(false);
  const groups = await Promise.all(
    Array.from({ length: 10 }, (_, index) => together(claims.slice(index * 2, index * 2 + 2))),
  );
  const others = await Promise.all(claims.slice(20, 39).map((claim) => settle(system, claim, 0)));
  await crank.relay();
  const onTheirWay = async (rows: Settlement[]) => (await endsOf(rows)).ends.every((end) => end === "broadcast");
  const countSent = async () => (await Promise.all(groups.map(onTheirWay))).filter(Boolean).length;
  expect([await onTheirWay(others), await countSent()]).toEqual([true, 1]);
  for (let round = 0; round < 15; round++) await crank.relay();
  // As many single transactions as the limit allows; batches are still below theirs.
  expect(await countSent()).toBe(8);
  const row = await settle(system, claims[39] as Claim, 0);
  await testSystem.sql`update settlements set created_at = created_at - interval '1 second' where id = ${row.id}`;
  await crank.relay();
  expect((await endsOf([row])).ends).toEqual(["broadcast"]);
  await world.setAutomine(true);
  await world.mine();
  await drain();
  const ofGroups = await Promise.all(groups.map(endsOf));
  const ofOthers = await endsOf([...others, row]);
  for (const { ends, hashes } of ofGroups) {
    expect(ends).toEqual(["settled", "settled"]);
    expect(hashes).toHaveLength(1);
  }
  expect(ofOthers.ends).toEqual([...others, row].map(() => "settled"));
  expect(new Set(ofGroups.flatMap(({ hashes }) => hashes)).size).toBe(groups.length);
  expect(ofGroups.flatMap(({ hashes }) => hashes).filter((hash) => ofOthers.hashes.includes(hash))).toEqual([]);
});

test.each([1, 2, 100])("a group of %i payments moves in one transaction", async (count) => {
  const rows = await together(await legsOf(0, legs(count)));
  await drain();
  const { ends, moved, hashes } = await endsOf(rows);
  expect(ends).toEqual(rows.map(() => "settled"));
  expect(moved).toEqual(amountsOf(rows));
  expect(hashes).toHaveLength(1);
  const receipt = await system.chains.base.receipt(hashes[0]);
  expect(receipt?.uses.map((use) => use.nonce)).toEqual(rows.map((row) => row.nonce));
});

test("the declined payments of a group keep their money reserved until the chain's time has passed each expiry, and only then are void", async () => {
  const now = unixSeconds(await world.chainTime());
  await legsOf(0, [2_999n]);
  const claims = [60, 120].map((seconds) =>
    claimFrom(account(0), freshAddress(), 1_500n, { validBefore: BigInt(now + seconds) }),
  );
  const rows = await together(claims);
  const givenUp = ["declined GROUP_FAILED", "declined INSUFFICIENT_FUNDS"];
  await drain();
  expect(await endsOf(rows)).toMatchObject({ ends: givenUp });
  await world.setNextBlockTimestamp(new Date((now + 59) * 1000));
  await world.mine();
  await drain();
  expect((await endsOf(rows)).ends).toEqual(givenUp);
  await world.setNextBlockTimestamp(new Date((now + 60) * 1000));
  await world.mine();
  await drain();
  expect((await endsOf(rows)).ends).toEqual(["void GROUP_FAILED", "declined INSUFFICIENT_FUNDS"]);
  await world.setNextBlockTimestamp(new Date((now + 120) * 1000));
  await world.mine();
  await drain();
  expect(await endsOf(rows)).toMatchObject({
    ends: ["void GROUP_FAILED", "void INSUFFICIENT_FUNDS"],
    moved: [0n, 0n],
  });
});

test("when a payment moves after its group was declined, the others are reopened", async () => {
  const claims = await legsOf(0, legs(3), 3_000n);
  const rows = await together(claims);
  await drain();
  expect(await endsOf(rows)).toMatchObject({
    ends: ["declined GROUP_FAILED", "declined GROUP_FAILED", "declined INSUFFICIENT_FUNDS"],
    moved: [0n, 0n, 0n],
  });
  await world.mint(account(0).address, 3n);
  await drain();
  expect((await endsOf(rows)).moved).toEqual([0n, 0n, 0n]);
  await submitDirectly(world, claims[1] as Claim);
  await crank.observe();
  expect((await endsOf(rows)).ends).toEqual(["claimed", "settled GROUP_FAILED", "claimed"]);
  await drain();
  const { ends, moved, hashes } = await endsOf(rows);
  expect(ends).toEqual(["settled", "settled GROUP_FAILED", "settled"]);
  expect(moved).toEqual(amountsOf(rows));
  expect(hashes).toHaveLength(2);
});

test("when a relayer key is paused its group is released as a whole", async () => {
  const rows = await together(await legsOf(0, legs(3)));
  await world.setAutomine(false);
  await crank.relay();
  const before = await endsOf(rows);
  await world.dropTransactions();
  const signer = before.signers[0] as `0x${string}`;
  await world.client().impersonateAccount({ address: signer });
  await world.setAutomine(true);
  const hash = await world.client().sendTransaction({ account: signer, chain: null, to: freshAddress(), value: 1n });
  await world.client().waitForTransactionReceipt({ hash });
  await crank.observe();
  await crank.relay();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await crank.relay();
  expect(await endsOf(rows)).toMatchObject({ ends: rows.map(() => "claimed"), signers: [null], nonces: [null] });
  for (let round = 0; round < 3; round++) {
    await relayOther();
    await crank.observe();
  }
  const after = await endsOf(rows);
  expect(after).toMatchObject({ ends: rows.map(() => "settled"), moved: amountsOf(rows) });
  expect([after.hashes.length, after.signers.includes(signer)]).toEqual([1, false]);
});
