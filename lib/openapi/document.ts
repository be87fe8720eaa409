import { z } from "zod";
import { addressText } from "@/lib/core/address-text";
import { agentId } from "@/lib/core/id-text";
import { amount, limitAmount, positiveAmount } from "@/lib/core/money";
import { isoDate } from "@/lib/core/time-text";
import { linkView } from "@/lib/links/contract";
import { receivedView } from "@/lib/links/received/contract";
import { mandateView } from "@/lib/mandates/responses";
import { cookieNames } from "@/lib/owners/cookies";
import { paymentView } from "@/lib/payments/responses";
import { payoutView } from "@/lib/payouts/responses";
import { refundView } from "@/lib/refunds/contract";
import { pendingPayment } from "@/lib/settlements/responses";
import { EVENT_TYPES, type EventType, entryOf, TEST_TYPE, VERIFICATION_TYPE } from "@/lib/webhooks/catalogue";
import { ENDPOINTS, TAGS } from "./endpoints";
import { errorSchema, remedySchema } from "./failures";
import { HEADER_PARAMETERS, HEADERS } from "./headers";
import { operationOf } from "./operation";
import { type Components, nameSchemas, type Schema, wireSchema } from "./schemas";

/** The headers of Standard Webhooks 1.0.0. */
const PARAMETERS = [
  ["webhook-id", "The event: the same for every attempt and replay"],
  ["webhook-timestamp", "The time of this attempt, in Unix seconds"],
  [
    "webhook-signature",
    "`v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; one for each valid secret, separated by a space",
  ],
].map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

/** JSON types of event members: everything except objects. */
const SIMPLE = ["string", "number", "boolean", "array", "null"];

function operation(type: string, summary: string, data: Schema) {
  return {
    post: {
      operationId: `on.${type}`,
      tags: ["Webhooks"],
      summary,
      security: [],
      parameters: PARAMETERS,
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: { type: { const: type }, timestamp: { type: "string", format: "date-time" }, data },
              required: ["type", "timestamp", "data"],
            },
          },
        },
      },
      responses: {
        "2XX": { description: "Received. Answer before you process the event" },
        "4XX": { description: "Refused. The message is sent again later" },
      },
    },
  };
}

const buildTextSchema = (names: readonly string[]): Schema => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: [...names],
});

/** The webhook messages by event type. */
const webhooks = () => ({
  ...Object.fromEntries(
    EVENT_TYPES.map((type: EventType) => {
      const { subject, says, data } = entryOf(type);
      const members = Object.entries(data).map(([name, description]) => [name, { type: SIMPLE, description }]);
      const schema: Schema = {
        type: "object",
        properties: {
          [subject]: { type: "string" },
          agentId: { type: ["string", "null"] },
          ...Object.fromEntries(members),
        },
        required: [subject, "agentId", ...Object.keys(data)],
      };
      return [type, operation(type, says, schema)];
    }),
  ),
  [TEST_TYPE]: operation(TEST_TYPE, "A test that you asked for", buildTextSchema(["webhookId"])),
  [VERIFICATION_TYPE]: operation(
    VERIFICATION_TYPE,
    "Answer with the challenge, to show that you expect our messages",
    buildTextSchema(["webhookId", "challenge"]),
  ),
});

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
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: HEADERS,
      parameters: HEADER_PARAMETERS,
      securitySchemes: securitySchemes(baseUrl),
    },
  };
}
