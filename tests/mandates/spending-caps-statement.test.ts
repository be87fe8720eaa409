import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { AgentId, MandateId, WalletId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import { toUsdc } from "@/lib/core/money";
import { isAboveCap } from "@/lib/mandates/caps/charge";
import { advanced, counted, hourOf, lackingCap, type SpendingCap } from "@/lib/mandates/caps/rules";
import { capsFinder } from "@/lib/mandates/caps/store";
import { charging, fundedFinder, reserving } from "@/lib/mandates/reservations/store";
import * as payments from "@/lib/payments/store";
import { NETWORKS } from "@/lib/x402/networks";
import { call } from "../support/http";
import { freshAddress, linkedPair, RESOURCE, signedMandate } from "../support/mandates";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

/** The statement that reserves counts and refuses as the rules do, which say what is left. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let wiring: typeof import("../support/wiring");
beforeAll(async () => {
  world = await createWorld();
  wiring = await import("../support/wiring");
  testSystem = openSystem();
});
afterAll(async () => {
  await wiring.closeSystem();
  await testSystem.close();
  await world.stop();
});

/** An agent with a cap of its own and one of its owner, and the two sides to compare. */
async function capped(perDay: bigint, perMonth: bigint) {
  const pair = await linkedPair();
  const { mandateId } = await signedMandate({ limitAmount: (2n ** 90n).toString() }, pair);
  for (const agentId of [null, pair.agent.agentId]) {
    const json = { agentId, maxAmountPer24Hours: `${perDay}`, maxAmountPer30Days: `${perMonth}` };
    expect((await call("POST", "/api/wallet/spending-caps", { session: pair.owner.session, json })).status).toBe(200);
  }
  const { db } = testSystem.system;
  const [row] = await testSystem.sql`select wallet_id, revision from mandates where id = ${mandateId}`;
  const walletId = row?.wallet_id as WalletId;
  const agentId = pair.agent.agentId as AgentId;
  const mandate = {
    id: mandateId as MandateId,
    revision: Number(row?.revision),
    maxAmountPerDay: null,
    maxAmountPerMonth: null,
    chargedOn: null,
    dayAmount: toUsdc(0n),
    monthAmount: toUsdc(0n),
  };
  const find = capsFinder(db);
  const read = async () => (await find([{ walletId, agentId }]))[0] ?? [];
  const write = (amount: bigint, time: Date, caps: readonly SpendingCap[]) => {
    const authorization = {
      from: freshAddress(),
      to: freshAddress(),
      value: toUsdc(amount),
      validAfter: 0n,
      validBefore: BigInt(Math.ceil(Date.now() / 1000) + 60),
      nonce: `0x${crypto.randomUUID().replaceAll("-", "").repeat(2)}` as const,
    };
    const charge = charging(mandate, { amount: authorization.value, time, caps });
    return payments
      .insert(db, reserving(charge, { walletId, agentId }, "base", authorization), {
        id: newId("payment"),
        agentId,
        walletId,
        asset: toAddress(NETWORKS.base.usdc),
        creditPayee: null,
        validAfter: 0n,
        host: "api.example.com",
        resource: RESOURCE,
        description: "",
        createdAt: time,
      })
      .catch((error: unknown) => {
        if (isAboveCap(error)) return false;
        throw error;
      });
  };
  return { read, write, walletId };
}

const countersOf = (caps: readonly SpendingCap[]) =>
  caps.map(({ id, hour, total, hours, days }) => ({
    id,
    hour,
    total: String(total),
    hours: hours.map(String),
    days: days.map(String),
  }));

test("over months, with clocks five minutes apart and caps in any order, the statement writes what the rules say, or nothing", async () => {
  const { read, write } = await capped(300n, 2_500n);
  let seed = 5;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  let now = Date.now();
  const tally = { written: 0, refused: 0 };
  for (let step = 0; step < 500; step++) {
    now += random(50) === 0 ? random(40 * DAY_MS) : random(3 * HOUR_MS);
    const time = new Date(now + (random(3) - 1) * 150_000);
    const caps = await read();
    const amount = BigInt(1 + random(60));
    const fits = lackingCap(caps, toUsdc(amount), time) === null;
    expect(await write(amount, time, random(2) ? caps.toReversed() : caps)).toBe(fits);
    const hour = Math.max(hourOf(time), ...caps.map((row) => row.hour));
    const expected = fits ? caps.map((row) => counted(advanced(row, hour), hour, amount)) : caps;
    expect(countersOf(await read())).toEqual(countersOf(expected));
    tally[fits ? "written" : "refused"]++;
  }
  expect(Math.min(tally.written, tally.refused)).toBeGreaterThan(50);
});

test.each([0, 5, 40])(
  "of payments at once, exactly those that fit are written, %d hours after the last one",
  async (ago) => {
    const { read, write, walletId } = await capped(100n, 1_000n);
    await testSystem.sql`update spending_caps set hour = hour - ${ago} where wallet_id = ${walletId}`;
    const time = new Date();
    const pay = async () => {
      for (;;) {
        const caps = await read();
        if (lackingCap(caps, toUsdc(5n), time)) return false;
        if (await write(5n, time, caps)) return true;
      }
    };
    const outcomes = await Promise.all(Array.from({ length: 40 }, pay));
    expect(outcomes.filter(Boolean)).toHaveLength(20);
    for (const { total } of await read()) expect(total).toBe(100n);
  },
);

test("a cap that was removed since it was read lets nothing through", async () => {
  const { read, write, walletId } = await capped(100n, 1_000n);
  const caps = await read();
  const pendingOf = async () =>
    (await testSystem.sql`select pending_amount from mandates where wallet_id = ${walletId}`)[0];
  const before = await pendingOf();
  await testSystem.sql`delete from spending_caps where wallet_id = ${walletId} and agent_id is null`;
  expect(await write(5n, new Date(), caps)).toBe(false);
  expect(await pendingOf()).toEqual(before);
  expect(countersOf(await read())).toEqual(countersOf(caps.filter(({ agentId }) => agentId !== null)));
});

test("the database plans the statements of a payment once, and not for each payment", async () => {
  const { read, write } = await capped(2n ** 60n, 2n ** 60n);
  const find = fundedFinder(testSystem.system.db);
  for (let count = 0; count < 12; count++) {
    await find([{ agentId: crypto.randomUUID() as AgentId, id: newId("mandate") }]);
    expect(await write(1n, new Date(), await read())).toBe(true);
  }
  // Each connection has its own. The last one is used again, as nothing else runs here.
  const { rows } = await testSystem.system.db.execute<{
    statement: string;
    generic_plans: string;
    custom_plans: string;
  }>(sql`select statement, generic_plans, custom_plans from pg_prepared_statements`);
  const plansOf = (pattern: RegExp) => {
    const row = rows.find(({ statement }) => pattern.test(statement));
    return row && { once: Number(row.generic_plans), anew: Number(row.custom_plans) };
  };
  // PostgreSQL plans the first five executions anew, and then compares.
  for (const pattern of [/^select "mandates"/, /from "spending_caps"/, /insert into "payments"/])
    expect(plansOf(pattern), String(pattern)).toEqual({ once: expect.toSatisfy((n: number) => n >= 7), anew: 5 });
});
