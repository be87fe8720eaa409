import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Endpoint } from "@/lib/core/endpoint";
import { COST_HEADER, COST_META } from "@/lib/links/passes/limits";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { type Api, type Call, errorOf } from "./api";
import { jsonBody } from "./own-send";
import { toFailure, toResult } from "./results";

export const PAYMENT_META = "x402/payment";
const ERROR_META = "x402/error";
const PAYMENT_RESPONSE_META = "x402/payment-response";

type Sale = Pick<Call, "params" | "json" | "headers"> & { payment: unknown };

/**
 * x402 over MCP (x402 transports-v2/mcp.md): the price is a tool error, the proof is in the request's `_meta`. Clients of Cloudflare's
 * `agents` read the price in `_meta` and send the proof as base64. `toAnswer`: the result for what the endpoint sold, or for a payment that is under way.
 */
export async function sellByMeta(
  api: Api,
  endpoint: Endpoint,
  { payment, headers: extraHeaders, ...request }: Sale,
  toAnswer: (body: Record<string, unknown>) => CallToolResult,
): Promise<CallToolResult> {
  const isEncoded = typeof payment === "string" && decodeHeader(payment) !== undefined;
  const proof = payment === undefined ? {} : { "payment-signature": isEncoded ? payment : encodeHeader(payment) };
  const response = await api.send(endpoint, { ...request, headers: { ...extraHeaders, ...proof } });
  const body = jsonBody.parse(await response.json());
  const receipt = decodeHeader(response.headers.get("payment-response") ?? "");
  const receiptMeta = receipt === undefined ? {} : { [PAYMENT_RESPONSE_META]: receipt };
  if (response.status === 402) {
    const required = jsonBody.catch(body).parse(decodeHeader(response.headers.get("payment-required") ?? ""));
    const value = { ...required, error: body.error, ...(body.code !== undefined && { code: body.code }) };
    return { ...toResult(value, true), _meta: { [ERROR_META]: value, ...receiptMeta } };
  }
  const cost = response.headers.get(COST_HEADER);
  const result = response.status >= 400 ? toFailure(errorOf(response.status, body)).result : toAnswer(body);
  return { ...result, _meta: { ...result._meta, ...receiptMeta, ...(cost !== null && { [COST_META]: cost }) } };
}
