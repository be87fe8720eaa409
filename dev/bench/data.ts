import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { type AgentActor, fetchRequirement, registerAgent, signUnder } from "../actors/agents";
import { type Api, openApi } from "../actors/api";
import { type OwnerActor, signInOwner } from "../actors/owners";
import { startDatabase } from "../local/database";
import { inOwnWorld } from "../local/own-world";
import { freePort } from "../local/ports";
import { EXPLAIN, type Plan, plansIn, type Reading, readingsOf } from "./plans";
import { FULL, type Heavy, type Size, seedData, sizeOf } from "./seed-data";

/** A service on a database full of data, in which one owner and one agent have a fifth of it. */
export type FullService = {
  api: Api;
  owner: OwnerActor;
  agent: AgentActor;
  heavy: Heavy;
  client: pg.Client;
  /** The plans of all statements since the start. */
  plans: () => Plan[];
};

const RECONNECT_MS = 1_000;

export async function withData<T>(
  size: Size,
  say: (line: string) => void,
  play: (service: FullService) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "tessera-data-"));
  const log: string[] = [];
  const database = await startDatabase({
    dir: join(directory, "postgres"),
    port: await freePort(),
    isDurable: false,
    onLog: (text) => void log.push(text),
  });
  const client = new pg.Client({ connectionString: database.url });
  try {
    return await inOwnWorld("data", { settings: { DATABASE_URL: database.url }, log: say }, async ({ baseUrl }) => {
      await client.connect();
      const api = openApi(baseUrl);
      const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
      const agent = await registerAgent(api, "Agent");
      const heavy = await become(owner, agent, client);
      await seedData(client, size, heavy, say);
      await client.query("vacuum analyze");
      for (const [name, value] of Object.entries(EXPLAIN)) {
        await client.query(`alter database tessera set ${name} = '${value}'`);
      }
      // Only new connections explain.
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tessera'");
      await sleep(RECONNECT_MS);
      return play({ api, owner, agent, heavy, client, plans: () => plansIn(log.join("")) });
    });
  } finally {
    await client.end();
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The owner and agent that get a fifth of the data: a signed mandate, a wallet, a webhook. */
async function become(owner: OwnerActor, agent: AgentActor, client: pg.Client): Promise<Heavy> {
  const intent = { naturalLanguage: "Data", limitAmount: (2n ** 90n).toString(), validForSeconds: 86_400 };
  const mandateId = await owner.claim((await agent.tessera.mandates.create(intent)).authorizationUrl);
  await owner.signMandate(mandateId);
  const { agentId } = agent.tessera;
  const { rows } = await client.query<{ ownerId: string; walletId: string; wallet: string }>(
    `select m.owner_id as "ownerId", w.id as "walletId", w.address as wallet
     from mandates m join wallets w on w.id = m.wallet_id where m.id = $1`,
    [mandateId],
  );
  const [found] = rows;
  if (!found) throw new Error("no mandate");
  const webhookId = "whk_seed00000000000000000000";
  await client.query(
    `insert into webhooks (id, owner_id, url, receiver, description, is_enabled, enabled_at, created_at, updated_at)
     values ($1, $2, 'https://hooks.example/', 'hooks.example', '', false, now(), now(), now())`,
    [webhookId, found.ownerId],
  );
  return { ...found, agentId, mandateId, webhookId };
}

const PAGES = ["", "/activity", "/agents", "/payments", "/links", "/payouts", "/webhooks", "/mandates", "/facilitator"];

/** Requests of an owner, as pairs of a name and a path. */
const ofOwner = ({ heavy }: FullService): string[] => [
  ...PAGES.map((page) => `/dashboard${page}`),
  "/dashboard/links/lnk_seed00000000000000000000",
  `/dashboard/webhooks/${heavy.webhookId}`,
  `/api/webhooks/${heavy.webhookId}/deliveries`,
  `/api/activity.csv?agent=${heavy.agentId}&type=none`,
  "/api/agents",
  "/api/sessions",
  "/api/wallet",
  "/api/wallet/payouts",
  "/api/webhooks",
];

const ofAgent = [
  "/api/payments",
  "/api/payments/pay_seed00000000000000000001",
  "/api/mandates",
  "/api/received-payments",
  "/api/payment-links",
  "/api/payment-links/lnk_seed00000000000000000000",
  "/api/payment-links/lnk_seed00000000000000000000/payments",
  "/api/payment-links/refunds",
  "/api/payouts",
];

const PUBLIC = [
  "/api/settlements/stl_seed00000000000000000000",
  "/receipt/stl_seed00000000000000000000",
  "/pay/lnk_seed00000000000000000000",
  "/discovery/resources",
  "/readyz",
];

export type Timed = { path: string; status: number; ms: number };

/** Reads every list as the heavy owner and agent, and makes a payment. */
export async function exercise(service: FullService): Promise<Timed[]> {
  const { api, owner, agent, heavy } = service;
  const timed: Timed[] = [];
  const time = async (path: string, send: () => Promise<{ status: number }>) => {
    const began = performance.now();
    const { status } = await send();
    timed.push({ path, status, ms: performance.now() - began });
  };
  for (const path of ofOwner(service)) await time(path, () => owner.call("GET", path));
  for (const path of ofAgent) await time(path, () => agent.call("GET", path));
  for (const path of PUBLIC) await time(path, () => api.call("Somebody", "GET", path));
  const url = agent.tessera.receiveUrl("1000");
  const wanted = await fetchRequirement(api, "Agent", url);
  await time("sign a payment", async () => {
    await signUnder(agent, heavy.mandateId, wanted);
    return { status: 200 };
  });
  return timed;
}

const SHOWN = 12;

/** `npm run bench -- --seed-data [payments]` */
export async function measureData(payments: string | undefined, say: (line: string) => void): Promise<void> {
  const size = payments === undefined ? FULL : sizeOf(Number(payments));
  await withData(size, say, async (service) => {
    // The first time loads routes and fills caches.
    await exercise(service);
    for (const { path, status, ms } of await exercise(service))
      console.log(`${ms.toFixed(0).padStart(6)} ms  ${status}  ${path}`);
    console.log("\nThe statements that read most:");
    // Sorted, so the first reading of each statement is its largest.
    const seen = new Set<string>();
    const isFirst = ({ relation, text }: Reading) => !seen.has(relation + text) && seen.add(relation + text);
    for (const { rows, relation, how, text } of readingsOf(service.plans()).filter(isFirst).slice(0, SHOWN)) {
      console.log(`${String(rows).padStart(8)} rows of ${relation} (${how}): ${text.slice(0, 160)}`);
    }
  });
}
