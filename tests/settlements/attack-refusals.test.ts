import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { body, brief, buyer, buyers, type Link, newLink, openShop, PRICE, pay, raceForLock } from "../support/attack";
import { type Answer, call } from "../support/http";
import { PATIENCE } from "../support/patience";
import { claimFrom } from "../support/system";

// Refusals in the transaction of a claim come from a subscriber, which the build may have bundled from another copy of the
// modules than the route.

const shop = openShop();

const counts = (responses: readonly Answer[]) => {
  const found: Record<string, number> = {};
  for (const message of responses.map(brief)) found[message] = (found[message] ?? 0) + 1;
  return found;
};

/** Claims at one moment share a transaction: how many of them wait for its lock is not to be seen. */
const ARRIVAL_MS = 1_500 * PATIENCE;

/** `count` buyers pay a link at once; `change` runs while all their claims wait for the link's lock. */
async function meet(link: Link, count: number, change?: Parameters<typeof raceForLock>[4]): Promise<Answer[]> {
  const people = await buyers(shop, count);
  return raceForLock(
    shop,
    1,
    (tx) => tx`select pg_advisory_xact_lock(hashtextextended(${`payment_links.${link.linkId}`}, 0))`,
    () => Promise.all(people.map((person) => pay(link, claimFrom(person, link.payTo, PRICE)))),
    async (tx) => {
      await sleep(ARRIVAL_MS);
      await change?.(tx);
    },
  );
}

test("eight buyers race for the last use of a link: one gets it, and seven get LINK_SOLD_OUT", async () => {
  const responses = await meet(await newLink(shop, { maxUses: 1 }), 8);
  expect(counts(responses)).toEqual({ "200": 1, "410 LINK_SOLD_OUT still valid": 7 });
});

test("when a link is disabled while four buyers pay, each of them gets LINK_DISABLED", async () => {
  const link = await newLink(shop);
  const responses = await meet(
    link,
    4,
    (tx) => tx`update payment_links set status = 'disabled' where link_id = ${link.linkId}`,
  );
  expect(counts(responses)).toEqual({ "410 LINK_DISABLED still valid": 4 });
});

test("when a link is deleted while four buyers pay, each of them gets LINK_NOT_FOUND", async () => {
  const link = await newLink(shop);
  const responses = await meet(
    link,
    4,
    (tx) => tx`update payment_links set deleted_at = now() where link_id = ${link.linkId}`,
  );
  expect(counts(responses)).toEqual({ "404 LINK_NOT_FOUND still valid": 4 });
});

test("a double click on a refund's approval approves it once, and the second response says so", async () => {
  const link = await newLink(shop);
  expect(brief(await pay(link, claimFrom(await buyer(shop), link.payTo, PRICE)))).toBe("200");
  const { jwt: bearer } = shop.seller.agent;
  const [{ id: paymentId }] = body(
    await call("GET", `/api/payment-links/${link.linkId}/payments`, { bearer }),
  ).payments;
  const requested = await call("POST", "/api/payment-links/refunds/initiate", { bearer, json: { paymentId } });
  const { refundId } = body(requested);
  const approve = () =>
    call("POST", `/api/refunds/${refundId}/approve`, { session: shop.seller.owner.session, json: {} });
  const responses = await raceForLock(
    shop,
    2,
    (tx) => tx`lock table settlements in share row exclusive mode`,
    () => Promise.all([approve(), approve()]),
  );
  expect(counts(responses)).toEqual({ "200": 1, "409 refund_approved": 1 });
});
