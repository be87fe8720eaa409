import { type Endpoint, IDEMPOTENCY_KEY, isNotJson } from "@/lib/core/endpoint";
import { isPaid, takesIdempotencyKey } from "./failures";
import type { Schema } from "./schemas";

type Header = { description: string; schema: Schema };

const text = (description: string): Header => ({ description, schema: { type: "string" } });
const base64 = (description: string): Header => ({
  description,
  schema: { type: "string", contentEncoding: "base64", contentMediaType: "application/json" },
});

/** Response headers, under `#/components/headers`. */
export const HEADERS: Readonly<Record<string, Header>> = {
  "X-Request-Id": text("Names the request in the service's log"),
  "Retry-After": { description: "Seconds to wait before the next request", schema: { type: "integer", minimum: 1 } },
  "Idempotency-Replayed": {
    description: "`true` when this is the stored response to an earlier request with the same Idempotency-Key",
    schema: { type: "string", enum: ["true"] },
  },
  "PAYMENT-REQUIRED": base64("x402 v2: the payment requirement"),
  "WWW-Authenticate": text("MPP: a challenge of the scheme `Payment`, method `evm`, intent `charge`"),
  "PAYMENT-RESPONSE": base64("x402 v2: the outcome of the payment"),
  "X-PAYMENT-RESPONSE": base64("x402 v1: the outcome of the payment"),
  "Payment-Receipt": text("MPP: the receipt, as base64url of JSON. Only in the response to a Payment credential"),
  Location: text("Where the settlement is read"),
  ETag: text("Identifies this version of the document"),
};

/** The headers of one response of an endpoint. */
export function responseHeaders(e: Endpoint, status: number): Record<string, { $ref: string }> {
  const names = ["X-Request-Id"];
  if (status === 202 || status === 429 || status === 503) names.push("Retry-After");
  if (takesIdempotencyKey(e)) names.push("Idempotency-Replayed");
  if (isPaid(e) && status === 402) names.push("PAYMENT-REQUIRED", "WWW-Authenticate");
  if (isPaid(e) && status === 200) names.push("Payment-Receipt");
  if (isPaid(e) && (status === 200 || status === 500)) names.push("PAYMENT-RESPONSE", "X-PAYMENT-RESPONSE");
  if (isPaid(e) && status === 202) names.push("Location");
  if (isNotJson(e.response) && e.response.hasETag) names.push("ETag");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Request headers that the edge reads, under `#/components/parameters`. */
export const HEADER_PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes it safe to send the request again: for 24 hours the same key with the same body gets the first response, and nothing is done twice",
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
  },
  PaymentV1: {
    name: "X-PAYMENT",
    in: "header",
    description: "x402 v1: a payment proof as base64 of JSON, such as the `xPaymentB64` of a signed payment",
    schema: { type: "string", contentEncoding: "base64", contentMediaType: "application/json" },
  },
  PaymentV2: {
    name: "PAYMENT-SIGNATURE",
    in: "header",
    description: "x402 v2: a payment proof as base64 of JSON, such as the `paymentPayloadB64` of a signed payment",
    schema: { type: "string", contentEncoding: "base64", contentMediaType: "application/json" },
  },
} as const;

export function headerParameters(e: Endpoint): object[] {
  const names = [
    ...(takesIdempotencyKey(e) ? ["IdempotencyKey"] : []),
    ...(isPaid(e) ? ["PaymentV1", "PaymentV2"] : []),
  ];
  const declaredHeaders = Object.entries(e.headers ?? {}).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));
  return [...names.map((name) => ({ $ref: `#/components/parameters/${name}` })), ...declaredHeaders];
}
