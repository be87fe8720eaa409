import postgres from "postgres";
import type { HDAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { toAddress } from "@/lib/core/address";
import type { Claim } from "@/lib/settlements/service";
import { violations } from "@/ops/invariants";
import { account } from "./accounts";
import { type Answer, call } from "./http";
import { type Json, linkedPair, type Parties } from "./mandates";
import { OTHER_BUILD } from "./other-build";
import { until } from "./replica";
import { openSystem, paying } from "./system";
import { closeSystem, startWorking } from "./wiring";
import { createWorld, type World } from "./world";

export const PRICE = 250_000n;

export type Link = { linkId: string; payTo: string };
export type Shop = { world: World; sql: postgres.Sql; seller: Parties };

/**
 * A seller at a server started as by `npm start`, for test files that attack it from outside. They use only HTTP, the chain and
 * the contents of the database, so that they also run against another build. Blocks are mined every two seconds and at no
 * other time.
 */
export function openShop(settings: Record<string, string> = {}): Shop {
  // Set before the first test.
  const shop = {} as Shop;

  beforeAll(async () => {
    const world = await createWorld({ isMinedByClock: true });
    // With the default limits.
    Object.assign(process.env, { LOG_LEVEL: "silent", RATE_LIMITS: "", ...settings });
    await startWorking();
    const sql = postgres(world.databaseUrl, { max: 4, onnotice: () => {} });
    Object.assign(shop, { world, sql, seller: await linkedPair() });
  });

  afterEach(async () => {
    shop.world.node().heal();
    await shop.world.setAutomine(true);
  });

  afterAll(async () => {
    await closeSystem();
    if (shop.world && !OTHER_BUILD) await expectInvariants();
    await shop.sql?.end();
    await shop.world?.stop();
  });

  return shop;
}

async function expectInvariants(): Promise<void> {
  const { system, close } = openSystem();
  expect(await violations(system, ["base"])).toEqual([]);
  await close();
}

let known = 500;

/** A new account without money. */
export const stranger = (): HDAccount => account(known++);

/** `count` new accounts, each with `atomic` USDC on Base from the next block on. */
export async function buyers({ world }: Shop, count: number, atomic = PRICE): Promise<HDAccount[]> {
  const people = Array.from({ length: count }, stranger);
  await world.mint(
    people.map(({ address }) => toAddress(address)),
    atomic,
  );
  return people;
}

export async function buyer(shop: Shop, atomic = PRICE): Promise<HDAccount> {
  const [one] = await buyers(shop, 1, atomic);
  if (!one) throw new Error("no attacker");
  return one;
}

export async function newLink({ seller }: Shop, json: object = {}): Promise<Link> {
  const created = await call("POST", "/api/payment-links", {
    bearer: seller.agent.jwt,
    json: { amount: PRICE.toString(), ...json },
  });
  expect([created.status, created.text]).toEqual([200, expect.anything()]);
  return body(created).paymentLink;
}

export const body = (response: Answer) => response.body as Json;
/** A response in short: its status, its code or failure code, and whether the proof can still be paid. */
export const brief = (response: Answer) =>
  [
    response.status,
    body(response)?.failureCode ?? body(response)?.code,
    body(response)?.stillValidUntil && "still valid",
  ]
    .filter(Boolean)
    .join(" ");

export const pay = ({ linkId }: Pick<Link, "linkId">, claim: Claim): Promise<Answer> =>
  call("GET", `/paymentlink/${linkId}`, { headers: paying(claim) });

export const settlement = async (id: string): Promise<Json> => body(await call("GET", `/api/settlements/${id}`));

/** The sales of a link in the seller's lists, also after the link is deleted. */
export async function salesOf({ seller }: Shop, { linkId }: Link): Promise<Json[]> {
  const { payments } = body(await call("GET", "/api/received-payments", { bearer: seller.agent.jwt }));
  return payments.filter((payment: Json) => payment.paymentLinkId === linkId && payment.settlementStatus === "settled");
}

export const readyz = () => call("GET", "/readyz");

/** Waits until the service has read the chain up to the current head. */
export async function waitUntilRead({ world }: Shop): Promise<void> {
  const head = await world.client().getBlockNumber();
  const hasRead = async () => {
    const { queues = [] } = body(await readyz());
    const queue = queues.find(({ network }: Json) => network === "base");
    return BigInt(queue?.readUpToBlock ?? -1) >= head;
  };
  await until(hasRead, `the service to read block ${head}`);
}

/** Waits until a transaction with the claim is in the pool. */
export async function waitForPool({ world }: Shop, { authorization }: Claim): Promise<void> {
  const nonce = authorization.nonce.slice(2);
  await until(async () => {
    const pool = await world.client().getTxpoolContent();
    return JSON.stringify(pool.pending).includes(nonce);
  }, "the transaction to be in the pool");
}

/** Makes requests with `send` until `count` of them wait for the lock of `lock`, runs `change`, and releases the lock. */
export async function raceForLock<T>(
  { sql }: Shop,
  count: number,
  lock: (tx: postgres.TransactionSql) => Promise<unknown>,
  send: () => Promise<T>,
  change: (tx: postgres.TransactionSql) => Promise<unknown> = async () => {},
): Promise<T> {
  let responses: Promise<T> | undefined;
  await sql.begin(async (tx) => {
    await lock(tx);
    responses = send();
    // The caller gets the rejection when it awaits the responses.
    responses.catch(() => {});
    await until(async () => {
      const [row] = await sql`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return row?.n >= count;
    }, `${count} requests to wait`);
    await change(tx);
  });
  if (!responses) throw new Error("nothing was sent");
  return responses;
}
