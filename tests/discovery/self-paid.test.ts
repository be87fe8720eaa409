import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { LISTINGS_MIN } from "@/lib/links/listings/rules";
import { refreshSome, SHARED_SECONDS } from "@/lib/links/listings/service";
import type { NetworkName } from "@/lib/x402/networks";
import { call } from "../support/http";
import { freshAddress, type Json, linkedPair, type Parties } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { sold } from "../support/sales";
import { openSystem } from "../support/system";
import { closeSystem } from "../support/wiring";
import { createWorld, type World } from "../support/world";

/** A seller who pays themselves, in ways that cost little. In process: it runs the job. */

let world: World;
let testSystem: ReturnType<typeof openSystem>;

async function linkOf({ agent }: Parties, network: NetworkName = "base"): Promise<Json> {
  const json = { amount: "250000", network, isListed: true };
  const created = await call("POST", "/api/payment-links", { bearer: agent.jwt, json });
  expect([created.status, created.text]).toEqual([200, expect.anything()]);
  return (created.body as Json).paymentLink;
}

async function listed(): Promise<string[]> {
  // An owner's places follow from the sales that the round before has written.
  for (const _ of ["sales", "places"]) while (await refreshSome(testSystem.system));
  await sleep(SHARED_SECONDS * 1_000);
  const { items } = (await call("GET", "/discovery/resources?limit=100")).body as Json;
  return items.map(({ resource }: Json) => resource).filter((url: string) => url.includes("/pay/"));
}

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
}, 180_000);

afterAll(async () => {
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

test("sellers who pay themselves gain no rank and no places in the directory; payments of a real buyer count", async () => {
  const cheat = await linkedPair();
  const first = await linkOf(cheat);
  const onTestnet = await linkOf(cheat, "base-sepolia");
  for (let index = 0; index < LISTINGS_MIN; index++) await linkOf(cheat);
  const sale = (linkId: string, payer: Address, amount = 1_000_000n, network: NetworkName = "base") =>
    sold(testSystem.sql, { agentId: cheat.agent.agentId, linkId, payer, amount, network });
  for (let index = 0; index < 3; index++) {
    await sale(first.linkId, freshAddress(), 1n);
    await sale(first.linkId, freshAddress(), 999_999n);
    await sale(onTestnet.linkId, freshAddress(), 5_000_000n, "base-sepolia");
    await sale(first.linkId, cheat.owner.address, 5_000_000n);
    await sale(first.linkId, await walletOf(cheat.owner), 5_000_000n);
  }
  const buyer = freshAddress();
  const honest = await linkedPair();
  const link = await linkOf(honest);
  await sold(testSystem.sql, { agentId: honest.agent.agentId, linkId: link.linkId, payer: buyer });
  const urls = await listed();
  expect(urls[0]).toBe(link.url);
  expect(urls).toHaveLength(1 + LISTINGS_MIN);
  // One buyer counts once, however often they buy.
  for (let index = 0; index < 3; index++) await sale(first.linkId, buyer);
  expect(await listed()).toHaveLength(1 + LISTINGS_MIN + 1);
  // One who pays little counts once it is enough in all.
  const frequent = freshAddress();
  for (let index = 0; index < 3; index++) await sale(first.linkId, frequent, 250_000n);
  expect(await listed()).toHaveLength(1 + LISTINGS_MIN + 1);
  await sale(first.linkId, frequent, 250_000n);
  expect(await listed()).toHaveLength(1 + LISTINGS_MIN + 2);
});
