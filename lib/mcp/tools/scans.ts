import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Endpoint } from "@/lib/core/endpoint";
import type { MandateId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import { formatUsdc, toUsdc, ZERO } from "@/lib/core/money";
import type { ScanKind } from "@/lib/core/scans";
import { scanPromptSold, scanTransactionSold, scanX402Sold } from "@/lib/firewall/contract";
import { PROMPT_LENGTH_MAX } from "@/lib/firewall/requests";
import { pathOf, pricesOf } from "@/lib/firewall/service";
import type { System } from "@/lib/platform/context";
import { purchase } from "@/lib/purchases/service";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { errorOf } from "../api";
import { keyText } from "../arguments";
import { jsonBody, ownAnswer, ownSend } from "../own-send";
import { toResult } from "../results";
import { amountText, Custom, idText, openTool, type Session, type ToolCall } from "../tool";
import { toPaymentPart } from "./purchases";

const PAYMENT_META = "x402/payment";
const PAYMENT_RESPONSE_META = "x402/payment-response";

const paying = {
  maxAmount: amountText.optional().describe("The most that the scan may cost. Default: its price"),
  mandateId: idText("mand_…: left out, the first mandate that covers the price").optional(),
  idempotencyKey: keyText.optional(),
};
type Paying = { maxAmount?: string | undefined; mandateId?: string | undefined; idempotencyKey?: string | undefined };

type Product = { endpoint: Endpoint; kind: ScanKind };

/** Sells a scan, either by x402 in `_meta` or from the agent's mandates and service credits. */
async function scan(session: Session, call: ToolCall, product: Product, input: Paying & object): Promise<object> {
  const { maxAmount, mandateId, idempotencyKey, ...json } = input;
  const payment = call.meta(PAYMENT_META);
  const { agent, system } = session;
  if (payment !== undefined || !agent) return sellByMeta(session, product, { json, payment });
  const url = `${system.config.baseUrl}${pathOf(system.config.firewallId, product.kind)}`;
  const price = pricesOf(system, product.kind)?.requirement.amount ?? ZERO;
  const key = idempotencyKey ?? newId("purchase");
  const order = {
    url,
    method: "POST",
    headers: { "x-agent-id": agent.agentId },
    body: JSON.stringify(json),
    maxAmount: maxAmount === undefined ? price : toUsdc(BigInt(maxAmount)),
    idempotencyKey: key,
    mandateId: mandateId as MandateId | undefined,
  };
  const ctx = { ...system, requestId: session.requestId, caller: session.caller, actor: agent };
  const { endpoint } = product;
  const params = { firewallId: system.config.firewallId };
  const view = await purchase(ctx, order, { send: ownSend(session.api, endpoint, params), isOwn: true });
  const { outcome, message, nextStep } = view;
  return { outcome, message, nextStep, idempotencyKey: key, payment: toPaymentPart(view), scan: ownAnswer(view) };
}

/** x402 over MCP (x402 transports-v2/mcp.md): the price is a tool error, the proof is in the request's `_meta`. */
async function sellByMeta(
  { api, system }: Session,
  { endpoint }: Product,
  { json, payment }: { json: object; payment: unknown },
): Promise<Custom> {
  const params = { firewallId: system.config.firewallId };
  const headers = payment === undefined ? {} : { "payment-signature": encodeHeader(payment) };
  const response = await api.send(endpoint, { params, json, headers });
  const body = jsonBody.parse(await response.json());
  if (response.status === 402) {
    const required = jsonBody.catch(body).parse(decodeHeader(response.headers.get("payment-required") ?? ""));
    return new Custom(
      toResult({ ...required, error: body.error, ...(body.code !== undefined && { code: body.code }) }, true),
    );
  }
  if (response.status >= 400) throw errorOf(response.status, body);
  const receipt = decodeHeader(response.headers.get("payment-response") ?? "");
  const result: CallToolResult = toResult(body);
  return new Custom(receipt === undefined ? result : { ...result, _meta: { [PAYMENT_RESPONSE_META]: receipt } });
}

/** The description with the price, which a model must know before it calls. */
const priced = (kind: ScanKind, does: string) => (system: System) => {
  const prices = pricesOf(system, kind);
  if (!prices) return `${does} This service does not offer it.`;
  const price = formatUsdc(prices.requirement.amount);
  return `${does} Each call costs ${price} USDC: from a mandate, from service credits, or by x402 in _meta. With a lower maxAmount it is refused.`;
};

export const scanTools = [
  openTool(
    "scan_prompt",
    {
      title: "Scan untrusted text",
      description: priced(
        "prompt-scan",
        "Check an untrusted text for instructions to an agent and for secrets before you act on it.",
      ),
      input: z.strictObject({
        text: z
          .string()
          .min(1)
          .max(2 * PROMPT_LENGTH_MAX),
        source: z.string().max(200).optional(),
        ...paying,
      }),
    },
    (session, input, call) => scan(session, call, { endpoint: scanPromptSold, kind: "prompt-scan" }, input),
  ),
  openTool(
    "scan_transaction",
    {
      title: "Scan a transaction",
      description: priced("scan", "Judge an unsigned EVM transaction before it is signed."),
      input: z.strictObject({
        chainId: z.int().min(1).optional().describe("Default: 8453 (Base)"),
        to: z.string().max(100).optional(),
        data: z.string().max(60_000).optional().describe("Calldata in hex"),
        valueWei: z.string().max(78).optional(),
        function: z.string().max(1000).optional(),
        amount: z.string().max(78).optional(),
        context: z.string().max(2000).optional().describe("What it is for; no secrets"),
        ...paying,
      }),
    },
    (session, input, call) => scan(session, call, { endpoint: scanTransactionSold, kind: "scan" }, input),
  ),
  openTool(
    "scan_payment",
    {
      title: "Scan a payment requirement",
      description: priced("x402-scan", "Judge the body of an unpaid 402 before you pay it."),
      input: z.strictObject({
        paymentRequired: z.record(z.string(), z.unknown()).describe("The JSON body of the 402, unchanged"),
        expected: z
          .strictObject({
            network: z.string().max(100).optional(),
            maxAmountAtomic: z.string().max(78).optional(),
            payTo: z.string().max(100).optional(),
            asset: z.string().max(100).optional(),
            resource: z.string().max(4096).optional(),
          })
          .optional(),
        ...paying,
      }),
    },
    (session, input, call) => scan(session, call, { endpoint: scanX402Sold, kind: "x402-scan" }, input),
  ),
];
