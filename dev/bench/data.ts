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
import { EXPLAIN, type Plan, plansIn, readingsOf } from "./plans";
import { FULL, type Heavy, type Size, seedData, sizeOf } from "./seed-data";

/** A service on a database full of data. One owner and one agent have a fifth of it. */
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
  { isExplained = true } = {},
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
      for (const [name, value] of Object.entries(isExplained ? EXPLAIN : {})) {
        await client.query(`alter database tessera set ${name} = '${value}'`);
      }
      // Only new connections use EXPLAIN's settings and the new statistics.
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

/** Creates the owner and agent that get a fifth of the data: a signed mandate, a wallet, a webhook. */
export async function become(owner: OwnerActor, agent: AgentActor, client: pg.Client): Promise<Heavy> {
  const intent = { naturalLanguage: "Data", limitAmount: (2n ** 90n).toString(), validForSeconds: 86_400 };
  const mandateId = await owner.claim((await agent.tessera.mandates.create(intent)).authorizationUrl);
  await owner.signMandate(mandateId);
  const { agentId } = agent.tessera;
  const { rows } = await client.query<{ ownerId: string; walletId: string; wallet: string }>(
    `select m.owner_id as "ownerId", w.id as "walletId", w.address as wallet
     from mandates m join wallets w on w.id = m.wallet_id where m.id = $1`,
    [mandateId],
  );
  const [match] = rows;
  if (!match) throw new Error("no mandate");
  const webhookId = "whk_seed00000000000000000000";
  await client.query(
    `insert into webhooks (id, owner_id, url, receiver, description, is_enabled, enabled_at, created_at, updated_at)
     values ($1, $2, 'https://hooks.example/', 'hooks.example', '', false, now(), now(), now())`,
    [webhookId, match.ownerId],
  );
  return { ...match, agentId, mandateId, webhookId };
}

const PAGES = [
  ...["", "/activity", "/agents", "/payments", "/links", "/payouts", "/webhooks", "/mandates", "/facilitator"],
  ...["/approvals", "/invoices", "/wallet", "/settings", "/links/lnk_seed00000000000000000000"],
  "/invoices/inv_seed00000000000000000000",
];

const pagesOfOwner = ({ heavy }: FullService): string[] =>
  [...PAGES, `/webhooks/${heavy.webhookId}`].map((page) => `/dashboard${page}`);

const ofOwner = ({ heavy }: FullService): string[] => [
  `/api/webhooks/${heavy.webhookId}/deliveries`,
  `/api/activity.csv?agent=${heavy.agentId}&type=none`,
  `/api/search?query=${SOUGHT}`,
  "/api/notices",
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
  "/api/payment-links/refunds/rfd_seed00000000000000000001",
  "/api/invoices",
  "/api/invoices/inv_seed00000000000000000000",
  "/api/payouts",
];

/** A word in the description of every link. */
const SOUGHT = "Report";

const PUBLIC = [
  "/api/settlements/stl_seed00000000000000000000",
  "/receipt/stl_seed00000000000000000000",
  "/pay/lnk_seed00000000000000000000",
  "/invoice/inv_seed00000000000000000000",
  "/discovery/resources",
  "/readyz",
];

export type Group = "pages" | "lists" | "hot paths";
export type Exercise = { group: Group; path: string; send: () => Promise<{ status: number }> };
export type Timed = { group: Group; path: string; status: number; ms: number };

/** Every list and page as the heavy owner and agent, the public pages, and the hot paths: a price, a signed payment. */
export function exercises(service: FullService): Exercise[] {
  const { api, owner, agent, heavy } = service;
  const url = agent.tessera.receiveUrl("1000");
  const sign = async () => {
    await signUnder(agent, heavy.mandateId, await fetchRequirement(api, "Agent", url));
    return { status: 200 };
  };
  return [
    ...pagesOfOwner(service).map((path) => ({ group: "pages" as const, path, send: () => owner.call("GET", path) })),
    ...ofOwner(service).map((path) => ({ group: "lists" as const, path, send: () => owner.call("GET", path) })),
    ...ofAgent.map((path) => ({ group: "lists" as const, path, send: () => agent.call("GET", path) })),
    ...PUBLIC.map((path) => ({ group: "pages" as const, path, send: () => api.call("Somebody", "GET", path) })),
    { group: "hot paths", path: "sign a payment", send: sign },
  ];
}

export async function timed({ group, path, send }: Exercise): Promise<Timed> {
  const began = performance.now();
  const { status } = await send();
  return { group, path, status, ms: performance.now() - began };
}

/** Runs each exercise once. */
export async function exercise(service: FullService): Promise<Timed[]> {
  const all: Timed[] = [];
  for (const each of exercises(service)) all.push(await timed(each));
  return all;
}

const SHOWN = 12;

/** `npm run bench -- --seed-data [payments]` */
export async function measureData(payments: string | undefined, say: (line: string) => void): Promise<void> {
  const size = payments === undefined ? FULL : sizeOf(Number(payments));
  await withData(size, say, async (service) => {
    // The first run loads routes and fills caches.
    await exercise(service);
    for (const { path, status, ms } of await exercise(service))
      console.log(`${ms.toFixed(0).padStart(6)} ms  ${status}  ${path}`);
    const plans = service.plans();
    console.log("\nThe statements that took longest:");
    for (const { ms, text } of ofEach(
      plans.toSorted((a, b) => b.ms - a.ms),
      ({ text }) => text,
    ))
      console.log(`${ms.toFixed(0).padStart(6)} ms  ${text.slice(0, 160)}`);
    console.log("\nThe statements that read most:");
    for (const { rows, relation, how, text } of ofEach(readingsOf(plans), ({ relation, text }) => relation + text))
      console.log(`${String(rows).padStart(8)} rows of ${relation} (${how}): ${text.slice(0, 160)}`);
  });
}

/** The first item of each name, up to SHOWN items. */
function ofEach<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const firsts = new Map<string, T>();
  for (const item of items) if (!firsts.has(nameOf(item))) firsts.set(nameOf(item), item);
  return [...firsts.values()].slice(0, SHOWN);
}
