import type { CallToolResult } from "@modelcontextprotocol/server";
import type { AppError } from "@/lib/core/errors";
import { RETRY_RULES, retryOf } from "@/lib/core/retry";
import { asAppError } from "@/lib/http/app-error";

/** A value as structured content, and as text for hosts that show only text. */
export const toResult = (value: object, isError = false): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: { ...value },
  ...(isError && { isError: true }),
});

const NEXT_STEPS: Readonly<Record<string, string>> = {
  missing_bearer:
    "Call init_agent_id once, put its token into this server's configuration as the header Authorization: Bearer <token>, and connect again",
  approval_used: "Call get_agent_status: it lists the payment. Do not pay again before the user agrees",
  no_mandate: "Call create_intent_mandate, show the user its authorizationUrl, and repeat this call with the same key",
  owner_signature_required:
    "Call create_intent_mandate, show the user its authorizationUrl, and repeat this call after they signed",
  mandate_not_signed:
    "Show the user the authorizationUrl of this error, unchanged, and repeat this call after they signed",
  mandate_expired:
    "Call create_intent_mandate, show the user its authorizationUrl, and repeat this call after they signed",
  host_not_allowed:
    "Call create_intent_mandate with this host in hostAllowlist and show the user its authorizationUrl. Do not pay another host instead",
  payee_confirmation_required:
    "Show the user approvalUrl, where they confirm the address. Repeat this call with the same key after that",
  agent_authorization_required:
    "This mandate's vault also needs a signature of the agent's own key, which this server does not have and must never get. Pay from the agent's own process: its stdio server `npx tessera mcp` in place of this one, `npx tessera pay`, or withAgentKey of @tessera/client. request_x402_v3_payment takes the signature of typedData as agentAuthorization",
  agent_authorization_invalid:
    "Sign typedData with the agent's own key, in the agent's own process, and repeat the call with it",
  vault_failed: "Tell the user failure. Call create_intent_mandate and show them its authorizationUrl",
  mandate_not_found: "Call get_agent_status: it lists your mandates",
  max_amount_exceeded:
    "Ask the user whether to pay this price; repeat the call with a higher maxAmount only if they agree",
  payee_denied:
    "Do not pay this payee. Show the user the message and, if there is one, appealUrl, where a mistake can be reported to the operator",
  firewall_blocked: "Show the findings to the user. Do not pay without their decision",
  agent_not_authorized:
    "Call create_intent_mandate and show the user its authorizationUrl: it links this agent to them",
};

/** Tools for the endpoints that API messages name. Longer names come first. */
const TOOL_OF: readonly [endpoint: RegExp, tool: string][] = [
  [/POST \/api\/mandates\/create-intent/g, "create_intent_mandate"],
  [/GET \/api\/mandates\/agent\/\{mandateId\}/g, "get_mandate_status"],
  [/GET \/api\/mandates(\/eligible)?(\?[\w=&-]+)?/g, "get_agent_status"],
  [/GET \/api\/payouts\/\{payoutId\}/g, "get_payout_status"],
  [/GET \/api\/payments(\/\{\w+\})?/g, "get_agent_status"],
  [/POST \/register/g, "init_agent_id"],
];

/** Replaces endpoints in an API message with tools. */
const inTools = (text: string): string =>
  TOOL_OF.reduce((message, [endpoint, tool]) => message.replace(endpoint, tool), text);

/** Login errors in terms of this server: it uses the token in its configuration. */
const MESSAGES: Readonly<Record<string, string>> = {
  missing_bearer: "This server's configuration has no token of an agent",
};

/** Members of an error that are useful to a model. */
const SHOWN = [
  "list",
  "address",
  "appealUrl",
  ...["field", "fields", "authorizationUrl", "signUrl", "approvalUrl", "retryAfterSeconds", "stillValidUntil"],
  ...["amount", "amountFormatted", "maxAmount", "network", "host", "mandateId", "remainingAmount"],
  ...["payTo", "origin", "why", "summary", "verdict", "findings", "replacedBy"],
  ...["vault", "agentKey", "typedData", "availableAt", "missing", "failure"],
] as const;

/** An error as a tool result with code, message, next step and retry rule. */
export function toFailure(cause: unknown): { result: CallToolResult; error: AppError } {
  const error = asAppError(cause);
  const { kind, details = {} } = error;
  const code = error.code.toLowerCase();
  const retry = retryOf(code, kind, details);
  const apiMessage = typeof details.message === "string" ? details.message : error.message;
  const message = MESSAGES[code] ?? inTools(apiMessage);
  const extraDetails = Object.fromEntries(
    SHOWN.flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]]])),
  );
  // An existing mandate that waits for its signature must be signed; another proposal would not help.
  const step = details.why === "mandate_not_signed" ? details.why : code;
  const nextStep = NEXT_STEPS[step] ?? inTools(instructionsIn(details) ?? RETRY_RULES[retry]);
  return { error, result: toResult({ error: { ...extraDetails, code, message, nextStep, retry } }, true) };
}

function instructionsIn({ payment_model_context: context }: Record<string, unknown>): string | undefined {
  const isGiven = typeof context === "object" && context !== null && "instructions" in context;
  return isGiven && typeof context.instructions === "string" ? context.instructions : undefined;
}
