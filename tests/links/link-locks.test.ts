import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import type { LinkId } from "@/lib/core/ids";
import * as links from "@/lib/links/store";
import type { Tx } from "@/lib/platform/db";
import { type Answer, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";
import { claimFrom, paying } from "../support/system";
import { eventually } from "../support/vault-mandates";

/** Payments of one link that another payment of it, which is under way, must not hold up, or must. */
const AMOUNT = 1_000n;

const service = shareService();
let seller: Parties;
let linkId: LinkId;
let payTo: Address;

beforeAll(async () => {
  seller = await linkedPair();
});

const body = ({ body: content }: Answer) => content as Json;
const asSeller = (method: string, path: string, json: object) => call(method, path, { bearer: seller.agent.jwt, json });

async function sells(fields: object): Promise<void> {
  ({ linkId, payTo } = body(
    await asSeller("POST", "/api/payment-links", { amount: `${AMOUNT}`, ...fields }),
  ).paymentLink);
}
beforeEach(() => sells({ resourceContent: "sold" }));

const pay = () => call("GET", `/paymentlink/${linkId}`, { headers: paying(claimFrom(service.payer(), payTo, AMOUNT)) });
const disable = () => asSeller("PATCH", `/api/payment-links/${linkId}`, { status: "disabled" });
/** Runs `during` while a payment of the link is being written, by the database process `holder`. */
const whilePaid = (during: (holder: number) => Promise<void>) =>
  service.opened.system.db.transaction(async (tx: Tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    expect(await links.lockForPayment(tx, linkId)).toMatchObject({ linkId });
    await during(rows[0]?.pid ?? 0);
  });
/** Resolves once so many transactions wait for that payment, or for what waits for it. */
const waiting = (holder: number, count: number) =>
  eventually(async () => {
    const [row] = await service.opened.sql`
      with waiters as (select pid, pg_blocking_pids(pid) as by from pg_stat_activity where wait_event_type = 'Lock')
      select count(*)::int as n from waiters w
      where ${holder} = any(w.by) or exists (select from waiters v where v.pid = any(w.by) and ${holder} = any(v.by))`;
    return row?.n >= count ? row?.n : null;
  }, `${count} waiting`);

test("a payment of a link for any number does not wait for another payment of it", async () => {
  await whilePaid(async () => expect((await pay()).status).toBe(200));
});

test("a payment that comes while the link is being closed waits, and pays nothing", async () => {
  const requests: Promise<Answer>[] = [];
  await whilePaid(async (holder) => {
    requests.push(disable());
    await waiting(holder, 1);
    requests.push(pay());
    await waiting(holder, 2);
  });
  const [closed, late] = await Promise.all(requests);
  expect(closed?.status).toBe(200);
  expect([late?.status, late?.body]).toMatchObject([410, { code: "LINK_DISABLED" }]);
});

test("payments of a link with a number of uses are written one after the other", async () => {
  await sells({ resourceContent: "sold", maxUses: 1 });
  const requests: Promise<Answer>[] = [];
  await whilePaid(async (holder) => {
    requests.push(pay());
    await waiting(holder, 1);
  });
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200]);
  expect(await pay()).toMatchObject({ status: 410 });
});
