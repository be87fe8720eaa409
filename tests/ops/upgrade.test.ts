import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { generatePrivateKey, type HDAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentActor, registerAgent } from "@/dev/actors/agents";
import { type Api, openApi } from "@/dev/actors/api";
import { type OwnerActor, signInOwner } from "@/dev/actors/owners";
import { type Front, startFront } from "@/dev/simulate/front";
import { violations } from "@/ops/invariants";
import type { Json } from "../support/mandates";
import { createNextVersion } from "../support/next-version";
import { killProcesses, ready, SERVICE, type Started, serviceSettings, startProcess } from "../support/process";
import { until } from "../support/replica";
import { claimFrom, openSystem, paying } from "../support/system";
import { createWorld, type World } from "../support/world";

/** Two replicas are replaced one by one with a later version that has a migration, under load. */
const START_MS = 600_000;
const PRICE = 1_000n;
const BUYERS = 3;

// The migration changes tables that every payment writes to, in a way that is compatible with the old version.
const MIGRATION = `
  alter table settlements add column reviewed_by text;
  --> statement-breakpoint
  alter table agents add column colour text not null default 'none';
  --> statement-breakpoint
  create table reviews (id bigint primary key generated always as identity, settlement_id text not null);
`;

let world: World;
let front: Front;
let nextVersion: string;
const inRotation = new Map<string, Started>();

async function startReplica(name: string, directory?: string): Promise<void> {
  const env = { ...serviceSettings(), PUBLIC_BASE_URL: front.url, NEXTAUTH_URL: front.url, PRELOAD_ROUTES: "off" };
  const started = await startProcess(SERVICE, env, directory);
  await ready(started);
  inRotation.set(name, started);
}

/** The order of a load balancer and a supervisor: no new requests, then SIGTERM. */
async function stopReplica(name: string): Promise<void> {
  const replica = inRotation.get(name);
  if (!replica) throw new Error(`no replica ${name}`);
  inRotation.delete(name);
  replica.child.kill("SIGTERM");
  expect(await replica.ended).toBe(0);
}

beforeAll(async () => {
  world = await createWorld();
  front = await startFront(() => [...inRotation.values()].map(({ port }) => port));
  nextVersion = createNextVersion(mkdtempSync(join(tmpdir(), "tessera-next-")), MIGRATION);
  await Promise.all([startReplica("one"), startReplica("two")]);
}, START_MS);

afterAll(async () => {
  killProcesses();
  await front?.stop();
  await world?.stop();
  rmSync(nextVersion, { recursive: true, force: true });
});

type Load = { answers: Map<string, number>; faults: string[]; paid: string[]; stop: () => Promise<void> };

/** Owners and agents that use the service until `stop`. */
function startLoad(api: Api, seller: AgentActor, owner: OwnerActor, payTo: string): Load {
  const load = { answers: new Map<string, number>(), faults: [] as string[], paid: [] as string[] };
  let isOver = false;
  const attempt = async (
    description: string,
    work: () => Promise<{ status: number; headers: Headers; text: string }>,
  ) => {
    const response = await work().catch((err: unknown) => {
      load.faults.push(`${description}: ${String(err)}`);
    });
    if (!response) return null;
    const name = `${description} ${response.status}`;
    load.answers.set(name, (load.answers.get(name) ?? 0) + 1);
    if (response.status >= 500 && !response.headers.has("retry-after")) load.faults.push(`${name}: ${response.text}`);
    return response;
  };
  const lane = async (work: () => Promise<unknown>) => {
    while (!isOver) {
      await work();
      await sleep(20);
    }
  };
  const buy = (buyer: HDAccount) => async () => {
    const headers = paying(claimFrom(buyer, payTo, PRICE));
    const response = await attempt("a payment", () =>
      api.call("buyer", "GET", seller.tessera.receiveUrl(`${PRICE}`), { headers }),
    );
    const id = (JSON.parse(response?.text || "{}") as Json).settlementId;
    if (response && id && response.status < 300) load.paid.push(id);
    if (response && response.status >= 400) load.faults.push(`a payment answered ${response.status}: ${response.text}`);
  };
  const lanes = [
    ...world.accounts.slice(0, BUYERS).map((buyer) => lane(buy(buyer))),
    lane(() => attempt("a price", () => api.call("visitor", "GET", seller.tessera.receiveUrl(`${PRICE}`)))),
    lane(() => attempt("a page", () => api.call("visitor", "GET", "/", { headers: { accept: "text/html" } }))),
    lane(() => attempt("keys", () => api.call("verifier", "GET", "/.well-known/jwks.json"))),
    lane(() => attempt("a wallet", () => owner.call("GET", "/api/wallet"))),
    lane(() => attempt("an agent", () => seller.call("GET", "/api/mandates"))),
    lane(() =>
      attempt("a registration", () =>
        api.call("newcomer", "POST", "/register", { json: { agent_name: "New", client_info: "" } }),
      ),
    ),
  ];
  return {
    ...load,
    stop: async () => {
      isOver = true;
      await Promise.all(lanes);
    },
  };
}

async function migrateTo(directory: string): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await migrate(drizzle(client), { migrationsFolder: join(directory, "drizzle") });
  } finally {
    await client.end();
  }
}

test(
  "an upgrade with a migration, one replica at a time, fails no request and loses no payment",
  async () => {
    const api = openApi(front.url);
    const seller = await registerAgent(api, "Seller");
    const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
    const terms = { naturalLanguage: "To be linked", limitAmount: "1", validForSeconds: 3600 };
    await owner.claim((await seller.tessera.mandates.create(terms)).authorizationUrl);
    const offer = (await api.call("buyer", "GET", seller.tessera.receiveUrl(`${PRICE}`))).body as Json;
    const { payTo } = offer.accepts[0];
    for (const { address } of world.accounts.slice(0, BUYERS)) await world.mint(address, 1_000_000_000n);

    const load = startLoad(api, seller, owner, payTo);
    await until(async () => load.paid.length >= 5, "the first payments");
    await migrateTo(nextVersion);
    await until(async () => load.paid.length >= 10, "payments after the migration, in the old version");
    for (const name of ["one", "two"]) {
      const paidBefore = load.paid.length;
      await stopReplica(name);
      await startReplica(name, nextVersion);
      await until(async () => load.paid.length >= paidBefore + 5, `payments with replica ${name} replaced`);
    }
    await load.stop();

    expect(load.faults).toEqual([]);
    expect([...load.answers.keys()].sort()).toEqual(
      expect.arrayContaining(["a page 200", "a price 402", "a registration 200", "a wallet 200", "an agent 200"]),
    );
    const testSystem = openSystem();
    const unsettledRows = () => testSystem.sql`select id from settlements where state <> 'settled'`;
    await until(async () => (await unsettledRows()).length === 0, "every payment to be settled");
    const settled = await testSystem.sql`select id from settlements`;
    expect(settled.map(({ id }) => id)).toEqual(expect.arrayContaining(load.paid));
    expect(await world.balanceOf(payTo)).toBe(BigInt(settled.length) * PRICE);
    expect(await violations(testSystem.system)).toEqual([]);
    await testSystem.close();

    // A restarted process of the old version must exit with a message instead of writing rows in the old form.
    const old = await startProcess(SERVICE, { ...serviceSettings(), PRELOAD_ROUTES: "off" });
    expect([await old.ended, old.said()]).toEqual([1, expect.stringMatching(/DATABASE_URL.*newer version/)]);
  },
  START_MS,
);
