import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recheckDomains } from "@/lib/sellers/service";
import { newOwner } from "../support/actors";
import { call } from "../support/http";
import { type Json, linkedPair, type Parties } from "../support/mandates";
import { shareService } from "../support/service";

const DAY_MS = 86_400_000;

const service = shareService();

let site: Server;
let file: { status: number; body: string };
let host: string;
let seller: Parties;

beforeAll(async () => {
  site = createServer((req, res) => {
    const isFile = req.url === "/.well-known/tessera-verification.txt";
    res.writeHead(isFile ? file.status : 404).end(isFile ? file.body : "");
  });
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  const address = site.address();
  host = `localhost:${typeof address === "object" ? address?.port : ""}`;
});

afterAll(async () => {
  await new Promise((closed) => site?.close(closed));
});

beforeEach(async () => {
  seller = await linkedPair();
  file = { status: 404, body: "" };
});

const session = () => ({ session: seller.owner.session });
const add = async (domain: unknown = host) => call("POST", "/api/seller/domains", { ...session(), json: { domain } });
const added = async (): Promise<Json> => ((await add()).body as Json).domain;
const verify = ({ domainId }: Json) => call("POST", `/api/seller/domains/${domainId}/verify`, session());
const list = async (): Promise<Json[]> => ((await call("GET", "/api/seller/domains", session())).body as Json).domains;
const createLink = (json: object) =>
  call("POST", "/api/payment-links", { bearer: seller.agent.jwt, json: { amount: "1", ...json } });
async function verified(): Promise<Json> {
  const domain = await added();
  file = { status: 200, body: `hello\n${domain.proof}\n` };
  expect(await verify(domain)).toMatchObject({ status: 200, body: { domain: { isVerified: true } } });
  return domain;
}

describe("a seller's domain", () => {
  test("is added once, with one proof to publish", async () => {
    const domain = await added();
    expect(domain).toMatchObject({ origin: `http://${host}`, isVerified: false, checkedAt: null });
    expect(domain.proof).toMatch(/^tessera-verification=[0-9A-Za-z]{24}$/);
    expect(domain.fileUrl).toBe(`http://${host}/.well-known/tessera-verification.txt`);
    expect(await added()).toEqual(domain);
    expect(await list()).toEqual([domain]);
  });

  test("without a TXT record is verified only by a file of at most 4 KB with status 200 and the proof on a separate line", async () => {
    const domain = await added();
    for (const response of [
      { status: 404, body: domain.proof },
      { status: 302, body: domain.proof },
      { status: 200, body: "tessera-verification=000000000000000000000000" },
      { status: 200, body: `<html>${domain.proof}</html>` },
      { status: 200, body: `${"x".repeat(5_000)}\n${domain.proof}` },
    ]) {
      file = response;
      expect(await verify(domain)).toMatchObject({
        status: 409,
        body: { code: "domain_not_proved", reason: expect.any(String) },
      });
    }
    expect(await list()).toMatchObject([{ isVerified: false, checkedAt: expect.any(String) }]);
    file = { status: 200, body: domain.proof };
    expect(await verify(domain)).toMatchObject({ status: 200, body: { domain: { isVerified: true } } });
  });

  test("belongs to its owner, and another owner needs a separate proof", async () => {
    const domain = await verified();
    const stranger = await newOwner();
    const path = `/api/seller/domains/${domain.domainId}`;
    for (const [method, at] of [["POST", `${path}/verify`] as const, ["DELETE", path] as const])
      expect(await call(method, at, { session: stranger.session })).toMatchObject({
        status: 404,
        body: { code: "domain_not_found" },
      });
    const theirs = await call("POST", "/api/seller/domains", { session: stranger.session, json: { domain: host } });
    const { domainId, proof } = (theirs.body as Json).domain;
    expect(proof).not.toBe(domain.proof);
    expect(await call("POST", `/api/seller/domains/${domainId}/verify`, { session: stranger.session })).toMatchObject({
      status: 409,
    });
  });

  test("is one of at most ten per owner", async () => {
    for (let index = 0; index < 10; index++) expect((await add(`shop-${index}.example.com`)).status).toBe(200);
    expect(await add("shop-10.example.com")).toMatchObject({ status: 409, body: { code: "too_many_domains" } });
    expect((await add("shop-3.example.com")).status).toBe(200);
  });

  test.each(["", "127.0.0.1", "localhost", "shop", "http://shop.example.com", "shop.example.com/x"])(
    "is refused with the value %j",
    async (domain) => expect(await add(domain)).toMatchObject({ status: 400, body: { code: "domain_invalid" } }),
  );
});

describe("a verified domain", () => {
  test("is allowed in a link's redirect URLs until it is removed", async () => {
    const target = `http://${host}/thanks?a=1`;
    const refusal = { status: 400, body: { code: "REDIRECT_ORIGIN_NOT_ALLOWED" } };
    await added();
    expect(await createLink({ redirectUrl: target })).toMatchObject(refusal);
    const domain = await verified();
    expect(await createLink({ redirectUrl: `http://${host}.evil.example/` })).toMatchObject(refusal);
    const createdResponse = await createLink({ redirectUrl: target, cancelUrl: `http://${host}/cart` });
    expect(createdResponse).toMatchObject({
      status: 200,
      body: { paymentLink: { redirectUrl: target, cancelUrl: `http://${host}/cart` } },
    });
    const otherParties = await linkedPair();
    const elsewhere = await call("POST", "/api/payment-links", {
      bearer: otherParties.agent.jwt,
      json: { amount: "1", redirectUrl: target },
    });
    expect(elsewhere).toMatchObject(refusal);

    expect((await call("DELETE", `/api/seller/domains/${domain.domainId}`, session())).status).toBe(200);
    expect(await list()).toEqual([]);
    expect(await createLink({ redirectUrl: target })).toMatchObject(refusal);
  });

  test("stays verified for a week after its proof is gone, and not longer", async () => {
    await verified();
    file = { status: 404, body: "" };
    const start = Date.now();
    const on = async (day: number) => {
      const then = { ...service.opened.system, now: () => new Date(start + day * DAY_MS) };
      while (await recheckDomains(then));
      return (await list())[0];
    };
    expect(await on(0.5)).toMatchObject({ isVerified: true, missingSince: null });
    expect(await on(1.1)).toMatchObject({ isVerified: true, missingSince: expect.any(String) });
    expect(await on(7)).toMatchObject({ isVerified: true });
    expect(await on(8.2)).toMatchObject({ isVerified: false, missingSince: null });
    expect(await createLink({ redirectUrl: `http://${host}/` })).toMatchObject({ status: 400 });
    const rows = await service.opened.sql`select e.type from events e join owners o on o.id = e.owner_id
      where o.address = ${seller.owner.address} and e.type like 'owner.domain%' order by e.created_at desc limit 1`;
    expect(rows).toMatchObject([{ type: "owner.domain_lost" }]);
  });
});
