import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fetchPath } from "../support/http";
import { freshAddress, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { connectV1, type McpClient, requiredV1 } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { type Receiver, startReceiver } from "../support/receiver";
import { until } from "../support/replica";
import { shareService } from "../support/service";

/** A client cancels a call of a stateless server by closing the connection. */
const service = shareService();
let shop: Receiver;
let buyer: Parties;
let client: McpClient;
let payTo: string;
let proofs: string[];
/** Responses that the shop has not written. */
let hanging: { res: ServerResponse; isClosed: boolean }[];
let hangsAt: "price" | "proof" | null;
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
  proofs = [];
  hanging = [];
  shop.answer(({ headers }, res) => {
    const proof = headers["x-payment"];
    if (typeof proof === "string") proofs.push(proof);
    if (hangsAt === (proof === undefined ? "price" : "proof")) {
      const held = { res, isClosed: false };
      hanging.push(held);
      res.once("close", () => {
        held.isClosed = true;
      });
      return;
    }
    if (proof === undefined) res.writeHead(402).end(requiredV1(shop.url, payTo));
    else res.writeHead(200).end("goods");
  });
});

afterAll(async () => {
  await client?.close();
  await shop?.close();
});

const paymentCount = async () => {
  const [row] = await service.opened
    .sql`select count(*)::int as n from payments where agent_id = ${buyer.agent.agentId}`;
  return row?.n;
};
const newOrder = () => ({ url: shop.url, maxAmount: "10000", idempotencyKey: `cancelled-${++n}` });

/** Calls a tool over a connection of its own, which `abort` closes. */
function callTool(name: string, args: object) {
  const aborting = new AbortController();
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  const headers = { authorization: `Bearer ${buyer.agent.token}`, "content-type": "application/json" };
  const ended = fetchPath("POST", "/mcp", { headers, body, signal: aborting.signal }).then(
    () => "answered",
    () => "aborted",
  );
  return { abort: () => aborting.abort(), ended };
}

/** Until the shop holds a request. */
const held = () => until(async () => hanging.length > 0, "the shop to be asked");

test.each(["pay_url", "check_price"])(
  "%s ends its request when the client goes, and nothing is signed",
  async (name) => {
    hangsAt = "price";
    const paymentsBefore = await paymentCount();
    const { idempotencyKey, maxAmount, url } = newOrder();
    const order = { url, maxAmount, idempotencyKey };
    const cancelled = callTool(name, name === "pay_url" ? order : { url });
    await held();
    expect(hanging[0]?.isClosed).toBe(false);
    const time = Date.now();
    cancelled.abort();
    await until(async () => hanging[0]?.isClosed === true, "the request to be closed");
    await cancelled.ended;
    // Without the signal it would end after ten seconds.
    expect(Date.now() - time).toBeLessThan(5_000);
    expect([await paymentCount(), proofs]).toEqual([paymentsBefore, []]);
    hangsAt = null;
    if (name !== "pay_url") return;
    await until(async () => (await client.call("pay_url", order)).value.outcome === "delivered", "the key to be free");
    expect([await paymentCount(), proofs.length]).toEqual([paymentsBefore + 1, 1]);
  },
);

test("a payment that was signed is presented to its end, and the same key returns what it bought", async () => {
  hangsAt = "proof";
  const paymentsBefore = await paymentCount();
  const order = newOrder();
  const cancelled = callTool("pay_url", order);
  await held();
  cancelled.abort();
  expect(await paymentCount()).toBe(paymentsBefore + 1);
  hangsAt = null;
  hanging[0]?.res.writeHead(200).end("goods");
  await cancelled.ended;
  await until(async () => {
    const { value } = await client.call("pay_url", order);
    return value.outcome === "delivered" && value.answer.body === "goods";
  }, "the answer to be stored");
  expect([await paymentCount(), proofs.length, hanging.length]).toEqual([paymentsBefore + 1, 1, 1]);
});
