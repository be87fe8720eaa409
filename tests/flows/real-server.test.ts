import { describe, expect, test } from "vitest";
import { inOwnWorld } from "@/lib/dev/own-world";

/** What the service is only with Next's own server in front of its routes. */
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

describe("whom a request is counted for", () => {
  test(
    "is the connection when no proxy is trusted, whatever the client says of itself",
    async () => {
      await inOwnWorld("callers", { log: () => {}, settings: settings(0) }, async ({ baseUrl }) => {
        const claimed = (at: number) => ({
          "x-forwarded-for": `203.0.113.${at}`,
          "x-tessera-caller": `198.51.100.${at}`,
          "x-real-ip": `192.0.2.${at}`,
          forwarded: `for=192.0.2.${at}`,
        });
        const statuses: number[] = [];
        for (let at = 1; at <= 5; at++) statuses.push((await register(baseUrl, claimed(at))).status);
        expect(statuses).toEqual([200, 200, 200, 429, 429]);

        const limited = await register(baseUrl);
        expect(await limited.json()).toEqual({ error: "rate_limited" });
        expect(limited.headers.get("retry-after")).toMatch(/^[1-9]\d{0,3}$/);
      });
    },
    START_MS,
  );

  test(
    "is the one that the trusted proxy was called from",
    async () => {
      await inOwnWorld("proxied", { log: () => {}, settings: settings(1) }, async ({ baseUrl }) => {
        const statusFrom = async (address: string, at = 0) => {
          const headers = { "x-forwarded-for": `192.0.2.${at}, ${address}`, "x-tessera-caller": `192.0.2.${at}` };
          return (await register(baseUrl, headers)).status;
        };
        const statuses: number[] = [];
        for (let at = 1; at <= 4; at++) statuses.push(await statusFrom("203.0.113.7", at));
        expect(statuses).toEqual([200, 200, 200, 429]);
        expect(await statusFrom("203.0.113.8")).toBe(200);
        expect(await statusFrom("::ffff:203.0.113.7")).toBe(429);
        for (let at = 1; at <= 3; at++) expect(await statusFrom(`2001:db8::${at}`)).toBe(200);
        expect(await statusFrom("2001:db8::4")).toBe(429);
        expect(await statusFrom("2001:db8:0:1::4")).toBe(200);

        await answersInItsOwnWords(baseUrl);
      });
    },
    START_MS,
  );
});

/** The longest credential fits a header, so that it is refused for what it is; and each path has its methods alone. */
async function answersInItsOwnWords(baseUrl: string): Promise<void> {
  const { jwt } = (await (await register(baseUrl, { "x-forwarded-for": "203.0.113.99" })).json()) as Agent;
  const issue = (body: object, bearer: string) =>
    fetch(`${baseUrl}/agent/vc/issue`, {
      method: "POST",
      headers: { ...jsonHeaders, authorization: `Bearer ${bearer}` },
      body: JSON.stringify(body),
    });
  const issued = await issue({ challenge: "c", audience: "a".repeat(65_000), ttl_seconds: 60 }, jwt);
  const { vc } = (await issued.json()) as { vc: string };
  expect(vc.length).toBeGreaterThan(86_000);
  const answer = await issue({}, vc);
  expect([answer.status, await answer.json()]).toEqual([401, { error: "wrong_token_type" }]);
  const verified = await fetch(`${baseUrl}/verify-vc`, {
    method: "POST",
    headers: jsonHeaders,
    body: JSON.stringify({ vc, expected_audience: "a".repeat(65_000) }),
  });
  expect([verified.status, await verified.json()]).toMatchObject([200, { valid: true }]);

  for (const path of ["/agent/vc/issue", "/verify-vc", "/register", "/refresh"]) {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      expect([method, path, (await fetch(`${baseUrl}${path}`, { method })).status]).toEqual([method, path, 405]);
    }
  }
}
