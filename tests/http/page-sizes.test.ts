import { beforeAll, expect, test } from "vitest";
import { DASHBOARD, KB_MAX, loaded, REQUESTS_MAX } from "@/dev/bench/page-scripts";
import { newOwner, type TestOwner } from "../support/actors";
import { newLink, openShop } from "../support/attack";
import { BASE_URL } from "../support/base-url";
import { call } from "../support/http";

const shop = openShop();

/** React and Next alone are 137 KB of it. Its goal, 130 KB, is in docs/performance.md. */
const CHECKOUT_KB_MAX = 155;

let owner: TestOwner;
beforeAll(async () => {
  owner = await newOwner();
});

async function sizeOf(path: string, session?: string) {
  const response = await call("GET", path, { headers: { accept: "text/html" }, ...(session && { session }) });
  expect(response.status).toBe(200);
  return loaded(response.text, BASE_URL);
}

test.each([
  { path: "/", max: KB_MAX.home },
  { path: "/docs", max: KB_MAX.other },
  { path: "/firewall", max: KB_MAX.firewall },
  { path: "/identity", max: KB_MAX.firewall },
])("$path loads at most $max KB of scripts before any interaction", async ({ path, max }) => {
  expect((await sizeOf(path)).kilobytes).toBeLessThanOrEqual(max);
});

test("the checkout page loads no more than its recorded size", async () => {
  const { linkId } = await newLink(shop);
  const { kilobytes, requests } = await sizeOf(`/pay/${linkId}`);
  expect(kilobytes).toBeGreaterThan(0);
  expect(kilobytes).toBeLessThanOrEqual(CHECKOUT_KB_MAX);
  expect(requests).toBeLessThanOrEqual(REQUESTS_MAX);
});

test.each(DASHBOARD)(`%s loads at most ${KB_MAX.other} KB of scripts and ${REQUESTS_MAX} files`, async (path) => {
  const { kilobytes, requests } = await sizeOf(path, owner.session);
  expect(kilobytes).toBeGreaterThan(0);
  expect(kilobytes).toBeLessThanOrEqual(KB_MAX.other);
  expect(requests).toBeLessThanOrEqual(REQUESTS_MAX);
});
