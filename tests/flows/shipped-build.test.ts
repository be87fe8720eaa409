import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { generatePrivateKey, type HDAccount, mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { type AgentActor, type Api, type OwnerActor, openApi, registerAgent, signInOwner } from "@/lib/dev/actors";
import { NEXT } from "@/lib/dev/build";
import { inOwnWorld } from "@/lib/dev/own-world";
import { freePort } from "@/lib/dev/ports";
import type { Stack } from "@/lib/dev/stack";
import type { Json } from "../support/mandates";
import { until } from "../support/replica";
import { claimFrom, paying } from "../support/system";

/**
 * What holds only if the copies of our modules that the production build loads (routes, pages, instrumentation) agree with
 * each other: the subscribers that refuse are made in one copy, and the routes that answer are another.
 */
const START_MS = 600_000;
const AMOUNT = 10_000n;
const BUYERS = 8;

const buyers: HDAccount[] = Array.from({ length: BUYERS }, (_, at) =>
  mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex: 500 + at }),
);

type Shop = { api: Api; seller: AgentActor; owner: OwnerActor };
type Link = { linkId: string; url: string; payTo: string };
type Sql = postgres.TransactionSql;
type Outcome = { status: number; code: string | null };

async function openShop(baseUrl: string): Promise<Shop> {
  const api = openApi(baseUrl);
  const seller = await registerAgent(api, "Seller");
  const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
  const terms = { naturalLanguage: "To be linked", limitAmount: "1", validForSeconds: 3600 };
  await owner.claim((await seller.createIntent(terms)).authorizationUrl);
  for (const { address } of buyers) await api.call("Faucet", "POST", "/api/devnet/faucet", { json: { address } });
  return { api, seller, owner };
}

async function newLink({ seller }: Shop, json: object = {}): Promise<Link> {
  const made = await seller.call("POST", "/api/payment-links", { amount: AMOUNT.toString(), ...json });
  return (made.body as Json).paymentLink;
}

async function pay({ api }: Shop, link: { url: string; payTo: string }, buyer: HDAccount): Promise<Outcome> {
  const headers = paying(claimFrom(buyer, link.payTo, AMOUNT));
  const { status, body } = await api.call("Buyer", "GET", link.url, { headers });
  return { status, code: (body as Json).code ?? null };
}

const countOf = (outcomes: Outcome[]) => {
  const counts: Record<string, number> = {};
  for (const { status, code } of outcomes) {
    const name = [status, code].filter(Boolean).join(" ");
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

/**
 * Has all of `buyers` pay while another transaction holds the link, so that each of them is offered it as it was, and meets
 * what `change` made of it in the transaction of the claim: the refusals are a subscriber's.
 */
async function payAtOnce(
  shop: Shop,
  link: Link,
  { env }: Stack,
  change: (tx: Sql, linkId: string) => Promise<unknown>,
) {
  const sql = postgres(env.DATABASE_URL ?? "", { max: 2, onnotice: () => {} });
  try {
    let paid: Promise<Outcome[]> = Promise.resolve([]);
    await sql.begin(async (tx) => {
      await tx`select 1 from payment_links where link_id = ${link.linkId} for no key update`;
      paid = Promise.all(buyers.map((buyer) => pay(shop, link, buyer)));
      await until(async () => {
        const [row] = await sql`select count(*)::int as n from pg_locks where not granted`;
        return row?.n >= BUYERS;
      }, "the buyers to wait for the link");
      await change(tx, link.linkId);
    });
    return countOf(await paid);
  } finally {
    await sql.end();
  }
}

async function lastUse(shop: Shop, stack: Stack): Promise<void> {
  const link = await newLink(shop, { maxUses: 1 });
  const outcomes = await payAtOnce(shop, link, stack, async () => {});
  expect(outcomes).toEqual({ "200": 1, "410 LINK_SOLD_OUT": BUYERS - 1 });
}

async function switchedOffWhilePaid(shop: Shop, stack: Stack): Promise<void> {
  const outcomes = await payAtOnce(
    shop,
    await newLink(shop),
    stack,
    (tx, linkId) => tx`update payment_links set status = 'disabled' where link_id = ${linkId}`,
  );
  expect(outcomes).toEqual({ "410 LINK_DISABLED": BUYERS });
}

async function approvedTwice(shop: Shop): Promise<void> {
  const link = await newLink(shop);
  expect(await pay(shop, link, buyers[0] as HDAccount)).toEqual({ status: 200, code: null });
  const listed = await shop.seller.call("GET", `/api/payment-links/${link.linkId}/payments`);
  const paymentId = (listed.body as Json).payments[0].id;
  const asked = await shop.seller.call("POST", "/api/payment-links/refunds/initiate", { paymentId });
  const path = `/api/refunds/${(asked.body as Json).refundId}/approve`;
  const answers = await Promise.all(Array.from({ length: 4 }, () => shop.owner.call("POST", path, {})));
  const outcomes = answers.map(({ status, body }) => ({ status, code: (body as Json).code ?? (body as Json).error }));
  expect(outcomes.filter(({ status }) => status < 300)).toHaveLength(1);
  expect(outcomes.filter(({ status }) => status >= 300).every(({ status }) => status === 409)).toBe(true);
}

/** Pages are a copy of their own: what is not there is a 404 with a page, and no error of ours. */
async function missingPages({ api }: Shop): Promise<void> {
  const headers = { accept: "text/html" };
  for (const path of ["/pay/lnk_0000000000000000000000", "/receipt/stl_000000000000000000000000"]) {
    const answer = await api.call("Visitor", "GET", path, { headers });
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
      path,
      404,
      expect.stringContaining("text/html"),
    ]);
  }
}

/** Starts the service with another configuration, to see it end. */
async function startWith({ env }: Stack, change: Record<string, string>) {
  const port = String(await freePort());
  const child = spawn(process.execPath, [...NEXT, "start", "--port", port], {
    stdio: ["pipe", "ignore", "pipe"],
    env: { ...process.env, ...env, ...change, PORT: port, NODE_ENV: "production", __NEXT_PROCESSED_ENV: "true" },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  clearTimeout(timer);
  return { code, said };
}

async function wrongChain(stack: Stack): Promise<void> {
  const { code, said } = await startWith(stack, { BASE_RPC_URL: stack.env.BASE_SEPOLIA_RPC_URL ?? "" });
  expect(said).toMatch(/BASE_RPC_URL.* is a node of chain 84532, not of Base \(8453\)/);
  expect(code).toBe(1);
}

async function wrongMasterKey(stack: Stack): Promise<void> {
  const { code, said } = await startWith(stack, { MASTER_KEY: "77".repeat(32) });
  expect(said).toMatch(/MASTER_KEY.*does not open the secrets/);
  expect(code).toBe(1);
}

test(
  "the build that ships refuses in the contract's words, wherever a refusal was made, and does not start with what is wrong",
  async () => {
    await inOwnWorld("shipped", { log: () => {} }, async (stack) => {
      const shop = await openShop(stack.baseUrl);
      await lastUse(shop, stack);
      await switchedOffWhilePaid(shop, stack);
      await approvedTwice(shop);
      await missingPages(shop);
      await wrongChain(stack);
      await wrongMasterKey(stack);
    });
  },
  START_MS,
);
