import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LOOSE_LIMITS } from "@/dev/limits";
import { newAgent } from "../support/actors";
import { BASE_URL } from "../support/http";
import { freshAddress, type Json, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { connectV1, type McpClient, requiredV1 } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { type Got, type Receiver, startReceiver } from "../support/receiver";
import { runService } from "../support/service";

/** What strangers can make the service request. */
const service = runService();
let shop: Receiver;
let buyer: Parties;
let client: McpClient;
let payTo: string;
let n = 0;

beforeAll(async () => {
  shop = await startReceiver();
  buyer = await linkedPair();
  await service.world.mint(await walletOf(buyer.owner), 100_000_000n);
  await signedMandate({ limitAmount: "50000000" }, buyer);
  client = await connectV1(buyer.agent.token);
});
beforeEach(() => {
  payTo = freshAddress();
  shop.got.length = 0;
});
afterAll(async () => {
  await client?.close();
  await shop?.close();
});

const order = (change: object = {}) => ({
  url: shop.url,
  maxAmount: "10000",
  idempotencyKey: `key-${++n}`,
  ...change,
});
const pay = async (change: object = {}): Promise<Json> => (await client.call("pay_url", order(change))).value;
const proofIn = ({ headers }: Got) => headers["x-payment"];
const price = (amount = "10000") => requiredV1(shop.url, payTo, amount);

describe("before an owner has signed a mandate for the agent", () => {
  test.each<[string, () => Promise<string>]>([
    ["without an owner", async () => (await newAgent()).token],
    ["that is linked only", async () => (await linkedPair()).agent.token],
  ])(
    "an agent %s causes no outbound request, stores nothing, and gets the next step in the error",
    async (_, tokenOf) => {
      const stranger = await connectV1(await tokenOf());
      const calls: [string, object][] = [
        ["pay_url", order()],
        [
          "pay_url",
          order({ method: "DELETE", body: "x", headers: { authorization: "x", origin: "https://a.example" } }),
        ],
        ["check_price", { url: shop.url }],
      ];
      for (const [name, args] of calls) {
        const { isError, value } = await stranger.call(name, args);
        expect({ isError, ...value.error }).toMatchObject({
          isError: true,
          code: "owner_signature_required",
          retry: "ask_user",
          nextStep: expect.stringContaining("create_intent_mandate"),
        });
      }
      expect(shop.got).toEqual([]);
      const [row] = await service.opened.sql`select count(*)::int as n from purchases p
      where not exists (select 1 from agents a where a.id = p.agent_id and a.bound_at is not null)`;
      expect(row?.n).toBe(0);
      await stranger.close();
    },
  );
});

describe("before the URL has responded with a 402", () => {
  const secrets = {
    authorization: "Bearer secret",
    origin: "https://bank.example",
    "user-agent": "Mozilla/5.0",
    "x-api-key": "secret",
    referer: "https://bank.example",
    "content-type": "text/xml",
  };

  test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])(
    "a %s sends no header or body of the caller, and the result says so",
    async (method) => {
      shop.answer((_, res) => void res.writeHead(200).end("open"));
      const view = await pay({ method, body: "<secret/>", headers: secrets });
      expect(view).toMatchObject({
        outcome: "not_required",
        answer: { body: "open" },
        message: expect.stringContaining("headers and body were not sent"),
      });
      expect(shop.got).toHaveLength(1);
      const [{ headers, ...got }] = shop.got as [Got];
      expect(got).toMatchObject({ method: method === "POST" ? "POST" : "GET", body: "" });
      expect(Object.keys(headers).sort()).toEqual(
        expect.arrayContaining(["accept", "connection", "host", "user-agent"]),
      );
      for (const name of ["authorization", "origin", "x-api-key", "referer", "content-type"])
        expect(headers[name]).toBeUndefined();
      expect(headers["user-agent"]).toBe(`Tessera (+${BASE_URL}/agent/${buyer.agent.agentId})`);
    },
  );

  test("a 402 without a price does not release them either", async () => {
    shop.answer((_, res) => void res.writeHead(402).end("{}"));
    expect((await pay({ method: "POST", body: "secret" })).error.code).toBe("no_payable_option");
    expect(shop.got.map(({ body }) => body)).toEqual([""]);
  });

  test("check_price sends only a GET or a POST", async () => {
    shop.answer((_, res) => void res.writeHead(402).end(price()));
    for (const method of ["GET", "POST"])
      expect((await client.call("check_price", { url: shop.url, method })).value.canBePaid).toBe(true);
    expect((await client.call("check_price", { url: shop.url, method: "DELETE" })).value.error.code).toBe(
      "invalid_request",
    );
    expect(shop.got.map(({ method, body }) => [method, body])).toEqual([
      ["GET", ""],
      ["POST", ""],
    ]);
  });
});

test("a body that decides the price is sent after a 402 to a request without it, and the 402 to the body is paid", async () => {
  shop.answer((request, res) => {
    if (proofIn(request)) return void res.writeHead(200).end(`sold ${request.body}`);
    res.writeHead(402).end(price(request.body === "large" ? "9000" : "100"));
  });
  const headers = { "x-order": "7", "content-type": "text/plain" };
  expect(await pay({ method: "PUT", body: "large", headers })).toMatchObject({
    outcome: "delivered",
    answer: { body: "sold large" },
    payment: { amount: "9000" },
  });
  expect(shop.got.map(({ method, body, headers }) => [method, body, headers["x-order"]])).toEqual([
    ["GET", "", undefined],
    ["PUT", "large", "7"],
    ["PUT", "large", "7"],
  ]);
});

test("a seller that needs no headers and no body gets exactly two requests", async () => {
  shop.answer((request, res) =>
    proofIn(request) ? void res.writeHead(200).end("goods") : void res.writeHead(402).end(price()),
  );
  expect(await pay()).toMatchObject({ outcome: "delivered" });
  expect(shop.got).toHaveLength(2);
});

test.each(["http://example.com:22/", "http://example.com:8080/", "https://example.com:6379/"])(
  "the port %s, which is not used by the web, is refused",
  async (url) => {
    expect((await pay({ url })).error.code).toBe("port_refused");
    expect((await client.call("check_price", { url })).value.error.code).toBe("port_refused");
    shop.answerStatus(302, { location: url });
    expect((await pay()).error.code).toBe("port_refused");
  },
);

describe("the service's own URLs", () => {
  test("are paid without a network request if they sell something, and count for the client's limits", async () => {
    const { agent } = await linkedPair();
    const url = `${BASE_URL}/unifypaymentlink/agentid/${agent.agentId}?amount=7000&asset=usdc`;
    expect((await client.call("check_price", { url })).value).toMatchObject({ status: 402, canBePaid: true });
    expect(await pay({ url })).toMatchObject({ outcome: "delivered", payment: { amount: "7000" } });
  });

  test.each([
    ["GET", "/readyz"],
    ["GET", "/api/siwe/nonce"],
    ["POST", "/mcp"],
    ["POST", "/register"],
    ["POST", "/unifypaymentlink/agentid/x"],
  ])("are refused if they sell nothing: %s %s, also after a redirect", async (method, path) => {
    const url = `${BASE_URL}${path}`;
    expect((await pay({ url, method })).error.code).toBe("address_refused");
    const byAddress = new URL(url);
    byAddress.hostname = "127.0.0.1";
    expect((await pay({ url: byAddress.href, method })).error.code).toBe("address_refused");
    shop.answerStatus(302, { location: url });
    if (method === "GET") expect((await pay()).error.code).toBe("address_refused");
  });
});

describe("new agents at one client address", () => {
  test("share one limit of outbound requests; older agents and those whose owner's money has moved do not count", async () => {
    shop.answer((_, res) => void res.writeHead(402).end(price()));
    const [first, second, third] = [await signedMandate(), await signedMandate(), await signedMandate()];
    await service.restart({ RATE_LIMITS: `${LOOSE_LIMITS.RATE_LIMITS},outbound_per_address=2/1h` });
    await service.opened.sql`truncate rate_limits`;
    const check = async ({ agent }: Pick<Parties, "agent">) => {
      const one = await connectV1(agent.token);
      const { value } = await one.call("check_price", { url: shop.url });
      await one.close();
      return value.status ?? value.error.code;
    };
    expect([await check(first), await check(second), await check(third)]).toEqual([402, 402, "rate_limited"]);
    await service.opened
      .sql`update agents set created_at = now() - interval '25 hours' where id = ${third.agent.agentId}`;
    await service.opened.sql`update mandates set spent_amount = 1000000 where id = ${second.mandateId}`;
    expect([await check(third), await check(second), await check(first)]).toEqual([402, 402, "rate_limited"]);
    await service.opened.sql`update mandates set spent_amount = 0 where id = ${second.mandateId}`;
    await service.restart(LOOSE_LIMITS);
  });
});
