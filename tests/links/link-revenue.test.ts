import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LinkId, newId, type OwnerId } from "@/lib/core/ids";
import type { SettlementState } from "@/lib/settlements/tables";
import { call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { type Sold, sold } from "../support/sales";
import { openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

const NOW = new Date("2026-06-15T12:00:00.000Z");
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let revenue: typeof import("@/lib/refunds/service");
let closeSystem: () => Promise<void>;

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
  revenue = await import("@/lib/refunds/service");
  ({ closeSystem } = await import("../support/wiring"));
});

afterAll(async () => {
  await closeSystem?.();
  await testSystem?.close();
  await world?.stop();
});

async function linkOf({ agent }: Parties): Promise<LinkId> {
  const json = { amount: "1000000", description: "A report" };
  const { body } = await call("POST", "/api/payment-links", { bearer: agent.jwt, json });
  return (body as Json).paymentLink.linkId;
}

const sell = ({ agent }: Parties, linkId: LinkId, sale: Partial<Sold> = {}) =>
  sold(testSystem.sql, { agentId: agent.agentId, linkId, at: NOW, ...sale });

/** A refund whose transfer is in `state`. */
async function refundOf({ agent }: Parties, paymentId: number, amount: bigint, state: SettlementState): Promise<void> {
  const transfer = await sold(testSystem.sql, { agentId: agent.agentId, state });
  await testSystem.sql`insert into refunds (refund_id, payment_id, agent_id, owner_id, amount, requested_by, settlement_id, created_at,
      expires_at, approved_at)
    values (${newId("refund")}, ${paymentId}, ${agent.agentId},
      (select owner_id from received_payments where id = ${paymentId}), ${amount.toString()}, 'owner', ${transfer.settlementId}, ${NOW}, ${NOW},
      ${NOW})`;
}

async function revenueOf({ owner }: Parties, linkId: LinkId) {
  const [row] = await testSystem.sql`select id from owners where address = ${owner.address}`;
  const actor = { type: "owner" as const, ownerId: row?.id as OwnerId, address: owner.address };
  return revenue.revenueOfLink({ ...testSystem.system, now: () => NOW, requestId: "test", actor }, linkId);
}

describe("the revenue of a link", () => {
  test("is zero before the first payment has settled", async () => {
    const seller = await linkedPair();
    const linkId = await linkOf(seller);
    for (const state of ["claimed", "broadcast", "declined", "void"] as const) await sell(seller, linkId, { state });
    const linkRevenue = await revenueOf(seller, linkId);
    expect(linkRevenue).toMatchObject({ payments: 0, volume: 0n, refunded: 0n, refunds: 0, net: 0n });
    expect(linkRevenue.steps).toHaveLength(30);
  });

  test("sums the settled payments exactly, and shows paid refunds separately with the difference", async () => {
    const seller = await linkedPair();
    const linkId = await linkOf(seller);
    const large = await sell(seller, linkId, { amount: 9_007_199_254_740_993n });
    const small = await sell(seller, linkId, { amount: 1n });
    await sell(seller, linkId, { state: "broadcast" });
    await refundOf(seller, large.id, 3n, "settled");
    await refundOf(seller, large.id, 4n, "settled");
    await refundOf(seller, small.id, 1n, "broadcast");
    await refundOf(seller, small.id, 1n, "void");
    expect(await revenueOf(seller, linkId)).toMatchObject({
      payments: 2,
      volume: 9_007_199_254_740_994n,
      refunded: 7n,
      refunds: 2,
      net: 9_007_199_254_740_987n,
    });
  });

  test("shows each of the last 30 UTC days, and older payments in the total only", async () => {
    const seller = await linkedPair();
    const linkId = await linkOf(seller);
    await sell(seller, linkId, { amount: 5n, at: new Date(NOW.getTime() - 1) });
    await sell(seller, linkId, { amount: 7n, at: new Date("2026-06-15T00:00:00.000Z") });
    await sell(seller, linkId, { amount: 11n, at: new Date("2026-06-14T23:59:59.999Z") });
    await sell(seller, linkId, { amount: 13n, at: new Date("2026-05-17T00:00:00.000Z") });
    await sell(seller, linkId, { amount: 17n, at: new Date("2026-05-16T23:59:59.999Z") });
    await sell(seller, linkId, { amount: 19n, at: daysAgo(400) });
    const { volume, payments, steps } = await revenueOf(seller, linkId);
    expect([volume, payments]).toEqual([72n, 6]);
    expect([steps.at(-1), steps.at(-2), steps[0]]).toMatchObject([
      { volume: 12n, payments: 2 },
      { volume: 11n, payments: 1 },
      { volume: 13n, payments: 1 },
    ]);
    expect(steps.reduce((sum, step) => sum + step.payments, 0)).toBe(4);
  });

  test("counts only this link's payments, and none for a later owner of the agent", async () => {
    const [seller, otherParties] = [await linkedPair(), await linkedPair()];
    const [linkId, second] = [await linkOf(seller), await linkOf(seller)];
    await sell(seller, linkId, { amount: 5n });
    await sell(seller, second, { amount: 50n });
    await sell(seller, linkId, { amount: 500n });
    await testSystem.sql`update received_payments set owner_id = (select id from owners where address = ${otherParties.owner.address})
      where link_id = ${linkId} and settlement_id in (select id from settlements where amount = 500)`;
    expect(await revenueOf(seller, linkId)).toMatchObject({ payments: 1, volume: 5n });
    expect(await revenueOf(otherParties, linkId)).toMatchObject({ payments: 1, volume: 500n });
    expect(await revenueOf(await linkedPair(), linkId)).toMatchObject({ payments: 0, volume: 0n });
  });
});
