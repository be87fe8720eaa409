import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { agentId } from "@/lib/core/id-text";
import { type Components, nameSchemas, wireSchema } from "@/lib/core/json-schema";
import { amount, limitAmount, positiveAmount } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time-text";
import { linkView } from "@/lib/links/contract";
import { receivedView } from "@/lib/links/received/contract";
import { mandateView } from "@/lib/mandates/responses";
import { cookieNames } from "@/lib/owners/cookies";
import { paymentView } from "@/lib/payments/responses";
import { payoutView } from "@/lib/payouts/responses";
import { approvalSummary } from "@/lib/platform/summary";
import { refundView } from "@/lib/refunds/contract";
import { pendingPayment } from "@/lib/settlements/responses";
import { describeMembers } from "./describe";
import { ENDPOINTS, TAGS } from "./endpoints";
import { errorSchema, remedySchema } from "./failures";
import { HEADER_PARAMETERS, HEADERS } from "./headers";
import { asPage, operationOf } from "./operation";
import { webhooks } from "./webhooks";

const NAMED: Readonly<Record<string, z.ZodType>> = {
  Address: addressText,
  AgentId: agentId,
  Amount: amount,
  PositiveAmount: positiveAmount,
  LimitAmount: limitAmount,
  Timestamp: isoDate,
  Mandate: mandateView,
  Payment: paymentView,
  PaymentLink: linkView,
  ReceivedPayment: receivedView,
  Refund: refundView,
  Payout: payoutView,
  PendingPayment: pendingPayment,
  ApprovalSummary: approvalSummary,
  Error: errorSchema,
  Remedy: remedySchema,
};

const DESCRIPTION = `A wallet for agents: mandates, x402 payments and their settlement on Base.

Amounts are strings of digits in atomic USDC: \`"1000000"\` is 1.0 USDC. Responses may gain members: ignore those you do not know.
Every error has a \`code\` for programs, a \`retry\` rule that says what is safe to repeat, and a \`docsUrl\`. Errors of identity
endpoints are \`{"error": "…"}\` only.`;

const securitySchemes = (baseUrl: string) => ({
  agentLogin: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An agent's login JWT, from `POST /register` or `POST /refresh`. It lives for minutes",
  },
  sellerKey: {
    type: "http",
    scheme: "bearer",
    description: "An API key of the facilitator (`tsk_…`), which an owner creates in the dashboard",
  },
  payment: {
    type: "http",
    scheme: "Payment",
    description:
      "MPP: a credential that answers the challenge in the `WWW-Authenticate` of the 402, method `evm`, intent `charge`, type `authorization`. Stock clients of the protocol send it",
  },
  ownerSession: {
    type: "apiKey",
    in: "cookie",
    name: cookieNames(baseUrl).session,
    description:
      "The session of an owner who signed in with their wallet, on a page of this service. Changes also need its `Origin`",
  },
});

export type OpenApi = ReturnType<typeof openApi>;

/** The API as an OpenAPI 3.1 document. `baseUrl` has no trailing slash. */
export function openApi(baseUrl: string) {
  nameSchemas(NAMED);
  const components: Components = new Map();
  // A named schema at the root would refer to itself; as members of one object, all are defined.
  wireSchema(z.object(NAMED), components);
  const paths: Record<string, Record<string, ReturnType<typeof operationOf>>> = {};
  for (const listed of ENDPOINTS) {
    const { path, method } = listed.endpoint;
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: operationOf(listed, baseUrl, components),
    };
  }
  const { get: payLink } = paths["/paymentlink/{linkId}"] ?? {};
  if (payLink) paths["/pay/{linkId}"] = { get: asPage(payLink, "payLinkPage") };
  return {
    openapi: "3.1.1",
    info: {
      title: "Tessera",
      version: "0.1.0",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: baseUrl }],
    tags: TAGS,
    paths,
    webhooks: webhooks(),
    components: {
      schemas: Object.fromEntries(
        [...components]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, schema]) => [name, describeMembers(schema, name)]),
      ),
      headers: HEADERS,
      parameters: HEADER_PARAMETERS,
      securitySchemes: securitySchemes(baseUrl),
    },
  };
}
