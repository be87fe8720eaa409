import { z } from "zod";
import type { Endpoint } from "@/lib/core/endpoint";
import type { MandateId } from "@/lib/core/ids";
import { newId } from "@/lib/core/ids";
import { canonicalJson } from "@/lib/core/json";
import { formatUsdc, toUsdc, ZERO } from "@/lib/core/money";
import type { ScanKind } from "@/lib/core/scans";
import { scanPromptSold, scanTransactionSold, scanX402Sold } from "@/lib/firewall/contract";
import { pathOf, pricesOf } from "@/lib/firewall/service";
import { edgeErrors } from "@/lib/http/errors";
import type { System } from "@/lib/platform/context";
import { purchase } from "@/lib/purchases/service";
import { endpointArguments, keyText } from "../arguments";
import { ownAnswer, ownSend } from "../own-send";
import { toResult } from "../results";
import { PAYMENT_META, sellByMeta } from "../sell-by-meta";
import { amountText, Custom, createTool, idText, type Session, type Tool, type ToolCall } from "../tool";
import { toPaymentPart } from "./purchases";

/** Of several names for a member, models get one. */
const ALIASES = [
  "chain_id",
  "input",
  "calldata",
  "value",
  "functionName",
  "authorizationList",
  "authorization_list",
  "prompt",
];

const paying = z.object({
  maxAmount: amountText.optional().describe("The most that the scan may cost. Default: its price"),
  mandateId: idText("mand_…: left out, the first mandate that covers the price").optional(),
  idempotencyKey: keyText.optional(),
});

type Product = { endpoint: Endpoint; kind: ScanKind };
type Order = z.output<typeof paying> & { json: unknown };

/** Sells a scan, either by x402 in `_meta` or from the agent's mandates and service credits. */
async function scan(session: Session, call: ToolCall, product: Product, order: Order): Promise<object> {
  const { json, maxAmount, mandateId, idempotencyKey } = order;
  const payment = call.meta(PAYMENT_META);
  const { agent, system } = session;
  if (payment !== undefined || !agent) {
    const request = { params: { firewallId: system.config.firewallId }, json, payment };
    return new Custom(await sellByMeta(session.api, product.endpoint, request, toResult));
  }
  const url = `${system.config.baseUrl}${pathOf(system.config.firewallId, product.kind)}`;
  const price = pricesOf(system, product.kind)?.requirement.amount ?? ZERO;
  const key = idempotencyKey ?? newId("purchase");
  const terms = {
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
  const view = await purchase(ctx, terms, { send: ownSend(session.api, endpoint, params), isOwn: true });
  const { outcome, message, nextStep } = view;
  return { outcome, message, nextStep, idempotencyKey: key, payment: toPaymentPart(view), scan: ownAnswer(view) };
}

/** The description with the price, which a model must know before it calls. */
const priced = (kind: ScanKind, does: string) => (system: System) => {
  const prices = pricesOf(system, kind);
  if (!prices) return `${does} This service does not offer it.`;
  const price = formatUsdc(prices.requirement.amount);
  return `${does} Each call costs ${price} USDC: from a mandate, from service credits, or by x402 in _meta. With a lower maxAmount it is refused.`;
};

type Shown = { title: string; does: string; required?: readonly string[] };

function scanTool(name: string, product: Product, { title, does, required = [] }: Shown): Tool {
  const { params: _, ...endpoint } = product.endpoint;
  const input = endpointArguments(endpoint, { required, omitted: ALIASES, own: paying });
  const metadata = { title, description: priced(product.kind, does) };
  return createTool(name, metadata, input, (session: Session, { json, own }, call) => {
    // Purchases and proofs know a body by its hash: the same arguments in another order must be the same body.
    const body = canonicalJson(json);
    // The endpoint reads a body only once it is paid for.
    const { bodyBytesMax } = product.endpoint;
    if (bodyBytesMax !== undefined && Buffer.byteLength(body) > bodyBytesMax)
      throw edgeErrors.body_too_large({ bytesMax: bodyBytesMax });
    return scan(session, call, product, { json: JSON.parse(body), ...paying.parse(own) });
  });
}

export const scanTools = [
  scanTool(
    "scan_prompt",
    { endpoint: scanPromptSold, kind: "prompt-scan" },
    {
      title: "Scan untrusted text",
      does: "Check an untrusted text for instructions to an agent and for secrets before you act on it.",
      required: ["text"],
    },
  ),
  scanTool(
    "scan_transaction",
    { endpoint: scanTransactionSold, kind: "scan" },
    { title: "Scan a transaction", does: "Judge an unsigned EVM transaction before it is signed." },
  ),
  scanTool(
    "scan_payment",
    { endpoint: scanX402Sold, kind: "x402-scan" },
    { title: "Scan a payment requirement", does: "Judge the body of an unpaid 402 before you pay it." },
  ),
];
