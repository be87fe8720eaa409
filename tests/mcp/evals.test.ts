import { afterAll, beforeAll, expect, test } from "vitest";
import { TOOLS } from "@/lib/mcp/handle";
import { freshAddress, linkedPair, signedMandate } from "../support/mandates";
import { connectV2, type McpClient, sellFrom } from "../support/mcp";
import { funded } from "../support/payouts";
import { type Receiver, startReceiver } from "../support/receiver";
import { shareService } from "../support/service";
import { EVALS, type Known } from "./evals";

/** Plays the table of evals.ts against the tools: a model that makes these calls must get what its user has asked for. */
const service = shareService();
let shop: Receiver;
let site: Receiver;
let client: McpClient;
let known: Known;

beforeAll(async () => {
  shop = await startReceiver();
  const { agent } = await linkedPair();
  sellFrom(shop, `/unifypaymentlink/agentid/${agent.agentId}?amount=20000&asset=usdc`);
  const buyer = await signedMandate({ limitAmount: "20000000" });
  await funded(service.world, buyer.owner, 20_000_000n);
  client = await connectV2("auto")(buyer.agent.token);
  site = await startReceiver();
  const payment = { price: { mode: "fixed", currency: "USD", amount: "0.02" }, protocols: [{ x402: {} }] };
  const paths = { "/report": { get: { summary: "Report", "x-payment-info": payment } } };
  site.answer(
    ({ path }, res) => void res.writeHead(200).end(path === "/openapi.json" ? JSON.stringify({ paths }) : ""),
  );
  const siteHost = `localhost:${site.port}`;
  known = { shopUrl: shop.url, siteHost, siteUrl: `http://${siteHost}/report`, address: freshAddress() };
});
afterAll(async () => {
  await client?.close();
  await shop?.close();
  await site?.close();
});

test.each(EVALS)("$request", async ({ steps }) => {
  for (const { tool, args, gives, isError = false, learns } of steps) {
    const answer = await client.call(tool, args?.(known));
    expect({ tool, isError: answer.isError, value: answer.value }).toMatchObject({
      tool,
      isError,
      value: gives(known),
    });
    Object.assign(known, learns?.(answer.value));
  }
});

/** Tools that no request in plain language leads to by itself, or that other tests play with a second person. */
const WITHOUT_REQUEST = [
  ...["init_agent_id", "get_agent_status", "request_x402_payment", "request_x402_v3_payment", "list_payouts"],
  ...["list_payment_links", "get_payment_link", "delete_payment_link", "list_invoices", "get_received_payment"],
  ...["initiate_refund", "get_refund", "cancel_refund", "scan_payment", "top_up_credits", "get_receipt"],
  ...["get_cancellation", "submit_cancellation"],
];

test("each tool has a request, or is named as one without", () => {
  const called = EVALS.flatMap(({ steps }) => steps.map(({ tool }) => tool));
  expect([...new Set([...called, ...WITHOUT_REQUEST])].sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});
