import { z } from "zod";
import { type Endpoint, responsesOf, type Surface } from "@/lib/core/endpoint";
import { type FailureTable, STATUS } from "@/lib/core/errors";
import { refTo, type Schema } from "@/lib/core/json-schema";
import { RETRY_RULES, type RetryRule } from "@/lib/core/retry";
import { edgeErrors } from "@/lib/http/errors";
import { identityErrors } from "@/lib/identity/errors";

/** Whether the endpoint can be paid for by x402. */
export const isPaid = (e: Endpoint): boolean => 402 in responsesOf(e);

/** Whether the edge honours an Idempotency-Key. */
export const takesIdempotencyKey = (e: Endpoint): boolean =>
  e.method === "POST" && !["none", "host", "seller"].includes(e.auth) && !e.rawBody;

const isForAgents = (e: Endpoint) => e.auth === "agent" || e.auth === "guest" || e.auth === "host";
const isForOwners = (e: Endpoint) => e.auth === "owner" || e.auth === "visitor";

const { table } = edgeErrors;
const { missing_bearer, invalid_or_expired_jwt, wrong_token_type, agent_not_found, invalid_token } =
  identityErrors.table;

/** Errors of the edge, and the endpoints that can return them. */
const EDGE: readonly { errors: FailureTable; when: (e: Endpoint) => boolean }[] = [
  { errors: { internal_error: table.internal_error, unavailable: table.unavailable }, when: () => true },
  // Returned by ops/server before the request reaches the endpoint.
  { errors: { body_too_large: table.body_too_large }, when: (e) => e.rawBody !== undefined },
  { errors: { uri_too_long: table.uri_too_long, headers_too_large: table.headers_too_large }, when: () => true },
  {
    errors: { invalid_request: table.invalid_request },
    when: (e) => Boolean(e.params ?? e.query ?? bodyOf(e)) || takesIdempotencyKey(e),
  },
  {
    errors: {
      invalid_json: table.invalid_json,
      body_too_large: table.body_too_large,
      unsupported_media_type: table.unsupported_media_type,
    },
    when: (e) => bodyOf(e) !== undefined,
  },
  { errors: { missing_bearer, invalid_or_expired_jwt, wrong_token_type, agent_not_found }, when: isForAgents },
  { errors: { invalid_token }, when: (e) => e.auth === "host" },
  { errors: { session_required: table.session_required }, when: (e) => e.auth === "owner" },
  { errors: { origin_not_allowed: table.origin_not_allowed }, when: (e) => isForOwners(e) && e.method !== "GET" },
  { errors: { rate_limited: table.rate_limited }, when: () => true },
  {
    errors: {
      idempotency_key_reused: table.idempotency_key_reused,
      idempotency_in_progress: table.idempotency_in_progress,
      idempotency_unknown: table.idempotency_unknown,
    },
    when: takesIdempotencyKey,
  },
];

export const bodyOf = (e: Endpoint): z.ZodType | undefined => e.body ?? e.paidBody;

const inCase: Record<Surface, (code: string) => string> = {
  wallet: (code) => code.toLowerCase(),
  resource: (code) => code.toUpperCase(),
  identity: (code) => code,
};

/** The error codes that an endpoint can return, by status and as they are sent. Codes of declared responses are not included. */
export function codesOf(e: Endpoint): ReadonlyMap<number, ReadonlySet<string>> {
  const tables = [e.errors, ...EDGE.filter(({ when }) => when(e)).map(({ errors }) => errors)];
  const byStatus = new Map<number, Set<string>>();
  for (const [code, [kind]] of tables.flatMap((errors) => Object.entries(errors))) {
    const codes = byStatus.get(STATUS[kind]) ?? new Set();
    byStatus.set(STATUS[kind], codes.add(inCase[e.surface](code)));
  }
  return byStatus;
}

const retry = z.enum(Object.keys(RETRY_RULES) as [RetryRule, ...RetryRule[]]);

const RETRY_TEXT = Object.entries(RETRY_RULES)
  .map(([rule, text]) => `\`${rule}\`: ${text}.`)
  .join(" ");

/** The error body of the surfaces `wallet` and `resource`. Some errors add members. */
export const errorSchema = z
  .looseObject({
    status: z.literal("error"),
    error: z.string().meta({ description: "The same as message" }),
    message: z.string().meta({ description: "What is wrong and what to do, for people and language models" }),
    code: z.string(),
    requestId: z.string().meta({ description: "Names the request in the service's log" }),
    retry: retry.meta({ description: RETRY_TEXT }),
    docsUrl: z.url().meta({ description: "A page about this code" }),
    field: z.string().optional().meta({ description: "The member of the request that is not valid" }),
    payment_model_context: z
      .object({ primer: z.string(), instructions: z.string() })
      .optional()
      .meta({ description: "How to log in, for language models" }),
  })
  .meta({ description: "An error. `code` and `retry` are for programs, `message` is for people" });

/** Members that are added to a declared response with an error code. */
export const remedySchema = z
  .looseObject({ retry: retry.optional(), docsUrl: z.url().optional() })
  .meta({ description: "Given together with `code`" });

/** The error body of one status. */
export function failureBody(surface: Surface, status: number, codes: ReadonlySet<string>): Schema {
  const code = { type: "string", enum: [...codes].sort() };
  if (surface !== "identity") return { allOf: [refTo("Error"), { type: "object", properties: { code } }] };
  // A 400 of an identity endpoint describes the error in words.
  const error = status === STATUS.invalid ? { type: "string" } : code;
  return { type: "object", properties: { error }, required: ["error"] };
}
