import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { registerAgent } from "@/dev/actors/agents";
import { openApi } from "@/dev/actors/api";
import { signInOwner } from "@/dev/actors/owners";
import { accounts } from "../support/accounts";
import type { Json } from "../support/mandates";
import { inTestStack } from "../support/own-stack";
import { claimFrom, paying } from "../support/system";

/** Behaviour that depends on Next's server in front of the routes. */
const START_MS = 600_000;

type Agent = { jwt: string };

const jsonHeaders = { "content-type": "application/json" };

const register = (baseUrl: string, headers: Record<string, string> = {}) =>
  fetch(`${baseUrl}/register`, {
    method: "POST",
    headers: { ...jsonHeaders, ...headers },
    body: JSON.stringify({ agent_name: "caller", client_info: "" }),
  });

const settings = (trustedProxies: number) => ({
  TRUSTED_PROXIES: String(trustedProxies),
  RATE_LIMITS: "register_per_address=3/1h",
});

describe("the client address of a request", () => {
  test(
    "is the connection's when no proxy is trusted, whatever the headers say",
    async () => {
      await inTestStack("callers", settings(0), async ({ baseUrl }) => {
        const forgedHeaders = (index: number) => ({
          "x-forwarded-for": `203.0.113.${index}`,
          "x-tessera-caller": `198.51.100.${index}`,
          "x-real-ip": `192.0.2.${index}`,
          forwarded: `for=192.0.2.${index}`,
        });
        const statuses: number[] = [];
        for (let index = 1; index <= 5; index++) statuses.push((await register(baseUrl, forgedHeaders(index))).status);
        expect(statuses).toEqual([200, 200, 200, 429, 429]);

        const limited = await register(baseUrl);
        expect(await limited.json()).toEqual({ error: "rate_limited" });
        expect(limited.headers.get("retry-after")).toMatch(/^[1-9]\d{0,3}$/);
      });
    },
    START_MS,
  );

  test(
    "is the one that the trusted proxy reports",
    async () => {
      await inTestStack("proxied", settings(1), async ({ baseUrl }) => {
        const statusFrom = async (address: string, index = 0) => {
          const headers = { "x-forwarded-for": `192.0.2.${index}, ${address}`, "x-tessera-caller": `192.0.2.${index}` };
          return (await register(baseUrl, headers)).status;
        };
        const statuses: number[] = [];
        for (let index = 1; index <= 4; index++) statuses.push(await statusFrom("203.0.113.7", index));
        expect(statuses).toEqual([200, 200, 200, 429]);
        expect(await statusFrom("203.0.113.8")).toBe(200);
        expect(await statusFrom("::ffff:203.0.113.7")).toBe(429);
        for (let index = 1; index <= 3; index++) expect(await statusFrom(`2001:db8::${index}`)).toBe(200);
        expect(await statusFrom("2001:db8::4")).toBe(429);
        expect(await statusFrom("2001:db8:0:1::4")).toBe(200);

        await answersInItsOwnWords(baseUrl);
      });
    },
    START_MS,
  );
});

test(
  "a payment link has one URL, which serves x402 to programs, a page to browsers, and its content to its buyer in both",
  async () => {
    await inTestStack("links", {}, async ({ baseUrl }) => {
      const api = openApi(baseUrl);
      const seller = await registerAgent(api, "Seller");
      const owner = await signInOwner(api, "Owner", privateKeyToAccount(generatePrivateKey()));
      const terms = { naturalLanguage: "To be linked", limitAmount: "1", validForSeconds: 3600 };
      await owner.claim((await seller.tessera.mandates.create(terms)).authorizationUrl);
      const content = "<script>alert('bought')</script>";
      const json = { amount: "10000", resourceContent: content };
      const created = await seller.call("POST", "/api/payment-links", json);
      const { url, payTo } = (created.body as Json).paymentLink;

      for (const accept of ["*/*", "application/json", "application/json, text/plain, */*"]) {
        const res = await fetch(url, { headers: { accept } });
        const { accepts } = (await res.json()) as Json;
        expect([res.status, accepts[0].resource, accepts[0].payTo]).toEqual([402, url, payTo]);
        expect(res.headers.get("payment-required")).not.toBeNull();
      }
      const preflight = await fetch(url, { method: "OPTIONS", headers: { origin: "https://shop.example" } });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
      const asPage = async (address: string) => {
        const res = await fetch(address, { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
        expect([res.status, res.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
        return res.text();
      };
      expect(await asPage(url)).not.toContain("alert(");

      const [buyer] = accounts;
      if (!buyer) throw new Error("no account");
      await api.call("Faucet", "POST", "/api/devnet/faucet", { json: { address: buyer.address } });
      // A request with a proof is for the payment route, whatever its `Accept` header says.
      const headers = { ...paying(claimFrom(buyer, payTo, 10_000n)), accept: "text/html, */*" };
      const paidResponse = await fetch(url, { headers });
      const response = (await paidResponse.json()) as Json;
      expect([paidResponse.status, response.resource]).toEqual([200, content]);

      const asJson = async (address: string): Promise<Json> => (await fetch(address)).json();
      expect(await asJson(response.contentUrl)).toMatchObject({ settlementStatus: "settled", content });
      expect(await asJson(response.receiptUrl)).not.toHaveProperty("content");
      const bought = await asPage(response.contentUrl);
      expect(bought).toContain("&lt;script&gt;alert(");
      expect(bought).not.toContain("<script>alert(");
      expect(await asPage(response.receiptUrl)).not.toContain("alert(");
    });
  },
  START_MS,
);

/** The longest credential fits into a header, so that it is refused as invalid. Each path answers only its methods. */
async function answersInItsOwnWords(baseUrl: string): Promise<void> {
  const { jwt } = (await (await register(baseUrl, { "x-forwarded-for": "203.0.113.99" })).json()) as Agent;
  const issue = (body: object, bearer: string) =>
    fetch(`${baseUrl}/agent/vc/issue`, {
      method: "POST",
      headers: { ...jsonHeaders, authorization: `Bearer ${bearer}` },
      body: JSON.stringify(body),
    });
  // The maximal length of a credential: each byte is written as an escape.
  const [challenge, audience] = ["\u0001".repeat(4_096), "\u0001".repeat(2_048)];
  const issued = await issue({ challenge, audience, ttl_seconds: 60 }, jwt);
  const { vc } = (await issued.json()) as { vc: string };
  expect(vc.length).toBeGreaterThan(45_000);
  const response = await issue({}, vc);
  expect([response.status, await response.json()]).toEqual([401, { error: "wrong_token_type" }]);
  const verified = await fetch(`${baseUrl}/verify-vc`, {
    method: "POST",
    headers: jsonHeaders,
    body: JSON.stringify({ vc, expected_audience: audience }),
  });
  expect([verified.status, await verified.json()]).toMatchObject([200, { valid: true }]);

  for (const [path, code] of [
    ["/api", "endpoint_not_found"],
    ["/api/nothing/here", "endpoint_not_found"],
    ["/api/payment-links/lnk_1/nothing/here", "ENDPOINT_NOT_FOUND"],
  ] as const) {
    const nowhere = await fetch(`${baseUrl}${path}`, { headers: { accept: "text/html" } });
    expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { status: "error", code }]);
  }
  for (const path of ["/agent/vc/issue", "/verify-vc", "/register", "/refresh"]) {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      expect([method, path, (await fetch(`${baseUrl}${path}`, { method })).status]).toEqual([method, path, 405]);
    }
  }
}
