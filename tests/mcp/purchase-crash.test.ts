import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addSeconds } from "@/lib/core/time";
import { freshAddress, linkedPair, type Parties, signedMandate } from "../support/mandates";
import { connectV1, type McpClient, requiredV1 } from "../support/mcp";
import { walletOf } from "../support/payouts";
import { type Receiver, startReceiver } from "../support/receiver";
import { until } from "../support/replica";
import { runService } from "../support/service";
import * as wiring from "../support/wiring";

const service = runService();
let shop: Receiver;
let buyer: Parties;
let client: McpClient;
let proofs: string[];
let n = 0;

beforeAll(async () => {
  shop = await startReceiver();
  buyer = await linkedPair();
  await service.world.mint(await walletOf(buyer.owner), 100_000_000n);
  await signedMandate({ limitAmount: "50000000" }, buyer);
  client = await connectV1(buyer.agent.token);
});

beforeEach(() => {
  proofs = [];
  const payTo = freshAddress();
  shop.answer((request, res) => {
    const proof = request.headers["x-payment"];
    if (typeof proof === "string") {
      proofs.push(proof);
      res.writeHead(200).end("goods");
      return;
    }
    res.writeHead(402).end(requiredV1(shop.url, payTo));
  });
});

afterAll(async () => {
  await client?.close();
  await shop?.close();
});

const order = () => ({ url: shop.url, maxAmount: "10000", idempotencyKey: `crash-${++n}` });
const paymentCount = async () => Number((await service.opened.sql`select count(*) as n from payments`)[0]?.n);

test("after a crash, a stored proof is presented by the next call, and nothing else is signed", async () => {
  const wanted = order();
  const paymentCountBefore = await paymentCount();
  await wiring.control({ do: "arm", failpoint: "purchase.proved", action: "throw" });
  expect((await client.call("pay_url", wanted)).value.error).toMatchObject({
    code: "internal_error",
    retry: "same_request",
  });
  await wiring.control({ do: "disarm", failpoint: "purchase.proved" });
  expect(proofs).toEqual([]);
  const { value } = await client.call("pay_url", wanted);
  expect(value).toMatchObject({ outcome: "delivered", answer: { body: "goods" } });
  expect([proofs.length, await paymentCount()]).toEqual([1, paymentCountBefore + 1]);
});

test("after a crash between signing and storing, the signed proof is lost, and only one proof ever leaves the service", async () => {
  const wanted = order();
  await wiring.control({ do: "arm", failpoint: "purchase.signed", action: "throw" });
  expect((await client.call("pay_url", wanted)).isError).toBe(true);
  await wiring.control({ do: "disarm", failpoint: "purchase.signed" });
  expect((await client.call("pay_url", wanted)).value.outcome).toBe("delivered");
  expect((await client.call("pay_url", wanted)).value.outcome).toBe("delivered");
  expect(proofs).toHaveLength(1);
});

const reached = (count: number) =>
  until(async () => {
    const { figures } = await wiring.control({ do: "figures" });
    return figures?.failpointHits["purchase.signed"] === count;
  }, "the failpoint to be reached");

test("a call whose lock on the purchase has expired presents the proof of the call that replaced it", async () => {
  const wanted = order();
  await wiring.control({ do: "arm", failpoint: "purchase.signed", action: "hold" });
  const slow = client.call("pay_url", wanted);
  await reached(1);
  expect((await client.call("pay_url", wanted)).value.error).toMatchObject({
    code: "purchase_in_progress",
    retry: "wait",
  });
  await service.opened.sql`update purchases set held_until = ${addSeconds(new Date(), -1).toISOString()}`;
  const otherMcpClient = await connectV1(buyer.agent.token);
  const second = otherMcpClient.call("pay_url", wanted);
  await reached(2);
  await wiring.control({ do: "disarm", failpoint: "purchase.signed" });
  const [first, next] = await Promise.all([slow, second]);
  expect([first.value.outcome, next.value.outcome]).toEqual(["delivered", "delivered"]);
  expect(first.value.payment.paymentRecordId).toBe(next.value.payment.paymentRecordId);
  expect(new Set(proofs).size).toBe(1);
  await otherMcpClient.close();
});
