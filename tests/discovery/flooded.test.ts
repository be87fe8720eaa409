import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as agents from "@/lib/agents/service";
import type { AgentId } from "@/lib/core/ids";
import { LISTINGS_MAX, LISTINGS_MIN } from "@/lib/links/listings/rules";
import { readPage, refreshSome, SHARED_SECONDS } from "@/lib/links/listings/service";
import { FIELDS_MAX, METADATA_KEYS_MAX, METADATA_VALUE_MAX } from "@/lib/links/orders/limits";
import { CONTENT_MAX, DESCRIPTION_MAX } from "@/lib/links/rules";
import { LINK_TEXTS } from "@/lib/links/texts";
import { bytesOf, type Statement, watchDriver } from "../support/driver";
import { type Answer, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { connectV1 } from "../support/mcp";
import { sold } from "../support/sales";
import { openSystem } from "../support/system";
import { closeSystem, system } from "../support/wiring";
import { createWorld, type World } from "../support/world";

/** One free account lists as many links as the directory once read, each as long as a link may be. In process: it watches the driver. */

const FLOOD = 1_010;
/** For a page of a hundred links, whatever their sellers wrote. */
const PAGE_BYTES_MAX = 400_000;
const READING_BYTES_MAX = 400_000;

/** A link of maximal length that contains the words of an honest description. */
const MAXIMAL = {
  amount: "250000",
  isListed: true,
  title: "😀".repeat(LINK_TEXTS.title.max),
  description: `Weather of Bern ${"😀".repeat(DESCRIPTION_MAX - 16)}`,
  resourceContent: "😀".repeat(CONTENT_MAX),
  metadata: Object.fromEntries(
    Array.from({ length: METADATA_KEYS_MAX }, (_, index) => [`key${index}`, "😀".repeat(METADATA_VALUE_MAX)]),
  ),
  fields: Array.from({ length: FIELDS_MAX }, (_, index) => ({
    name: `field_${index}`.padEnd(40, "x"),
    label: `${index}${"😀".repeat(99)}`,
    isRequired: true,
  })),
};

let world: World;
let testSystem: ReturnType<typeof openSystem>;
let honest: Parties;
let flooder: Parties;
let flooders: string;
let own: Json;

const body = (response: Answer) => response.body as Json;
async function linkOf({ agent }: Parties, json: object): Promise<Json> {
  const created = await call("POST", "/api/payment-links", { bearer: agent.jwt, json });
  expect([created.status, created.text]).toEqual([200, expect.anything()]);
  return body(created).paymentLink;
}
/** All owners again, as the job does, and readings that begin afterwards. */
async function refresh(): Promise<void> {
  while (await refreshSome(testSystem.system));
  await sleep(SHARED_SECONDS * 1_000);
}
const urlsIn = ({ items, resources, services }: Json): string[] =>
  (items ?? resources ?? services).map((found: Json) => found.resource ?? found.url ?? found);
const linksIn = (found: Json) => urlsIn(found).filter((url) => url.includes("/pay/"));
const readings = (statements: Statement[]) => statements.filter(({ text }) => text.includes("link_listings"));

beforeAll(async () => {
  world = await createWorld();
  testSystem = openSystem();
  honest = await linkedPair();
  own = await linkOf(honest, { amount: "250000", description: "Weather of Bern", isListed: true });
  for (let index = 0; index < 3; index++)
    await sold(testSystem.sql, { agentId: honest.agent.agentId, linkId: own.linkId });
  flooder = await linkedPair();
  flooders = (await linkOf(flooder, MAXIMAL)).linkId;
  await testSystem.sql`insert into payment_links overriding system value
    select r.* from payment_links m cross join generate_series(1, ${FLOOD}) i cross join lateral jsonb_populate_record(m,
      jsonb_build_object('link_id', 'lnk_' || lpad(i::text, 24, '0'), 'id', 1000000 + i)) r where m.link_id = ${flooders}`;
  await refresh();
}, 180_000);

afterAll(async () => {
  await closeSystem();
  await testSystem?.close();
  await world?.stop();
});

describe("the directory with a thousand links of maximal length by one free account", () => {
  test("ranks a seller with sales first in every list, and shows only a few links of the flooding account", async () => {
    const all = body(await call("GET", "/discovery/resources?limit=100"));
    expect(linksIn(all)[0]).toBe(own.url);
    expect(linksIn(all)).toHaveLength(1 + LISTINGS_MIN);
    expect(all.pagination.total).toBe(all.items.length);
    expect(linksIn(body(await call("GET", "/discovery/search?query=bern%20WEATHER")))[0]).toBe(own.url);
    const unstorable = await call("GET", "/discovery/search?query=bern%00");
    expect([unstorable.status, unstorable.body]).toMatchObject([400, { code: "INVALID_REQUEST" }]);
    expect(linksIn(body(await call("GET", "/.well-known/x402")))[0]).toBe(own.url);
    const client = await connectV1();
    const response = await client.call("search_services", { query: "weather bern", limit: 1 });
    await client.close();
    expect(urlsIn(response.value)).toEqual([own.url]);
  });

  test.each(["/discovery/resources?limit=100", "/discovery/search?query=weather&limit=100", "/.well-known/x402"])(
    "answers forty simultaneous requests for %s, each with a bounded number of bytes",
    async (path) => {
      const responses = await Promise.all(Array.from({ length: 40 }, () => call("GET", path)));
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
      for (const { text } of responses) expect(Buffer.byteLength(text)).toBeLessThan(PAGE_BYTES_MAX);
    },
  );

  const FILTER = {
    words: ["weather"],
    urlPrefix: "https://shop.example/pay/",
    callPrefix: "https://shop.example/paid/",
  };

  test("reads a page once for forty simultaneous requests, with a bounded number of rows and bytes", async () => {
    await sleep(SHARED_SECONDS * 1_000);
    const statements = await watchDriver(testSystem.system.db, () =>
      Promise.all(Array.from({ length: 40 }, () => readPage(testSystem.system, FILTER, { offset: 0, limit: 100 }))),
    );
    // The page, and its total.
    expect(readings(statements)).toHaveLength(2);
    expect(bytesOf(statements)).toBeLessThan(READING_BYTES_MAX);
  });

  test("reads each distinct page separately, with the same bounds", async () => {
    const statements = await watchDriver(testSystem.system.db, () =>
      Promise.all(
        Array.from({ length: 20 }, (_, offset) =>
          readPage(testSystem.system, FILTER, { offset: offset + 1, limit: 100 }),
        ),
      ),
    );
    expect(readings(statements)).toHaveLength(40);
    for (const { rows, bytes } of readings(statements)) {
      expect(rows).toBeLessThanOrEqual(100);
      expect(bytes).toBeLessThan(READING_BYTES_MAX);
    }
  });

  test("bounds the bytes of a page with a hundred links of maximal length by many owners", async () => {
    // Simulates that each of the account's links belongs to a different owner and is listed.
    await testSystem.sql`insert into link_listings (link_id, owner_id, number, sales, text)
      select l.link_id, a.owner_id, l.id, 0, left(l.description, 300) from payment_links l join agents a on a.id = l.agent_id
      where l.link_id like 'lnk_0%' on conflict do nothing`;
    await sleep(SHARED_SECONDS * 1_000);
    for (const path of ["/discovery/resources?limit=100", "/discovery/search?query=weather&limit=100"]) {
      const statements = await watchDriver(system().db, async () => {
        const response = await call("GET", path);
        expect(linksIn(body(response)).length).toBeGreaterThan(90);
        expect(linksIn(body(response))[0]).toBe(own.url);
        expect(Buffer.byteLength(response.text)).toBeLessThan(PAGE_BYTES_MAX);
      });
      expect(bytesOf(statements)).toBeLessThan(READING_BYTES_MAX);
    }
    await refresh();
    expect(linksIn(body(await call("GET", "/discovery/resources?limit=100")))).toHaveLength(1 + LISTINGS_MIN);
  });

  test("shows more links of an owner after sales, and many more with a verified domain", async () => {
    const count = async () => {
      await refresh();
      const json = body(await call("GET", "/discovery/resources?limit=100"));
      return linksIn(json).length - 1;
    };
    for (let index = 0; index < 3; index++)
      await sold(testSystem.sql, { agentId: flooder.agent.agentId, linkId: flooders });
    expect(await count()).toBe(LISTINGS_MIN + 3);
    const [row] = await testSystem.sql`select owner_id from agents where id = ${flooder.agent.agentId}`;
    await testSystem.sql`insert into seller_domains (id, owner_id, origin, token, verified_at, created_at)
      values ('dom_000000000000000000000001', ${row?.owner_id}, 'https://shop.example', 'x', now(), now())`;
    expect(await count()).toBe(LISTINGS_MAX);
    await testSystem.sql`delete from seller_domains`;
    await testSystem.sql`delete from received_payments where link_id = ${flooders}`;
    await testSystem.sql`delete from settlements where subject = ${flooders}`;
    await refresh();
    expect(await count()).toBe(LISTINGS_MIN);
  });

  test("hides sold-out and expired links and those of deleted agents", async () => {
    const seller = await linkedPair();
    const urls = async () => {
      await sleep(SHARED_SECONDS * 1_000);
      return linksIn(body(await call("GET", "/discovery/resources?limit=100")));
    };
    const { url, linkId } = await linkOf(seller, { amount: "1", isListed: true, maxUses: 1 });
    const { url: expiring, linkId: expires } = await linkOf(seller, { amount: "1", isListed: true });
    expect(await urls()).toEqual(expect.arrayContaining([url, expiring]));
    await testSystem.sql`update payment_links set expires_at = now() where link_id = ${expires}`;
    await sold(testSystem.sql, { agentId: seller.agent.agentId, linkId });
    const shown = await urls();
    expect(shown).not.toContain(url);
    expect(shown).not.toContain(expiring);
    const { url: other } = await linkOf(seller, { amount: "1", isListed: true });
    expect(await urls()).toContain(other);
    await testSystem.sql`update agents set deleted_at = now() where id = ${seller.agent.agentId}`;
    expect(await urls()).not.toContain(other);
  });
});

describe("a seller's own lists", () => {
  test("of complete links end a page early to bound its bytes, and skip no link", async () => {
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null && page < 3; page++) {
      let response: Json = {};
      const path = `/api/payment-links?limit=100${cursor && `&cursor=${cursor}`}`;
      const statements = await watchDriver(system().db, async () => {
        response = body(await call("GET", path, { bearer: flooder.agent.jwt }));
      });
      expect(response.paymentLinks.length).toBeGreaterThan(0);
      expect(bytesOf(statements)).toBeLessThan(1_500_000);
      seen.push(...response.paymentLinks.map(({ linkId }: Json) => linkId));
      cursor = response.nextCursor;
    }
    const newest = await testSystem.sql`select link_id from payment_links where agent_id = ${flooder.agent.agentId}
      order by id desc limit ${seen.length}`;
    expect(seen).toEqual(newest.map((row) => row.link_id));
  });

  test("on the dashboard do not load the links' content", async () => {
    const links = await import("@/lib/links/service");
    const [row] = await testSystem.sql`select owner_id from agents where id = ${flooder.agent.agentId}`;
    const actor = { type: "owner", ownerId: row?.owner_id, address: flooder.owner.address } as const;
    const ctx = { ...testSystem.system, requestId: "test", actor };
    const order = { by: "created", isAscending: false } as const;
    const statements = await watchDriver(testSystem.system.db, async () => {
      const { rows } = await links.listForOwner(ctx, { order, limit: 20, agentId: flooder.agent.agentId as AgentId });
      expect(rows).toHaveLength(20);
      await agents.listOwned(ctx);
    });
    expect(bytesOf(statements)).toBeLessThan(200_000);
  });
});
