import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Expires } from "mppx";
import { assets, charge } from "mppx/evm/server";
import { Mppx } from "mppx/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Address } from "@/lib/core/address";
import { encodeBase64Url } from "@/lib/x402/header";
import { NETWORKS } from "@/lib/x402/networks";
import { Tessera } from "../../packages/client/src/index.ts";
import { newOwner } from "../support/actors";
import { newKey, type SellerKey, settle } from "../support/facilitator";
import { BASE_URL, fetchPath } from "../support/http";
import { freshAddress, type Json, type Parties, signedMandate } from "../support/mandates";
import { connectV1, type McpClient } from "../support/mcp";
import { funded } from "../support/payouts";
import { until } from "../support/replica";
import { shareService } from "../support/service";

/** Sellers of the Machine Payments Protocol with its published server, unmodified, settled by the facilitator. */
const service = shareService();
const PRICE = 20_000n;
const { usdc, tokenName: name, tokenVersion: version, caip2, chainId } = NETWORKS.base;

let key: SellerKey;
let pair: Parties;
let mandateId: string;
let client: McpClient;
let tessera: Tessera;
let payTo: Address;
let server: Server;
let url: string;
/** The credentials that the seller got, and how it answers. */
let got: string[] = [];
let challenges: ((published: string) => string) | null = null;
let losesAnswers = 0;
let settled: string[] = [];

type Settled = Parameters<NonNullable<Parameters<typeof charge>[0]["settle"]>>[0];

/** Settles with this service's facilitator, as a seller of x402 would. */
async function settleHere({ payload: { signature, type: _, ...authorization } }: Settled) {
  const accepted = {
    scheme: "exact",
    network: caip2,
    amount: authorization.value,
    asset: usdc,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name, version },
  };
  const paymentPayload = { x402Version: 2, resource: { url }, accepted, payload: { signature, authorization } };
  const answer = await settle(key, { x402Version: 2, paymentPayload, paymentRequirements: accepted });
  const { success, transaction } = answer.body as Json;
  if (!success) throw new Error(JSON.stringify(answer.body));
  settled.push(transaction);
  return { reference: transaction };
}

async function respond(req: Request): Promise<Response> {
  const credential = req.headers.get("authorization");
  if (credential) got.push(credential);
  const mppx = Mppx.create({
    methods: [charge({ currency: assets.base.USDC, recipient: payTo, settle: settleHere })],
    realm: "weather.example",
    secretKey: "a secret of the seller that only it has",
  });
  const result = await mppx.charge({ amount: "0.02", description: "Weather in “Bern”", expires: Expires.minutes(5) })(
    req,
  );
  if (result.status === 402) return result.challenge as Response;
  return result.withReceipt(Response.json({ weather: "sunny" })) as Response;
}

beforeAll(async () => {
  key = await newKey((await newOwner()).session);
  const mandate = await signedMandate({ limitAmount: "5000000" });
  pair = mandate;
  mandateId = mandate.mandateId;
  await funded(service.world, pair.owner, 10_000_000n);
  client = await connectV1(pair.agent.token);
  const { agentId, token } = pair.agent;
  const fetchAny: typeof fetch = async (input, init) => {
    const req = new Request(input, init);
    if (!req.url.startsWith(`${BASE_URL}/`)) return fetch(req);
    const body = await req.text();
    return fetchPath(req.method, req.url.slice(BASE_URL.length), { headers: req.headers, ...(body && { body }) });
  };
  tessera = new Tessera({ baseUrl: BASE_URL, agentId, token, fetch: fetchAny });
  server = createServer(async (req, res) => {
    const answer = await respond(new Request(`${url}${req.url}`, { headers: req.headers as Record<string, string> }));
    const headers = new Headers(answer.headers);
    // Its server offers x402, too: this seller speaks MPP only.
    headers.delete("payment-required");
    const challenge = headers.get("www-authenticate");
    if (challenge && challenges) headers.set("www-authenticate", challenges(challenge));
    const body = await answer.text();
    if (answer.status === 200 && losesAnswers-- > 0) return void res.destroy();
    res.writeHead(answer.status, Object.fromEntries(headers)).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await client?.close();
  server?.closeAllConnections();
  server?.close();
});
beforeEach(() => {
  payTo = freshAddress();
  [got, settled, challenges, losesAnswers] = [[], [], null, 0];
});

let purchases = 0;
const order = (change: object = {}) => ({
  url: `${url}/weather`,
  maxAmount: `${PRICE}`,
  idempotencyKey: `mpp-${++purchases}`,
  ...change,
});
const pay = async (change: object = {}): Promise<Json> => (await client.call("pay_url", order(change))).value;
const spent = async () => (await client.call("get_mandate_status", { mandate_id: mandateId })).value.mandate;

describe("an unmodified mppx seller", () => {
  test("is paid by pay_url, which shows its price before", async () => {
    const price = (await client.call("check_price", { url: `${url}/weather` })).value;
    expect(price).toMatchObject({ status: 402, canBePaid: true });
    expect(price.options).toMatchObject([{ amount: `${PRICE}`, network: "base", payTo, protocol: "mpp" }]);
    expect(price.options[0].untrustedDescription).toBe("Weather in “Bern”");
    const paid = await pay();
    expect(paid).toMatchObject({
      outcome: "delivered",
      answer: { status: 200 },
      payment: { amount: `${PRICE}`, payTo },
    });
    expect(JSON.parse(paid.answer.body)).toEqual({ weather: "sunny" });
    expect(settled).toHaveLength(1);
    expect(await service.world.balanceOf(payTo)).toBe(PRICE);
  });

  test("is paid by the client package, also again with the same key", async () => {
    const options = { maxAmount: `${PRICE}`, mandateId, idempotencyKey: `mpp-${++purchases}` };
    const { response, receipt } = await tessera.pay(`${url}/weather`, {}, options);
    expect(await response.json()).toEqual({ weather: "sunny" });
    expect(receipt).toMatchObject({ amount: `${PRICE}`, proof: { header: "Authorization" } });
    const again = await tessera.pay(`${url}/weather`, {}, options);
    expect(await again.response.json()).toEqual({ weather: "sunny" });
    expect(new Set(got).size).toBe(1);
    expect(await service.world.balanceOf(payTo)).toBe(PRICE);
  });

  test("gets the same credential after a lost answer, and is paid once", async () => {
    losesAnswers = 1;
    const same = order();
    expect((await client.call("pay_url", same)).value).toMatchObject({ outcome: "unknown" });
    await client.call("pay_url", same);
    expect(got.length).toBeGreaterThan(1);
    expect(new Set(got).size).toBe(1);
    await until(async () => (await client.call("pay_url", same)).value.payment.status === "settled", "the payment");
    expect(await service.world.balanceOf(payTo)).toBe(PRICE);
  });

  test("is not paid above maxAmount, and not by a mandate that names other hosts", async () => {
    expect((await pay({ maxAmount: `${PRICE - 1n}` })).error).toMatchObject({ code: "max_amount_exceeded" });
    const other = await signedMandate({ hostAllowlist: ["other.example"] }, pair);
    expect((await pay({ mandateId: other.mandateId })).error).toMatchObject({ code: "host_not_allowed" });
    expect(got).toEqual([]);
  });
});

/** A challenge with these terms. */
const challenge = (request: object, params: object = {}): string => {
  const terms = {
    id: `id-${++purchases}`,
    realm: "r",
    method: "evm",
    intent: "charge",
    request: encodeBase64Url({
      amount: `${PRICE}`,
      currency: usdc,
      methodDetails: { chainId, credentialTypes: ["authorization"], decimals: 6 },
      recipient: payTo,
      ...request,
    }),
    ...params,
  };
  return `Payment ${Object.entries(terms)
    .map(([param, value]) => `${param}="${value}"`)
    .join(", ")}`;
};
const onChain = (id: number) => ({ methodDetails: { chainId: id, credentialTypes: ["authorization"] } });

describe("a challenge is not paid", () => {
  test.each<[string, () => string, string]>([
    ["on another network", () => challenge(onChain(1)), "no_payable_option"],
    ["in another token", () => challenge({ currency: freshAddress() }), "no_payable_option"],
    ["with an amount that is a number", () => challenge({ amount: 20_000 }), "no_payable_option"],
    ["with a negative amount", () => challenge({ amount: "-1" }), "no_payable_option"],
    ["to the zero address", () => challenge({ recipient: `0x${"0".repeat(40)}` }), "no_payable_option"],
    [
      "that splits the payment",
      () => challenge({ methodDetails: { chainId, credentialTypes: ["authorization"], splits: [{}] } }),
      "no_payable_option",
    ],
    [
      "by another type of credential",
      () => challenge({ methodDetails: { chainId, credentialTypes: ["hash"] } }),
      "no_payable_option",
    ],
    ["of another method", () => challenge({}, { method: "tempo" }), "no_payable_option"],
    ["of another intent", () => challenge({}, { intent: "session" }), "no_payable_option"],
    ["whose credential goes into another header", () => challenge({}, { header: "Cookie" }), "no_payable_option"],
    ["with an expiry that is no time", () => challenge({}, { expires: "soon" }), "no_payable_option"],
    ["that has expired", () => challenge({}, { expires: "2020-01-01T00:00:00Z" }), "challenge_over"],
    ["with a parameter twice", () => `${challenge({})}, amount="1", amount="2"`, "no_payable_option"],
    ["that cannot be read", () => `${challenge({})}, "`, "no_payable_option"],
    ["with a long id", () => challenge({}, { id: "i".repeat(1025) }), "no_payable_option"],
    ["above the mandate", () => challenge({ amount: "900000000" }), "no_mandate"],
  ])("%s", async (_, made, code) => {
    challenges = made;
    const paid = await pay({ maxAmount: "999000000" });
    expect(code === "no_mandate" ? paid.outcome : paid.error?.code).toBe(
      code === "no_mandate" ? "approval_required" : code,
    );
    expect(got).toEqual([]);
  });

  test("twice, for two purchases", async () => {
    const once = challenge({});
    challenges = () => once;
    expect((await pay()).payment).toMatchObject({ status: "signed" });
    expect((await pay()).error).toMatchObject({ code: "challenge_over" });
    expect(new Set(got).size).toBe(1);
  });

  test("at another price than the first of two responses had", async () => {
    let requests = 0;
    challenges = () => challenge(++requests % 2 === 1 ? {} : { amount: `${PRICE * 2n}` });
    const paid = await pay({ method: "POST", body: "{}" });
    expect(paid.error).toMatchObject({ code: "max_amount_exceeded", amount: `${PRICE * 2n}` });
    expect(got).toEqual([]);
  });
});

test("of several challenges, the first that can be paid is", async () => {
  challenges = (published) =>
    ['Basic realm="x"', challenge(onChain(1)), "Negotiate abc==", challenge({}, { method: "stripe" }), published].join(
      ", ",
    );
  const before = (await spent()).spentAmount;
  expect(await pay()).toMatchObject({ outcome: "delivered", payment: { payTo, amount: `${PRICE}` } });
  await until(async () => BigInt((await spent()).spentAmount) > BigInt(before), "the mandate to be charged");
});
