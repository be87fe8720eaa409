import type { Surface } from "@/lib/core/endpoint";
import { type AppError, type Kind, STATUS } from "@/lib/core/errors";
import { docsUrl, retryOf } from "@/lib/core/retry";
import { edgeErrors } from "./errors";

/** The next step for a language model that reads the refusal. */
const LOG_IN_FIRST = {
  primer: "This wallet acts for a registered agent, which every call names by its login JWT.",
  instructions:
    "Send Authorization: Bearer <jwt>. Get one from POST /register (once) or POST /refresh with agent_id and token; it lives for minutes.",
};

type Context = { requestId: string; baseUrl: string };

/** The body of an error, in the form of the surface. */
export const errorBody: Record<Surface, (e: AppError, context: Context) => object> = {
  wallet: (e, context) => walletError(e, e.code.toLowerCase(), context),
  resource: (e, context) => walletError(e, e.code.toUpperCase(), context),
  identity: (e) => ({ error: e.details?.reason ?? (e.code in edgeErrors.table ? e.code : e.message) }),
};

function walletError(e: AppError, code: string, { requestId, baseUrl }: Context): object {
  const message = typeof e.details?.message === "string" ? e.details.message : e.message;
  // The key of a seller is not a login that an agent can renew.
  const isAgents = e.status === STATUS.unauthenticated && code !== "invalid_api_key";
  const login = isAgents && { payment_model_context: LOG_IN_FIRST };
  const body = { ...e.details, ...login, status: "error", error: message, message, code, requestId };
  return { ...body, ...remedyOf(code, e.kind, { ...body }, baseUrl) };
}

/** What to do next, and where it is explained. */
const remedyOf = (code: string, kind: Kind, body: object, baseUrl: string) => ({
  retry: retryOf(code, kind, body),
  docsUrl: docsUrl(baseUrl, code),
});

const KINDS = new Map(Object.entries(STATUS).map(([kind, status]) => [status as number, kind as Kind]));

/** Adds what to do next to a declared response that names an error code: a refused proof, a transfer that failed. */
export function withRemedy(status: number, body: unknown, baseUrl: string): unknown {
  const kind = KINDS.get(status);
  if (kind === undefined || typeof body !== "object" || body === null) return body;
  if (!("code" in body) || typeof body.code !== "string") return body;
  return { ...body, ...remedyOf(body.code, kind, body, baseUrl) };
}
