import { z } from "zod";
import { firstCharacters } from "@/lib/core/shown";
import { CATEGORY_MAX, HOSTS_MAX, PURPOSE_MAX, YEAR_SECONDS } from "@/lib/mandates/intent";
import { PAYEES_MAX, PERIOD_MAX } from "@/lib/mandates/vaults/schemas";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { amountText, askPerson, idText, keyText, pageFields, pageQuery, tool } from "../tool";

const intent = z.strictObject({
  naturalLanguage: z.string().min(1).max(PURPOSE_MAX).describe("What the money is for, in words the user understands"),
  limitAmount: amountText,
  validForSeconds: z.int().min(1).max(YEAR_SECONDS),
  category: z.string().max(CATEGORY_MAX).optional(),
  currency: z.literal("USDC").optional(),
  network: z.enum(NETWORK_NAMES).optional(),
  maxAmountPerPayment: amountText.optional(),
  maxAmountPerDay: amountText.optional().describe("The most it may pay on one calendar day (UTC)"),
  maxAmountPerMonth: amountText.optional().describe("The most it may pay in one calendar month (UTC)"),
  hostAllowlist: z.array(z.string().min(1)).max(HOSTS_MAX).optional().describe("Hosts it may pay; empty: any"),
  vault: z
    .strictObject({
      agentKey: z
        .string()
        .max(42)
        .optional()
        .describe("Address of a key that only the agent's own process has: it signs each payment too"),
      payees: z.array(z.string().max(42)).min(1).max(PAYEES_MAX).optional().describe("The only addresses it may pay"),
      release: z
        .strictObject({ amount: amountText, seconds: z.int().min(1).max(PERIOD_MAX) })
        .optional()
        .describe("The limit is released in parts, so much every so many seconds"),
    })
    .optional()
    .describe("What the contract keeps as well, if the user signs with a vault"),
  confirmPayees: z.boolean().optional().describe("Confirm each new payTo with its host, or with the user"),
});

export const mandateTools = [
  tool(
    "create_intent_mandate",
    {
      title: "Propose a mandate",
      description:
        "Propose a spending budget. The user signs it at authorizationUrl; you cannot sign it. Payments are possible after that.",
      input: z.strictObject({ intent, idempotencyKey: keyText.optional() }),
    },
    async ({ api }, { intent: json, idempotencyKey }, call) => {
      if (call.state !== null) {
        const { body } = await api.call("getMandate", { params: { mandateId: call.state } });
        return { status: "ok", mandate: body.mandate };
      }
      const { body } = await api.call("createIntent", { json: { intent: json }, idempotencyKey });
      const url = String(body.authorizationUrl);
      const nextStep = "Show the user authorizationUrl. After they signed, get_mandate_status shows status signed";
      const message = `Sign a mandate of ${json.limitAmount} atomic USDC: ${firstCharacters(json.naturalLanguage, 200)}`;
      return askPerson(call, { ...body, nextStep }, { url, message, state: String(body.mandateId) });
    },
  ),
  tool(
    "get_mandate_status",
    {
      title: "Status of a mandate",
      description: "One mandate: whether it is signed, and how much of it is left.",
      input: z.strictObject({ mandate_id: idText("mand_…") }),
      readOnly: true,
    },
    async ({ api }, { mandate_id: mandateId }) => {
      const { body } = await api.call("getMandate", { params: { mandateId } });
      return { status: "ok", mandate: body.mandate };
    },
  ),
  tool(
    "list_mandates",
    {
      title: "List mandates",
      description: "This agent's mandates: those that can pay first, then paused, waiting and ended ones.",
      input: z.strictObject(pageFields),
      readOnly: true,
    },
    async ({ api }, page) => (await api.call("listMandates", { query: pageQuery(page) })).body,
  ),
];
