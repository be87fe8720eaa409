import { afterAll, beforeAll, expect, test } from "vitest";
import { type Address, toAddress } from "@/lib/core/address";
import { addSeconds } from "@/lib/core/time";
import { vaultSender } from "@/lib/mandates/vaults/operations";
import type { RelayerJob } from "@/lib/settlements/relayer/job";
import { relay, relayerJob } from "@/lib/settlements/relayer/relayer";
import { freestRelayer } from "@/lib/settlements/relayer/store";
import { settle } from "@/lib/settlements/service";
import { claimFrom, freshAddress, leaseFor, openSystem } from "../support/system";
import { eventually, vaultMandate } from "../support/vault-mandates";
import { createWorld, type World } from "../support/world";

// One of two relayer keys has no ETH: only what it has signed waits.

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let stuck: RelayerJob;
let otherRelayerJob: RelayerJob;

beforeAll(async () => {
  world = await createWorld({ relayerCount: 2 });
  testSystem = openSystem();
  const { system } = testSystem;
  const jobs = await Promise.all(
    system.config.relayerKeys.map(async (key, index) => ({
      ...relayerJob(system, "base", key),
      lease: await leaseFor(system, `relayer:base:${index}`),
    })),
  );
  // The first in order, so that nothing but its state speaks against it.
  const [first, second] = jobs.toSorted((a, b) => (a.signer < b.signer ? -1 : 1));
  if (!first || !second) throw new Error("the world has one relayer");
  [stuck, otherRelayerJob] = [first, second];
  await relay(stuck);
  await relay(otherRelayerJob);
});
afterAll(async () => {
  const { closeSystem } = await import("../support/wiring");
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

const FUNDS = 10_000_000n;
const VAULTS = 8;

test("while one relayer key waits for ETH, vault operations and payments go on with the other key, and each is sent once", async () => {
  const { system, sql } = testSystem;
  const payer = world.accounts[0];
  if (!payer) throw new Error("no such account");
  await world.mint(toAddress(payer.address), FUNDS);
  const vaults: Address[] = [];
  for (let index = 0; index < VAULTS; index++) vaults.push((await vaultMandate(world)).vault);
  await sql`update vault_operations set retry_at = now() + interval '1 hour'`;
  /** Makes so many of them due, and has a key send them. */
  const open = async (job: RelayerJob, count: number) => {
    await sql`update vault_operations set retry_at = null
      where id in (select id from vault_operations where state = 'waiting' order by id limit ${count})`;
    await vaultSender.send(job, () => false);
  };
  const sentBy = async ({ signer }: RelayerJob) =>
    (await sql`select count(*)::int as n from vault_operations where state = 'sent' and signer = ${signer}`)[0]?.n;
  const freest = () =>
    freestRelayer(system.db, "base", {
      signers: [stuck.signer, otherRelayerJob.signer],
      stuckBefore: addSeconds(system.now(), -60),
    });

  // No vault is opened before the chain's time has reached its start.
  await world.setTime(new Date());
  await world.setAutomine(false);
  const client = world.client();
  const balance = await client.getBalance({ address: stuck.signer });
  await client.setBalance({ address: stuck.signer, value: 0n });
  await open(stuck, 1);
  await open(otherRelayerJob, 1);
  expect([await sentBy(stuck), await sentBy(otherRelayerJob)]).toEqual([1, 1]);
  expect(await freest()).toBe(stuck.signer);
  await sql`update relayer_transactions set created_at = created_at - interval '61 seconds' where signer = ${stuck.signer}`;
  expect(await freest()).toBe(otherRelayerJob.signer);

  // As many as one key may have pending. The other key, which has a separate limit, gets the rest.
  await open(stuck, 6);
  expect([await sentBy(stuck), await sentBy(otherRelayerJob)]).toEqual([6, 1]);
  await open(otherRelayerJob, 0);
  expect(await sentBy(otherRelayerJob)).toBe(2);

  const payee = freshAddress();
  const { id } = await settle(system, claimFrom(payer, payee, FUNDS), 0);
  // Operations are under way, so that a payment waits a moment for others before it is sent.
  const sent = await eventually(async () => {
    await relay(otherRelayerJob);
    const [row] = await sql`select state, signer from settlements where id = ${id}`;
    return row?.state === "claimed" ? null : row;
  }, "the payment to be sent");
  expect(sent).toEqual({ state: "broadcast", signer: otherRelayerJob.signer });
  await world.setAutomine(true);
  await eventually(async () => ((await world.balanceOf(payee)) === FUNDS ? true : null), "the payment");
  expect(await Promise.all(vaults.map((vault) => world.balanceOf(vault)))).toSatisfy(
    (held: bigint[]) => held.filter((value) => value === FUNDS).length === 2,
  );

  await client.setBalance({ address: stuck.signer, value: balance });
  const workers = (await import("../support/wiring")).startWorkers();
  await eventually(async () => {
    const [row] = await sql`select count(*)::int as n from vaults where state = 'open'`;
    return row?.n === VAULTS ? true : null;
  }, "the vaults");
  await workers.stop();
  for (const vault of vaults) expect(await world.balanceOf(vault)).toBe(FUNDS);
  // One transaction each, and none was emptied.
  const [signed] = await sql`select count(distinct (signer, nonce))::int as transactions,
    count(*) filter (where is_empty)::int as emptied from relayer_attempts`;
  expect(signed).toEqual({ transactions: VAULTS + 1, emptied: 0 });
}, 120_000);
