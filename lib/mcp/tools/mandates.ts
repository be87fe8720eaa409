import { firstCharacters } from "@/lib/core/characters";
import { createIntent, getMandate, listMandates } from "@/lib/mandates/contract";
import { endpointTool } from "../tool";

/** For a proposal: the response and the next step. For an existing mandate: the mandate. */
const toMandate = ({ mandate, ...proposal }: Record<string, unknown>) =>
  mandate === undefined ? { ...proposal, nextStep: NEXT_STEP } : { status: "ok", mandate };

const NEXT_STEP = "Show the user authorizationUrl. After they signed, get_mandate_status shows status signed";

export const mandateTools = [
  endpointTool("create_intent_mandate", createIntent, {
    title: "Propose a mandate",
    description:
      "Propose a spending budget. The user signs it at authorizationUrl; you cannot sign it. Payments are possible after that.",
    toValue: toMandate,
    person: {
      request: ({ authorizationUrl, mandateId }, { json }) => ({
        url: String(authorizationUrl),
        message: messageFor(json),
        state: String(mandateId),
      }),
      readBy: { endpoint: getMandate, param: "mandateId" },
    },
  }),
  endpointTool("get_mandate_status", getMandate, {
    title: "Status of a mandate",
    description: "One mandate: whether it is signed, and how much of it is left.",
    toValue: toMandate,
  }),
  endpointTool("list_mandates", listMandates, {
    title: "List mandates",
    description: "This agent's mandates: those that can pay first, then paused, waiting and ended ones.",
  }),
];

/** `json` is valid: the endpoint has accepted it. */
function messageFor(json: unknown): string {
  const { intent } = json as { intent: { limitAmount: string; naturalLanguage: string } };
  return `Sign a mandate of ${intent.limitAmount} atomic USDC: ${firstCharacters(intent.naturalLanguage, 200)}`;
}
