import { beforeAll, expect, test } from "vitest";
import { DASHBOARD, KB_MAX, loaded, REQUESTS_MAX } from "@/dev/bench/page-files";
import { newOwner } from "../support/actors";
import { BASE_URL } from "../support/base-url";
import { call } from "../support/http";
import { linkedPair } from "../support/mandates";
import { body } from "../support/payouts";
import { runService } from "../support/service";

runService();

let session: string;
let checkout: string;
beforeAll(async () => {
  ({ session } = await newOwner());
  const { agent } = await linkedPair();
  const made = await call("POST", "/api/payment-links", { bearer: agent.jwt, json: { amount: "10000" } });
  checkout = `/pay/${body(made).paymentLink.linkId}`;
});

test.each<[string, () => string, number]>([
  ["the home page", () => "/", KB_MAX.home],
  ["the checkout", () => checkout, KB_MAX.checkout],
  ["/docs", () => "/docs", KB_MAX.other],
  ...DASHBOARD.map((path): [string, () => string, number] => [path, () => path, KB_MAX.other]),
])("%s loads no more than a page may", async (_, pathOf, kilobytesMax) => {
  const path = pathOf();
  const headers = { accept: "text/html" };
  const page = await call("GET", path, { headers, ...(path.startsWith("/dashboard") && { session }) });
  expect(page.status).toBe(200);
  const { kilobytes, requests } = await loaded(page.text, BASE_URL);
  expect(kilobytes).toBeGreaterThan(1);
  expect(kilobytes).toBeLessThanOrEqual(kilobytesMax);
  expect(requests).toBeLessThanOrEqual(REQUESTS_MAX);
});
