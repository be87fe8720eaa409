import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { endpoint } from "@/lib/core/endpoint";
import { agentId, id } from "@/lib/core/id-text";
import type { SettlementId } from "@/lib/core/ids";
import { DEFAULT_LIMITS } from "@/lib/core/limits";
import { isoDate } from "@/lib/core/time-text";
import { type AnyResponse, isResponse, wholeResponse } from "@/lib/core/whole-response";
import { edgeErrors } from "@/lib/http/errors";
import * as sample from "@/lib/samples";
import { proofErrors } from "@/lib/settlements/errors";
import { PASS_REFUSALS, paymentResponses, URL_REFUSALS } from "@/lib/settlements/responses";
import { params } from "../contract";
import { linkErrors } from "../errors";
import {
  CALLS_SHOWN_MAX,
  DELIVERY_SECONDS,
  FIGURES_DAYS,
  KEPT_ANSWER_BYTES_MAX,
  TEST_ANSWER_LENGTH_MAX,
  TRIES_MAX,
  UPSTREAM_REQUEST_BYTES_MAX,
} from "./limits";
import { PAID_METHODS, type PaidRequest, UPSTREAM_FAILURES } from "./rules";
import type { Delivery, TestCall } from "./service";
import type { CallFigures, UpstreamCall } from "./store";

export type { PaidMethod } from "./rules";

const failed = z.object({
  status: z.literal("error"),
  error: z.string(),
  message: z.string(),
  code: z.literal("UPSTREAM_FAILED"),
  /**
   * What went wrong at the seller's API. `busy`: another request with this proof is there, or this server has no room for the answer or
   * ends. `gone`: the seller has removed it, hours ago.
   */
  reason: z.enum([...UPSTREAM_FAILURES, "busy", "gone"]).nullable(),
  settlementId: id("settlement"),
  /** Until then, the same request with the same proof is another try, without a payment. Absent after the last one. */
  repeatUntil: isoDate.optional(),
  callEnd: z
    .enum(["back", "blocked", "counted", "unknown"])
    .optional()
    .describe(
      "Of a call on a pass. `back`: the pass has it again. `blocked`: it has, but admits no call now. `counted`: it does not come back. `unknown`: the pass shows what is left",
    ),
  requestId: z.string(),
});

export type FailedCall = z.output<typeof failed>;

/** The upstream's own response; in the example, its body. */
const passedOn = z
  .custom<AnyResponse>((value) => isResponse(value) || typeof value === "string")
  .meta({
    type: "string",
    contentMediaType: "*/*",
    description: "The answer of the seller's API: its status, its body and the type of it",
  });

/** `repeatUntil` is absent when the request cannot be repeated. */
export function failedCall(
  { failure, next, answeredAt = null }: Extract<Delivery, { type: "failed" }>,
  settlementId: SettlementId,
  requestId: string,
): FailedCall {
  const sent = `You have paid, and were answered at ${answeredAt?.toISOString()}${failure ? ` up to a limit of the seller's (${failure})` : ""}`;
  const unanswered = `You have paid, but there is no answer of the seller's API to deliver (${failure ?? "not kept"})`;
  const nextStep = next
    ? `Do not pay again: send the same request with the same proof in ${next.waitSeconds} seconds, at the latest at ${next.until.toISOString()}`
    : answeredAt
      ? "The answer is no longer kept, and this payment brings no other"
      : "This payment brings no other try: ask the seller for a refund";
  const message = `${answeredAt ? sent : unanswered}. ${nextStep}`;
  return {
    status: "error",
    error: message,
    message,
    code: "UPSTREAM_FAILED",
    reason: failure,
    settlementId,
    ...(next && { repeatUntil: next.until }),
    requestId,
  };
}

/**
 * The upstream's answer for the buyer. A stranger's page must not act as one of this service, and no cache may keep what was paid for.
 */
export function toAnswer({ body, ...answer }: Extract<Delivery, { type: "answered" }>["answer"]): AnyResponse {
  const head = {
    status: answer.status,
    headers: {
      ...answer.headers,
      // `no-transform`: compression would hold a stream back.
      "cache-control": "no-store, no-transform",
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
    },
  };
  return body instanceof Uint8Array ? wholeResponse(body, head) : new Response(body, head);
}

const { LINK_NOT_FOUND, WALLET_NOT_LINKED, LINK_DISABLED, LINK_EXPIRED, LINK_SOLD_OUT } = linkErrors.table;
const { PATH_NOT_OFFERED, METHOD_NOT_OFFERED, CALLS_FULL, UPSTREAM_FAILED, PASS_REFUSED } = linkErrors.table;

const responses = paymentResponses(passedOn, {}, [...URL_REFUSALS, ...PASS_REFUSALS]);

/** One endpoint for each method. */
const callFor = <M extends (typeof PAID_METHODS)[number]>(method: M) =>
  endpoint({
    method,
    path: "/paid/{linkId}/{path}",
    summary: `A paid ${method} of a seller's API`,
    description: `402 with the price of exactly this request, then the answer of the seller's API for a valid proof: its status (shown here as 200), its body and the type of it. Each payment buys one request: path, query, method, body and its type. If the API fails after the payment (\`UPSTREAM_FAILED\`), send the same request with the same proof again, within an hour after the payment settled and at most ${TRIES_MAX} times: nothing is paid again. Wait for \`Retry-After\`, which grows with each try so that they last for most of the hour. An answer that was lost is given again in the same way, if it has at most ${KEPT_ANSWER_BYTES_MAX / 1024} KB and the answers kept for the link in an hour have at most ${DEFAULT_LIMITS.kept_kb_per_link.requests.toLocaleString("en")} KB; for another one, the API is asked again, which counts as a try. Without the extension payment-identifier, this works from the same network address only. Server-sent events, and answers of unknown length that take longer than a second, are passed on while they arrive. If the API breaks off, that is a failure like the others; at the seller's limit of time or size the answer ends, and a buyer who has read it until then gets no other try. The rest of an answer has to be read within ${DELIVERY_SECONDS} seconds after its end. There are no WebSockets. With a pass of the link (\`GET /pass/{linkId}\`) as \`Authorization: Bearer pass_…\`, a request takes a call of the pass in place of a payment. Name a call that must not be carried out twice with an \`Idempotency-Key\`: the API gets the same key, made of it and the pass, for each try. The 402 names the pass that the link offers in the extension \`tessera-pass\` of its header \`PAYMENT-REQUIRED\`.`,
    auth: "none",
    surface: "resource",
    stores: "paid",
    work: 8,
    params: params.extend({ path: z.unknown().optional().meta({ type: "string", description: "May have slashes" }) }),
    ...(method !== "GET" && method !== "DELETE" && { passedBody: { bytesMax: UPSTREAM_REQUEST_BYTES_MAX } }),
    response: { ...responses, 503: failed },
    errors: {
      LINK_NOT_FOUND,
      PATH_NOT_OFFERED,
      METHOD_NOT_OFFERED,
      WALLET_NOT_LINKED,
      LINK_DISABLED,
      LINK_EXPIRED,
      LINK_SOLD_OUT,
      CALLS_FULL,
      UPSTREAM_FAILED,
      PASS_REFUSED,
      ...(method !== "GET" && { BODY_TOO_LARGE: edgeErrors.table.body_too_large }),
      // Of the arguments of a tool.
      ...(method === "POST" && { INVALID_JSON: edgeErrors.table.invalid_json }),
      ...proofErrors,
    },
    example: { responses: { 200: '{"price":"3120.50"}', 202: sample.pending } },
  });

export const getPaid = callFor("GET");
export const postPaid = callFor("POST");
export const putPaid = callFor("PUT");
export const patchPaid = callFor("PATCH");
export const deletePaid = callFor("DELETE");

const failureName = z.enum(UPSTREAM_FAILURES).describe("Why there was no answer that a buyer gets, or no whole one");

const callView = z.object({
  settlementId: id("settlement"),
  method: z.enum(PAID_METHODS),
  path: z.string(),
  status: z.int().nullable().describe("What the upstream answered last; null without an answer"),
  failure: failureName.nullable(),
  milliseconds: z.int().nullable().describe("How long the last try took"),
  tries: z.int().describe("How often the upstream was asked"),
  createdAt: isoDate,
});

export const toCallView = (call: UpstreamCall): z.output<typeof callView> => {
  const { settlementId, method, path, status, failure, milliseconds, triesStarted: tries, createdAt } = call;
  return { settlementId, method, path, status, failure, milliseconds, tries, createdAt };
};

const requests = z.int().describe("How many paid requests");
const figures = z
  .object({
    requests,
    income: z.string().describe("Atomic units, before refunds"),
    statuses: z
      .array(z.object({ status: z.int().nullable().describe("HTTP status; null without an answer"), requests }))
      .describe("The last answers by status"),
    failures: z
      .array(z.object({ failure: failureName, requests }))
      .describe("Requests that ended without a whole answer"),
    slowest: z
      .array(
        z.object({
          method: z.enum(PAID_METHODS),
          path: z.string().describe("As the link names it; `/{path}` for a link that sells every path"),
          requests,
          milliseconds: z.int().describe("Average time of an answer"),
        }),
      )
      .describe("The paths whose answers took longest"),
  })
  .describe(`The paid requests of the last ${FIGURES_DAYS} days`);

export const toFigures = ({ income, ...counts }: CallFigures): z.output<typeof figures> => ({
  ...counts,
  income: income.toString(),
});

export const listCalls = endpoint({
  method: "GET",
  path: "/api/payment-links/{linkId}/calls",
  summary: "The paid calls of a link that sells an API",
  description: `The figures of the settled calls of the last ${FIGURES_DAYS} days, and the newest calls, at most ${CALLS_SHOWN_MAX}. \`failure\` says why the upstream gave no answer that could be delivered.`,
  work: 20,
  auth: "agent",
  surface: "resource",
  params,
  response: z.object({
    success: z.literal(true),
    figures,
    calls: z.array(callView).describe(`Newest first, at most ${CALLS_SHOWN_MAX}`),
  }),
  errors: { LINK_NOT_FOUND },
  example: {
    responses: {
      200: {
        ...sample.SUCCESS,
        figures: {
          requests: 12,
          income: "120000",
          statuses: [
            { status: 200, requests: 11 },
            { status: null, requests: 1 },
          ],
          failures: [{ failure: "timeout", requests: 1 }],
          slowest: [{ method: "GET", path: "/quotes/{symbol}", requests: 11, milliseconds: 84 }],
        },
        calls: [
          {
            settlementId: sample.SETTLEMENT,
            method: "GET",
            path: "/quotes/ETH",
            status: 200,
            failure: null,
            milliseconds: 84,
            tries: 1,
            createdAt: sample.link.createdAt,
          },
        ],
      },
    },
  },
});

const testBody = z.object(
  {
    method: z.enum(PAID_METHODS).default("GET"),
    path: z
      .string("must be a path")
      .max(2_000, "must have at most 2000 characters")
      .regex(/^\/[^#\s\\]*$/, "must begin with a slash")
      .default("/")
      .describe("Below the upstream's URL, with a query"),
    body: z.string("must be a text").nullable().default(null),
    contentType: z
      .string("must be a media type")
      .regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w=.-]+)?$/, "must be a media type")
      .max(100, "must have at most 100 characters")
      .default("application/json")
      .describe("Of `body`"),
  },
  "must be an object",
);

export function toTestRequest({ method, path: target, body, contentType }: z.output<typeof testBody>): PaidRequest {
  const { pathname: path, search } = new URL(`http://localhost${target}`);
  const headers = body === null ? {} : { "content-type": contentType };
  return { method, path, search, headers, body: Buffer.from(body ?? "") };
}

const testResult = z
  .object({
    status: z.int().nullable().describe("HTTP status; null without an answer"),
    failure: failureName.nullable(),
    milliseconds: z.int().describe("How long the upstream took"),
    contentType: z.string().nullable().describe("Media type of the answer"),
    body: z.string().nullable().describe("The beginning of the answer; null without one that a buyer would get"),
  })
  .describe("What a buyer would get");

export type TestResult = z.output<typeof testResult>;

export function toTestResult({ ended, milliseconds }: TestCall): TestResult {
  if (ended.type === "failed")
    return { status: ended.status, failure: ended.failure, milliseconds, contentType: null, body: null };
  const { status, headers, bytes } = ended.answer;
  const body = bytes.toString("utf8").slice(0, TEST_ANSWER_LENGTH_MAX);
  return { status, failure: null, milliseconds, contentType: headers["content-type"] ?? null, body };
}

export const testOwnedLink = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/payment-links/{linkId}/test-call",
  summary: "Call the upstream of a payment link without a payment, as its owner",
  description: `What a buyer would get for this request: the answer, of which \`body\` has at most ${TEST_ANSWER_LENGTH_MAX.toLocaleString("en")} characters, or the \`failure\`. The upstream gets the link's headers, and no \`Tessera-Payment\`, because nobody has paid.`,
  work: 20,
  auth: "owner",
  surface: "wallet",
  stores: "nothing",
  params: params.extend({ agentId }),
  body: testBody,
  bodyBytesMax: UPSTREAM_REQUEST_BYTES_MAX,
  response: z.object({ success: z.literal(true), call: testResult }),
  errors: {
    agent_not_found: agentErrors.table.agent_not_found,
    LINK_NOT_FOUND,
    PATH_NOT_OFFERED,
    METHOD_NOT_OFFERED,
    CALLS_FULL,
    rate_limited: edgeErrors.table.rate_limited,
  },
  example: {
    request: { method: "GET", path: "/quotes/ETH" },
    responses: {
      200: {
        ...sample.SUCCESS,
        call: {
          status: 200,
          failure: null,
          milliseconds: 84,
          contentType: "application/json",
          body: '{"price":"3120.50"}',
        },
      },
    },
  },
});

export const getSoldApi = endpoint({
  method: "GET",
  path: "/api/payment-links/{linkId}/openapi.json",
  summary: "The API that a link sells, as OpenAPI 3.1 with prices",
  description:
    "Each path and method has `x-payment-info`: `offers` of the Machine Payments Protocol, `price` of AgentCash. `GET /discovery/resources` names the documents of listed links; anybody who has the link can read it. The 402 of a request states what is paid. What the API takes and answers is not described. `info` and the paths are the seller's words.",
  auth: "none",
  surface: "resource",
  limitPerAddress: "discovery_per_address",
  params,
  response: z.object({
    openapi: z.literal("3.1.0").describe("The version of OpenAPI"),
    info: z
      .object({
        title: z.string().describe("The link's title"),
        description: z.string().describe("The link's description"),
        version: z.string().describe("When the link was changed last"),
      })
      .describe("About the API"),
    servers: z
      .array(z.object({ url: z.string().describe("Where the paths begin") }))
      .describe("Where requests are paid for"),
    paths: z
      .record(z.string(), z.record(z.string(), z.looseObject({})))
      .describe("By path, then by method in lower case: an operation with `x-payment-info`"),
  }),
  errors: { LINK_NOT_FOUND, WALLET_NOT_LINKED, LINK_DISABLED, LINK_EXPIRED, LINK_SOLD_OUT },
  example: {
    responses: {
      200: {
        openapi: "3.1.0",
        info: { title: "Quotes", description: "", version: sample.UPDATED },
        servers: [{ url: `${sample.ORIGIN}/paid/${sample.LINK}` }],
        paths: {
          "/quotes/{symbol}": {
            get: {
              operationId: "get1",
              "x-payment-info": { price: { mode: "fixed", amount: "0.02", currency: "USD" } },
              responses: { 402: { description: "The price of this request" } },
            },
          },
        },
      },
    },
  },
});
