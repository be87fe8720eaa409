// Must come first: other modules of Next read the global AsyncLocalStorage when they are loaded.
import "next/dist/server/node-environment-baseline.js";

import { createServer, type Server } from "node:http";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { allowFrames } from "@/lib/http/frames";
import { frameOriginsNow } from "@/lib/links/frames";
import { proxy } from "@/proxy";
import { BASE_URL, call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";

const service = shareService();

let site: Server;
let proof: string;
let host: string;
let seller: Parties;
let linkId: string;

beforeAll(async () => {
  // The same call as in instrumentation.ts.
  allowFrames((id) => frameOriginsNow(service.opened.system, id));
  site = createServer((_, res) => res.end(proof));
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  const address = site.address();
  host = `localhost:${typeof address === "object" ? address?.port : ""}`;
});

afterAll(async () => {
  allowFrames(async () => []);
  await new Promise((closed) => site?.close(closed));
});

beforeEach(async () => {
  proof = "";
  seller = await linkedPair();
  linkId = await linkOf(seller);
});

async function linkOf({ agent }: Parties): Promise<string> {
  const { body } = await call("POST", "/api/payment-links", { bearer: agent.jwt, json: { amount: "1" } });
  return (body as Json).paymentLink.linkId;
}

/** The domain of `site`, verified by `owner`. */
async function verified({ owner }: Parties): Promise<Json> {
  const { session } = owner;
  const { body } = await call("POST", "/api/seller/domains", { session, json: { domain: host } });
  const { domain } = body as Json;
  ({ proof } = domain);
  const response = await call("POST", `/api/seller/domains/${domain.domainId}/verify`, { session });
  expect(response).toMatchObject({ status: 200, body: { domain: { isVerified: true } } });
  return domain;
}

const request = (path: string, headers: Record<string, string> = {}) =>
  proxy(new NextRequest(`${BASE_URL}${path}`, { headers }));

async function ancestors(path: string): Promise<string | undefined> {
  const policy = (await request(path)).headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'nonce-[^']+' 'strict-dynamic'; /);
  return /frame-ancestors ([^;]*)$/.exec(policy)?.[1];
}

describe("a checkout in another site's frame", () => {
  test("is allowed for the domains that the link's owner has verified", async () => {
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe("'none'");
    const domain = await verified(seller);
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe(`http://${host}`);
    expect(await ancestors(`/embed/pay/${linkId}?quantity=2`)).toBe(`http://${host}`);
    await call("DELETE", `/api/seller/domains/${domain.domainId}`, { session: seller.owner.session });
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe("'none'");
  });

  test("is refused for a domain that was only added, or whose proof is gone", async () => {
    await call("POST", "/api/seller/domains", { session: seller.owner.session, json: { domain: host } });
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe("'none'");
    await verified(seller);
    await service.opened.sql`update seller_domains set verified_at = null where owner_id =
      (select id from owners where address = ${seller.owner.address})`;
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe("'none'");
  });

  test("is refused for domains of other owners", async () => {
    const stranger = await linkedPair();
    await verified(stranger);
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe("'none'");
    expect(await ancestors(`/embed/pay/${await linkOf(stranger)}`)).toBe(`http://${host}`);
  });

  test("is refused once the link is deleted or its agent has left the owner", async () => {
    await verified(seller);
    const second = await linkOf(seller);
    await call("DELETE", `/api/payment-links/${linkId}`, { bearer: seller.agent.jwt });
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe("'none'");
    expect(await ancestors(`/embed/pay/${second}`)).toBe(`http://${host}`);
    await service.opened.sql`update agents set owner_id = null, linked_at = null where id = ${seller.agent.agentId}`;
    expect(await ancestors(`/embed/pay/${second}`)).toBe("'none'");
  });

  test("is refused while the database does not respond", async () => {
    await verified(seller);
    allowFrames((id) => frameOriginsNow({ ...service.opened.system, db: null as never }, id));
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe("'none'");
    allowFrames((id) => frameOriginsNow(service.opened.system, id));
    expect(await ancestors(`/embed/pay/${linkId}`)).toBe(`http://${host}`);
  });

  test("does not allow any other page to be framed", async () => {
    await verified(seller);
    for (const path of ["/", `/pay/${linkId}`, `/pay/${linkId}?embed=1`, "/dashboard", `/dashboard/links/${linkId}`]) {
      expect([path, await ancestors(path)]).toEqual([path, "'none'"]);
    }
    for (const path of [
      "/sign-in",
      "/receipt/stl_1",
      "/embed",
      `/embed/pay/${linkId}/x`,
      "/embed/pay/lnk_unknown00000000000",
    ]) {
      expect([path, await ancestors(path)]).toEqual([path, "'none'"]);
    }
  });

  test("never gets the session cookie, and other pages still do", async () => {
    const cookie = "next-auth.session-token=secret";
    const passedOn = async (path: string) =>
      (await request(path, { cookie, "x-other": "1" })).headers.get("x-middleware-override-headers")?.split(",");
    expect(await passedOn(`/embed/pay/${linkId}`)).not.toContain("cookie");
    expect(await passedOn(`/embed/pay/${linkId}`)).toContain("x-other");
    expect(await passedOn("/dashboard")).toContain("cookie");
    expect(await passedOn(`/pay/${linkId}`)).toContain("cookie");
  });
});

describe("GET /embed/{file}", () => {
  test("serves the button's script to any site, and no other file", async () => {
    const script = await call("GET", "/embed/button-1.js");
    expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    expect(script.headers.get("access-control-allow-origin")).toBe("*");
    expect(script.headers.get("cache-control")).toContain("immutable");
    const newest = await call("GET", "/embed/button.js");
    expect([newest.text, newest.headers.get("cache-control")]).toEqual([script.text, "public, max-age=300"]);
    for (const file of ["button-0.js", "button-2.js", "pay", "script.ts"]) {
      expect((await call("GET", `/embed/${file}`)).status).toBe(404);
    }
  });
});
