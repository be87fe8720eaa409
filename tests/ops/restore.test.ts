import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchRequirement, present, signingBody } from "@/dev/actors/agents";
import { type Database, startDatabase } from "@/dev/local/database";
import { freePort } from "@/dev/local/ports";
import { type Front, startFront } from "@/dev/simulate/front";
import { violations } from "@/ops/invariants";
import { migrateDatabase } from "@/ops/migrate";
import { baseBackup } from "../support/backup";
import { openShop, type Payment, PRICE, type Shop, startLoad } from "../support/load";
import type { Json } from "../support/mandates";
import { killProcesses, ready, SERVICE, type Started, serviceSettings, startProcess } from "../support/process";
import { until } from "../support/replica";
import { freshAddress, openSystem } from "../support/system";
import { createWorld, type World } from "../support/world";

/** A backup is taken under load, payments continue, the database is lost, and the service continues with the backup. */
const START_MS = 600_000;

let world: World;
let front: Front;
let directory: string;
let database: Database;
let service: Started | undefined;

const startService = async () => {
  const env = {
    ...serviceSettings(),
    PUBLIC_BASE_URL: front.url,
    NEXTAUTH_URL: front.url,
    PRELOAD_ROUTES: "off",
    // The backup contains the leases of a process that is gone.
    LEASE_SECONDS: "3",
  };
  service = await startProcess(SERVICE, env);
  await ready(service);
};

beforeAll(async () => {
  world = await createWorld();
  directory = mkdtempSync(join(tmpdir(), "tessera-restore-"));
  // A separate cluster, because it is copied as a whole.
  database = await startDatabase({ dir: join(directory, "old"), port: await freePort(), isDurable: false });
  await migrateDatabase(database.url);
  process.env.DATABASE_URL = database.url;
  front = await startFront(() => (service ? [service.port] : []));
  await startService();
}, START_MS);

afterAll(async () => {
  killProcesses();
  await front?.stop();
  await database?.stop();
  await world?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The step of docs/operations.md before the first start on a restored database. */
async function followTheGuide(testSystem: ReturnType<typeof openSystem>): Promise<void> {
  const count = (address: `0x${string}`, network: "base" | "base-sepolia") =>
    world.client(network).getTransactionCount({ address });
  const relayers = await testSystem.sql`select network, signer from relayers`;
  for (const { network, signer } of relayers) {
    await testSystem.sql`update relayers set next_nonce = greatest(next_nonce, ${await count(signer, network)}), paused_reason = null
      where network = ${network} and signer = ${signer}`;
  }
}

const idOf = ({ answer }: Payment): string => (answer.body as Json).settlementId;

/** Responses to buyers from before the backup are still true. */
async function isKnown({ api }: Shop, payments: Payment[]): Promise<void> {
  expect(payments.length).toBeGreaterThan(0);
  for (const payment of payments) {
    const { txHash } = payment.answer.body as Json;
    const now = (await api.call("Buyer", "GET", `/api/settlements/${idOf(payment)}`)).body;
    expect(now).toMatchObject({ settlementStatus: "settled", ...(txHash && { txHash }) });
  }
}

/** Presents every proof again, also those missing in the backup: each moves its money exactly once in total. */
async function nothingIsPaidTwice({ api, seller, payTo }: Shop, payments: Payment[]): Promise<void> {
  const responses: string[] = [];
  for (const { xPayment } of payments) {
    const response = await present(api, "Buyer", seller.tessera.receiveUrl(`${PRICE}`), xPayment);
    responses.push(response.status === 200 ? "200" : `${response.status} ${(response.body as Json).code}`);
  }
  const paidAmount = BigInt(payments.length) * PRICE;
  await until(async () => (await world.balanceOf(payTo)) === paidAmount, `${paidAmount} in all`);
  // A proof that had not reached the chain when the database was lost is paid only now.
  expect([...new Set(responses)].sort().filter((message) => message !== "200" && message !== "202 undefined")).toEqual([
    "409 PAYMENT_ALREADY_USED",
  ]);
}

type Payout = { payoutId: string; [member: string]: unknown };

/** A payout under the mandate, after its end. `isNew`: this call created it. */
async function payOut({ buyer, mandateId }: Shop, payout: Payout) {
  const created = await buyer.call("POST", "/api/payouts", { mandateId, ...payout });
  const read = async (): Promise<Json> => (await buyer.call("GET", `/api/payouts/${payout.payoutId}`)).body;
  if (created.status === 201)
    await until(async () => (await read()).status === "succeeded", `${payout.payoutId} to be paid`);
  return { status: created.status, code: (created.body as Json).code, txHash: (await read()).txHash };
}

const [LANDLORD, PARTNER, OTHER_PARTNER, TAXES] = [freshAddress(), freshAddress(), freshAddress(), freshAddress()];
const CLEANER = freshAddress();
const RENT = { payoutId: "rent-11", toAddress: LANDLORD, amount: "7000", bizId: "rent" };
const SPLIT = {
  payoutId: "split-11",
  amount: "5000",
  recipients: [
    { toAddress: PARTNER, amount: "3000" },
    { toAddress: OTHER_PARTNER, amount: "2000" },
  ],
};
const TAX = { payoutId: "tax-11", toAddress: TAXES, amount: "900" };
/** It waits for the owner when the backup is made. */
const CLEANING = { payoutId: "cleaning-11", toAddress: CLEANER, amount: "400" };

/** Approves the payout after the backup. Returns its transfer. */
async function approveCleaning({ owner, buyer }: Shop): Promise<string> {
  const { payoutRecordId } = (await readCleaning(buyer)) as Json;
  expect((await owner.confirm(`/api/wallet/payouts/${payoutRecordId}/approve`, {})).status).toBe(200);
  await until(async () => (await readCleaning(buyer)).status === "succeeded", "the cleaning to be paid");
  return (await readCleaning(buyer)).txHash;
}

const readCleaning = async (buyer: Shop["buyer"]): Promise<Json> =>
  (await buyer.call("GET", `/api/payouts/${CLEANING.payoutId}`)).body;

/** It reads as paid, and nobody can decide it again. */
async function cleaningIsPaid({ owner, buyer }: Shop, txHash: string): Promise<void> {
  await until(async () => (await readCleaning(buyer)).status === "succeeded", "the cleaning to read as paid");
  const again = await buyer.call("POST", "/api/payouts", CLEANING);
  expect(again.body).toMatchObject({ status: "succeeded", txHash });
  const { payoutRecordId } = await readCleaning(buyer);
  expect((await owner.call("POST", `/api/wallet/payouts/${payoutRecordId}/cancel`, {})).body).toMatchObject({
    code: "payout_approved",
  });
  expect(await world.balanceOf(CLEANER)).toBe(400n);
}

const balances = () => Promise.all([LANDLORD, PARTNER, OTHER_PARTNER, TAXES].map((each) => world.balanceOf(each)));

/** Requests payouts that are missing in the backup again, with the same `payoutId`; one pays somebody who has been denied since. */
async function payoutsArePaidOnce(shop: Shop, lost: { txHash: string }[]): Promise<void> {
  const lists = (change: object) => shop.owner.confirm("/api/wallet/payee-lists", { list: "deny", ...change });
  expect((await lists({ add: [LANDLORD] })).status).toBe(200);
  const again = [await payOut(shop, RENT)];
  const enable = (isEnabled: boolean) => shop.owner.confirm(`/api/mandates/${shop.mandateId}/enabled`, { isEnabled });
  expect((await enable(false)).status).toBe(200);
  again.push(await payOut(shop, SPLIT));
  expect(await payOut(shop, { ...TAX, payoutId: "tax-12" })).toMatchObject({ status: 403, code: "mandate_disabled" });
  expect((await enable(true)).status).toBe(200);
  expect(again).toEqual(lost.map(({ txHash }) => ({ status: 201, code: undefined, txHash })));
  for (const other of [
    { amount: "901" },
    { toAddress: LANDLORD },
    { toAddress: undefined, ...SPLIT, payoutId: TAX.payoutId },
  ])
    expect(await payOut(shop, { ...TAX, ...other })).toMatchObject({ status: 409, code: "payout_conflict" });
  expect(await balances()).toEqual([7000n, 3000n, 2000n, 900n]);
  const next = { ...RENT, payoutId: "rent-12", bizId: "rent 12" };
  expect(await payOut(shop, next)).toMatchObject({ status: 403, code: "payee_denied" });
  expect((await lists({ remove: [LANDLORD] })).status).toBe(200);
  expect((await payOut(shop, next)).status).toBe(201);
  expect(await balances()).toEqual([14_000n, 3000n, 2000n, 900n]);
}

/** `npm run verify` lists the transfers that are missing in the backup; their mandate is revoked. */
async function unknownIsNamed(
  { owner, buyer, seller, api, mandateId }: Shop,
  testSystem: ReturnType<typeof openSystem>,
) {
  const broken = await violations(testSystem.system, ["base"]);
  const [unknown, ...rest] = broken.filter(({ invariant }) => !/^I8 a relayer's nonces/.test(invariant));
  expect([unknown?.invariant, rest]).toEqual([
    "I18 every transfer out of a spending wallet or vault on base is in the database",
    [],
  ]);
  expect(unknown?.count).toBeGreaterThan(0);
  expect((await owner.call("POST", `/api/mandates/${mandateId}/revoke`, {})).status).toBe(200);
  const wanted = await fetchRequirement(api, "Buyer", seller.tessera.receiveUrl(`${PRICE}`));
  await expect(buyer.tessera.payments.sign({ ...signingBody(wanted), mandateId })).rejects.toThrow(
    /revoked this mandate/,
  );
}

test(
  "a service restored from a backup pays nothing twice, knows the payments before it, and lists those after it",
  async () => {
    const shop = await openShop(world, front.url);
    const load = startLoad(shop);
    await until(async () => load.payments.length >= 5, "the first payments");
    expect((await shop.buyer.call("POST", "/api/payouts", CLEANING)).status).toBe(201);
    await baseBackup(database.url, join(directory, "old"), join(directory, "new"));
    const atBackup = load.payments.length;
    await until(async () => load.payments.length >= atBackup + 6, "payments after the backup");
    await load.stop();
    const lost = [await payOut(shop, RENT), await payOut(shop, SPLIT)];
    expect((await payOut(shop, TAX)).status).toBe(201);
    const cleaned = await approveCleaning(shop);
    expect(load.payments.map(({ answer }) => answer.status)).not.toContain(500);
    service?.child.kill("SIGKILL");
    await service?.ended;
    await database.stop();

    database = await startDatabase({ dir: join(directory, "new"), port: await freePort(), isDurable: false });
    process.env.DATABASE_URL = database.url;
    const testSystem = openSystem();
    const open = () => testSystem.sql`select id from settlements where state in ('claimed', 'prepared', 'broadcast')`;
    await followTheGuide(testSystem);
    await startService();
    await until(async () => (await open()).length === 0, "what the backup holds to end");
    const head = await world.client().getBlockNumber();
    const read = () =>
      testSystem.sql`select 1 from chain_cursors where network = 'base' and block_number >= ${head.toString()}`;
    await until(async () => (await read()).length > 0, "the observer to have read what came after the backup");

    await isKnown(shop, load.payments.slice(0, atBackup));
    await nothingIsPaidTwice(shop, load.payments);
    await cleaningIsPaid(shop, cleaned);
    await payoutsArePaidOnce(shop, lost);
    await unknownIsNamed(shop, testSystem);
    await testSystem.close();
  },
  START_MS,
);
