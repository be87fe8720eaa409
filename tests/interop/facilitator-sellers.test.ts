import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve as serveHono } from "@hono/node-server";
import { wrapAxiosWithPayment, x402Client as x402ClientOfAxios } from "@x402/axios";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware as expressV2, x402ResourceServer } from "@x402/express";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { paymentMiddleware as honoV2, x402ResourceServer as x402ResourceServerOfHono } from "@x402/hono";
import axios from "axios";
import express from "express";
import { Hono } from "hono";
import type { HDAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useFacilitator } from "x402/verify";
import { withPaymentInterceptor } from "x402-axios";
import { paymentMiddleware as expressV1 } from "x402-express";
import { decodeXPaymentResponse, wrapFetchWithPayment as wrapFetchWithPaymentV1 } from "x402-fetch";
import { paymentMiddleware as honoV1 } from "x402-hono";
import { freePort } from "@/dev/local/ports";
import { type Address, toAddress } from "@/lib/core/address";
import { toWireAuthorization } from "@/lib/x402/authorization";
import { encodeHeader } from "@/lib/x402/header";
import { newOwner } from "../support/actors";
import { newKey, requestV1, requestV2, type SellerKey } from "../support/facilitator";
import { BASE_URL } from "../support/http";
import { until } from "../support/replica";
import { runService } from "../support/service";
import { claimFrom, freshAddress, randomNonce } from "../support/system";
import { server } from "../support/wiring";

const service = runService();
const AMOUNT = 250_000n;
const PRICE = "$0.25";
const WEATHER = { weather: "sunny" };
// A URL of http, which the type of BASE_URL does not say.
const FACILITATOR = `${BASE_URL}/facilitator` as `http://${string}`;

let key: SellerKey;
let payTo: Address;
let stop: (() => Promise<unknown>) | undefined;

beforeAll(async () => {
  await server();
  key = await newKey((await newOwner()).session);
});
beforeEach(() => {
  payTo = freshAddress();
});
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

const headersOf = (secret: string) => async () => {
  const headers = { Authorization: `Bearer ${secret}` };
  return { verify: headers, settle: headers, supported: headers, list: headers };
};

const client = (secret = key.secret) =>
  new HTTPFacilitatorClient({ url: FACILITATOR, createAuthHeaders: headersOf(secret) });
const routesV2 = () => ({
  "GET /weather": {
    accepts: [{ scheme: "exact" as const, price: PRICE, network: "eip155:8453" as const, payTo }],
    description: "Weather",
    mimeType: "application/json",
  },
});
const routesV1 = { "/weather": { price: PRICE, network: "base" as const, config: { description: "Weather" } } };

const portOf = (listening: { address: () => unknown }) => (listening.address() as AddressInfo).port;
const closing = (listening: { close: (done: () => void) => unknown; closeAllConnections?: () => void }) => async () => {
  listening.closeAllConnections?.();
  await new Promise<void>((resolve) => void listening.close(resolve));
};

/** Starts an express app with a middleware of either version. */
async function onExpress(middleware: unknown, ...others: string[]): Promise<string> {
  const app = express();
  // Each package has its own copy of express's types.
  app.use(middleware as express.RequestHandler);
  for (const path of ["/weather", ...others]) app.get(path, (_, res) => void res.json(WEATHER));
  const listening = await new Promise<Server>((resolve) => {
    const started: Server = app.listen(0, () => resolve(started));
  });
  stop = closing(listening);
  return `http://localhost:${portOf(listening)}/weather`;
}

async function onHono(middleware: unknown): Promise<string> {
  const app = new Hono();
  app.use(middleware as Parameters<typeof app.use>[0]);
  app.get("/weather", (c) => c.json(WEATHER));
  const listening = await new Promise<ReturnType<typeof serveHono>>((resolve) => {
    const started: ReturnType<typeof serveHono> = serveHono({ fetch: app.fetch, port: 0 }, () => resolve(started));
  });
  stop = closing(listening as Server);
  return `http://localhost:${portOf(listening)}/weather`;
}

const facilitatorV1 = (secret = key.secret) => ({ url: FACILITATOR, createAuthHeaders: headersOf(secret) });
const resourceServer = (secret?: string) =>
  new x402ResourceServer(client(secret)).register("eip155:8453", new ExactEvmScheme());

const SELLERS = {
  "@x402/express (v2)": () => onExpress(expressV2(routesV2(), resourceServer())),
  "@x402/hono (v2)": () =>
    onHono(honoV2(routesV2(), new x402ResourceServerOfHono(client()).register("eip155:8453", new ExactEvmScheme()))),
  "x402-express (v1)": () => onExpress(expressV1(payTo, routesV1, facilitatorV1())),
  "x402-hono (v1)": () => onHono(honoV1(payTo, routesV1, facilitatorV1())),
} as const;
const V1 = ["x402-express (v1)", "x402-hono (v1)"] as const;
const V2 = ["@x402/express (v2)", "@x402/hono (v2)"] as const;

type Bought = { status: number; body: unknown; header: string };

/** The clients' types come from their own copy of viem; the called functions are the same. */
const signer = (account: HDAccount) => account as never;
const receiptOf = (res: Response) => res.headers.get("payment-response") ?? res.headers.get("x-payment-response") ?? "";

const BUYERS = {
  "x402-fetch 1.x": async (url: string, account: HDAccount): Promise<Bought> => {
    const res = await wrapFetchWithPaymentV1(fetch, signer(account), 2_000_000n)(url, { method: "GET" });
    return { status: res.status, body: await res.json(), header: receiptOf(res) };
  },
  "x402-axios 0.x": async (url: string, account: HDAccount): Promise<Bought> => {
    const res = await withPaymentInterceptor(axios.create(), signer(account)).get(url);
    return { status: res.status, body: res.data, header: String(res.headers["x-payment-response"]) };
  },
  "@x402/fetch 2.x": async (url: string, account: HDAccount): Promise<Bought> => {
    const res = await wrapFetchWithPayment(fetch, registerExactEvmScheme(new x402Client(), { signer: account }))(url);
    return { status: res.status, body: await res.json(), header: receiptOf(res) };
  },
  "@x402/axios 2.x": async (url: string, account: HDAccount): Promise<Bought> => {
    const paying = registerExactEvmScheme(new x402ClientOfAxios() as never, { signer: account });
    const res = await wrapAxiosWithPayment(axios.create(), paying as never).get(url);
    return {
      status: res.status,
      body: res.data,
      header: String(res.headers["payment-response"] ?? res.headers["x-payment-response"]),
    };
  },
} as const;

const everyPair = [
  ...V1.flatMap((seller) => Object.keys(BUYERS).map((buyer) => ({ seller, buyer }))),
  ...V2.flatMap((seller) => (["@x402/fetch 2.x", "@x402/axios 2.x"] as const).map((buyer) => ({ seller, buyer }))),
] as { seller: keyof typeof SELLERS; buyer: keyof typeof BUYERS }[];

const receipt = (header: string) => decodePaymentResponseHeader(header) as { success: boolean; transaction: string };
const settlements = () =>
  service.opened.sql`select s.state, s.purpose, s.tx_hash, p.key_id from settlements s
    join facilitator_payments p on p.settlement_id = s.id where s.payee = ${payTo}`;

test.each(everyPair)("$buyer buys from $seller, and the service settles the payment", async ({ seller, buyer }) => {
  const url = await SELLERS[seller]();
  const payer = service.payer();
  const before = await service.world.balanceOf(toAddress(payer.address));
  const bought = await BUYERS[buyer](url, payer);
  expect([bought.status, bought.body]).toEqual([200, WEATHER]);
  const { success, transaction } = receipt(bought.header);
  expect(success).toBe(true);
  expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  expect(await service.world.balanceOf(toAddress(payer.address))).toBe(before - AMOUNT);
  expect(await settlements()).toEqual([
    { state: "settled", purpose: "facilitator", tx_hash: transaction, key_id: key.keyId },
  ]);
});

/** The payment header of the client's second request. */
async function paymentOf(url: string, name: "x-payment" | "payment-signature"): Promise<Record<string, string>> {
  let sent: string | null = null;
  const stolen: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent = request.headers.get(name);
    return sent === null ? fetch(request) : new Response("{}", { status: 200 });
  };
  if (name === "x-payment") await wrapFetchWithPaymentV1(stolen, signer(service.payer()), 2_000_000n)(url, {});
  else await wrapFetchWithPayment(stolen, registerExactEvmScheme(new x402Client(), { signer: service.payer() }))(url);
  if (sent === null) throw new Error("the client did not pay");
  return { [name]: sent };
}

describe.each([
  ["x402-express (v1)", "x-payment"],
  ["x402-hono (v1)", "x-payment"],
  ["@x402/express (v2)", "payment-signature"],
  ["@x402/hono (v2)", "payment-signature"],
] as const)("a seller that uses %s", (seller, name) => {
  test("sells nothing for a proof that has already paid", async () => {
    const url = await SELLERS[seller]();
    const headers = await paymentOf(url, name);
    expect((await fetch(url, { headers })).status).toBe(200);
    expect((await fetch(url, { headers })).status).toBe(402);
    expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("sells once for a proof that is presented twenty times at once", async () => {
    const url = await SELLERS[seller]();
    const headers = await paymentOf(url, name);
    await service.world.setAutomine(false);
    const buying = Array.from({ length: 20 }, () => fetch(url, { headers }));
    const isClaimed = async () => (await settlements()).length > 0;
    await until(isClaimed, "the claim");
    await service.world.setAutomine(true);
    const statuses = (await Promise.all(buying)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await fetch(url, { headers })).status).not.toBe(200);
    expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  });

  test("responds with a 402 to a payer without money, and nothing moves", async () => {
    const url = await SELLERS[seller]();
    const buyer = BUYERS[name === "x-payment" ? "x402-fetch 1.x" : "@x402/fetch 2.x"];
    expect((await buyer(url, service.payer(5))).status).toBe(402);
    expect(await service.world.balanceOf(payTo)).toBe(0n);
  });

  test("delivers once when the outcome is unknown at first and the payer presents the payment again", async () => {
    await service.restart({ SETTLE_WAIT_SECONDS: "0" });
    await server();
    const url = await SELLERS[seller]();
    const headers = await paymentOf(url, name);
    const statuses: number[] = [];
    await until(async () => {
      const res = await fetch(url, { headers });
      statuses.push(res.status);
      return res.status === 200;
    }, "the payment");
    expect(statuses[0]).toBe(402);
    expect((await fetch(url, { headers })).status).toBe(402);
    expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
    expect(await settlements()).toHaveLength(1);
    await service.restart({ SETTLE_WAIT_SECONDS: "25" });
    await server();
  });
});

test("a buyer who signs a cheap and an expensive payment with one nonce does not get the expensive page of @x402/express", async () => {
  const route = (price: string) => ({
    accepts: [{ scheme: "exact" as const, price, network: "eip155:8453" as const, payTo }],
    description: price,
    mimeType: "application/json",
  });
  const routes = { "GET /weather": route("$0.001"), "GET /dear": route("$10000") };
  const url = await onExpress(expressV2(routes, resourceServer()), "/dear");
  const nonce = randomNonce();
  const buy = async (at: string) => {
    const required = JSON.parse(
      Buffer.from((await fetch(at)).headers.get("payment-required") ?? "", "base64").toString(),
    );
    const [accepted] = required.accepts;
    const { authorization, signature } = claimFrom(service.payer(), payTo, BigInt(accepted.amount), { nonce });
    const payload = { signature, authorization: toWireAuthorization(authorization) };
    // The buyer names the resource, and the middleware does not compare it.
    const resource = { url, description: "", mimeType: "application/json" };
    const header = encodeHeader({ x402Version: 2, resource, accepted, payload });
    return fetch(at, { headers: { "payment-signature": header } });
  };
  await service.world.setAutomine(false);
  const cheap = buy(url);
  await until(async () => (await settlements()).length > 0, "the claim");
  const dear = buy(url.replace("/weather", "/dear"));
  await Promise.race([dear, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  await service.world.setAutomine(true);
  expect([(await cheap).status, (await dear).status]).toEqual([200, 402]);
  expect((await buy(url.replace("/weather", "/dear"))).status).toBe(402);
  expect(await service.world.balanceOf(payTo)).toBe(1_000n);
});

describe("a seller whose API key is wrong or over its limit sells nothing", () => {
  test.each(V1)("%s", async (seller) => {
    const wrong = facilitatorV1("tsk_000000000000000000000000");
    const url = await (seller === "x402-express (v1)"
      ? onExpress(expressV1(payTo, routesV1, wrong))
      : onHono(honoV1(payTo, routesV1, wrong)));
    const res = await fetch(url, { headers: await paymentOf(url, "x-payment") });
    expect(res.status).toBeGreaterThanOrEqual(400);
    expect(await service.world.balanceOf(payTo)).toBe(0n);
  });

  test("@x402/express (v2)", async () => {
    const url = await onExpress(expressV2(routesV2(), resourceServer("tsk_000000000000000000000000")));
    const res = await fetch(url, { headers: await paymentOf(url, "payment-signature") });
    expect(res.status).toBeGreaterThanOrEqual(400);
    expect(await service.world.balanceOf(payTo)).toBe(0n);
  });

  test("@x402/express sells again once its minute is over", async () => {
    const limited = await newKey((await newOwner()).session, { requestsPerMinute: 1 });
    const url = await onExpress(expressV2(routesV2(), resourceServer(limited.secret)));
    const headers = await paymentOf(url, "payment-signature");
    // Verifies, and cannot settle.
    expect((await fetch(url, { headers })).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(url, { headers })).status).toBeGreaterThanOrEqual(400);
    expect(await service.world.balanceOf(payTo)).toBe(0n);
    await service.opened.sql`update facilitator_keys set requests_per_minute = 100 where id = ${limited.keyId}`;
    expect((await fetch(url, { headers })).status).toBe(200);
    expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  });
});

describe("the facilitator clients of the x402 packages can talk to the service:", () => {
  test("HTTPFacilitatorClient of @x402/core", async () => {
    const { paymentPayload, paymentRequirements } = requestV2(claimFrom(service.payer(), payTo, AMOUNT));
    const facilitator = client();
    const supported = await facilitator.getSupported();
    expect(supported.kinds).toContainEqual({ x402Version: 2, scheme: "exact", network: "eip155:8453" });
    expect(await facilitator.verify(paymentPayload, paymentRequirements)).toMatchObject({ isValid: true });
    const settled = await facilitator.settle(paymentPayload, paymentRequirements);
    expect(settled).toMatchObject({ success: true, network: "eip155:8453", payer: toAddress(service.payer().address) });
    expect(await facilitator.settle(paymentPayload, paymentRequirements)).toEqual(settled);
    await expect(client("tsk_0").verify(paymentPayload, paymentRequirements)).rejects.toThrow("verify failed (401)");
  });

  test("useFacilitator of x402", async () => {
    const { paymentPayload, paymentRequirements } = requestV1(claimFrom(service.payer(), payTo, AMOUNT));
    const { verify, settle, supported } = useFacilitator(facilitatorV1());
    expect((await supported()).kinds).toContainEqual({ x402Version: 1, scheme: "exact", network: "base" });
    expect(await verify(paymentPayload, paymentRequirements)).toMatchObject({ isValid: true });
    const settled = await settle(paymentPayload, paymentRequirements);
    expect(settled).toMatchObject({ success: true, network: "base" });
    const header = Buffer.from(JSON.stringify(settled)).toString("base64");
    expect(decodeXPaymentResponse(header)).toMatchObject({ success: true, transaction: settled.transaction });
  });
});

describe("the example in docs/facilitator.md", () => {
  let directory: string;
  let child: ChildProcess | undefined;

  beforeAll(() => {
    // Inside node_modules, where the example finds the packages that it imports.
    mkdirSync("tests/interop/node_modules/.cache", { recursive: true });
    directory = mkdtempSync(join("tests/interop/node_modules/.cache", "facilitator-"));
  });
  afterAll(() => {
    child?.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  test("is paid by a stock client", async () => {
    const [, example = ""] = /```ts\n(.*?)```/s.exec(readFileSync("docs/facilitator.md", "utf8")) ?? [];
    const file = join(directory, "seller.mts");
    writeFileSync(file, example);
    const port = await freePort();
    const env = {
      ...process.env,
      FACILITATOR_URL: FACILITATOR,
      FACILITATOR_KEY: key.secret,
      PAY_TO: payTo,
      PORT: String(port),
    };
    child = spawn(process.execPath, ["--import", "tsx", file], { env, stdio: ["ignore", "inherit", "inherit"] });
    const url = `http://localhost:${port}/weather`;
    const price = () =>
      fetch(url).then(
        ({ status }) => status,
        () => null,
      );
    await until(async () => (await price()) === 402, "the example");
    const bought = await BUYERS["@x402/fetch 2.x"](url, service.payer());
    expect([bought.status, bought.body]).toEqual([200, WEATHER]);
    expect(await service.world.balanceOf(payTo)).toBe(AMOUNT);
  });
});
