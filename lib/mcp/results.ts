import type { CallToolResult } from "@modelcontextprotocol/server";
import { AppError, type Kind } from "@/lib/core/errors";
import { edgeErrors } from "@/lib/http/errors";
import { ChainUnavailable } from "@/lib/platform/chain";
import { isDatabaseDown } from "@/lib/platform/db";

/** Structured content, and the same as text for hosts that show only text. */
export const toResult = (value: object, isError = false): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: { ...value },
  ...(isError && { isError: true }),
});

type RetryRule = "after_a_wait" | "after_a_change" | "check_first";

const RETRY: Record<Kind, RetryRule> = {
  ...{ invalid: "after_a_change", unauthenticated: "after_a_change", payment_required: "after_a_change" },
  ...{ forbidden: "after_a_change", not_found: "after_a_change", conflict: "after_a_change", gone: "after_a_change" },
  ...{ too_large: "after_a_change", unsupported_media: "after_a_change", unprocessable: "after_a_change" },
  ...{ limited: "after_a_wait", unavailable: "check_first", internal: "check_first" },
};

const WAIT_FOR = new Set(["idempotency_in_progress", "purchase_in_progress"]);

const GENERAL_STEP: Record<RetryRule, string> = {
  after_a_wait: "Wait, then repeat the same call",
  after_a_change: "Do not repeat the call unchanged",
  check_first:
    "Check whether the call took effect before you repeat it, and repeat it only with the same idempotency key",
};

const NEXT_STEPS: Readonly<Record<string, string>> = {
  missing_bearer:
    "Call init_agent_id once, put its token into this server's configuration as the header Authorization: Bearer <token>, and connect again",
  no_mandate: "Call create_intent_mandate, show the user its authorizationUrl, and repeat this call with the same key",
  mandate_not_signed: "Show the user the mandate's authorizationUrl, and repeat this call after they signed",
  mandate_not_found: "Call get_agent_status: it lists your mandates",
  max_amount_exceeded:
    "Ask the user whether to pay this price; repeat the call with a higher maxAmount only if they agree",
  firewall_blocked: "Show the findings to the user. Do not pay without their decision",
  agent_not_authorized:
    "Call create_intent_mandate and show the user its authorizationUrl: it links this agent to them",
};

/** Members of an error that a model can act on. */
const SHOWN = [
  ...["field", "authorizationUrl", "signUrl", "approvalUrl", "retryAfterSeconds", "amount", "amountFormatted"],
  ...["maxAmount", "network", "host", "why", "findings", "verdict", "remainingAmount", "status", "mandateId", "fields"],
] as const;

function asAppError(thrown: unknown): AppError {
  if (AppError.is(thrown)) return thrown;
  if (ChainUnavailable.is(thrown) || isDatabaseDown(thrown)) return edgeErrors.unavailable(undefined, thrown);
  return edgeErrors.internal_error(undefined, thrown);
}

/** A failure as a tool's result: code, message, next step and retry rule. */
export function toFailure(thrown: unknown): { result: CallToolResult; error: AppError } {
  const error = asAppError(thrown);
  const { kind, details = {} } = error;
  const code = error.code.toLowerCase();
  const retry = WAIT_FOR.has(code) ? "after_a_wait" : RETRY[kind];
  const message = typeof details.message === "string" ? details.message : error.message;
  const more = Object.fromEntries(
    SHOWN.flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]]])),
  );
  const nextStep = NEXT_STEPS[code] ?? instructionsIn(details) ?? GENERAL_STEP[retry];
  return { error, result: toResult({ error: { ...more, code, message, nextStep, retry } }, true) };
}

function instructionsIn({ payment_model_context: context }: Record<string, unknown>): string | undefined {
  const isGiven = typeof context === "object" && context !== null && "instructions" in context;
  return isGiven && typeof context.instructions === "string" ? context.instructions : undefined;
}
