import { parseUrl } from "@tessera/x402/url";
import { z } from "zod";
import { signV1 } from "@/lib/approvals/contract";
import { getPayment, listPayments, signV2, signV3 } from "@/lib/payments/contract";
import { purchaseErrors } from "@/lib/purchases/errors";
import { offersOf } from "@/lib/purchases/offers";
import { keyText } from "../arguments";
import { askPerson, endpointTool, idText, METHODS, tool } from "../tool";

const paymentRequired = z
  .looseObject({ x402Version: z.union([z.literal(1), z.literal(2)]), accepts: z.array(z.unknown()).min(1).max(64) })
  .describe("The JSON body of the 402, unchanged");

/** The API's form; the API validates it. */
const agentAuthorization = z.strictObject({
  validAfter: z.string().max(20),
  validBefore: z.string().max(20),
  nonce: z.string().max(66),
  signature: z.string().max(200),
});

const intent = z
  .looseObject({
    http_url: z
      .string()
      .max(4096)
      .optional()
      .describe("The URL that you called: for a paid MCP tool, that of its server"),
  })
  .optional();

type Said = { payment_required: z.output<typeof paymentRequired>; intent?: z.output<typeof intent> };

const named = z.object({ resource: z.string() });
const namedV2 = z.object({ resource: z.object({ url: z.string() }) });

/** The request body for the first payable entry of `accepts`. Throws no_payable_option, invalid_url. */
function bodyOf({ payment_required: required, intent: paymentIntent }: Said, window: number | undefined) {
  const v1 = named.safeParse(required.accepts[0]).data?.resource;
  const url = parseUrl(paymentIntent?.http_url ?? v1 ?? namedV2.safeParse(required).data?.resource.url ?? "");
  if (!url) throw purchaseErrors.invalid_url();
  const bytes = Buffer.from(JSON.stringify(required));
  const [offer] = offersOf({ headers: {}, bytes }, url);
  if (!offer) throw purchaseErrors.no_payable_option();
  const { network, payTo, assetAddress, description, validityWindowSeconds } = offer.terms;
  return {
    scheme: "exact",
    network,
    currency: "USDC",
    amount: offer.amount.toString(),
    assetAddress,
    payTo,
    resource: url,
    description,
    validityWindowSeconds: window ?? validityWindowSeconds,
  };
}

export const paymentTools = [
  tool(
    "request_x402_payment",
    {
      title: "Request one payment without a mandate",
      description:
        "Ask the user to approve one x402 payment. They decide at approvalUrl; call again with options.approval_id for the proof (xPaymentB64). pay_url does the whole purchase under a mandate.",
      input: z.strictObject({
        payment_required: paymentRequired,
        intent,
        options: z
          .strictObject({
            validity_window_seconds: z.int().min(1).max(3600).optional(),
            approval_id: idText("apr_…").optional(),
          })
          .optional(),
        idempotencyKey: keyText.optional(),
      }),
    },
    async ({ api }, { options = {}, idempotencyKey, ...paymentInput }, call) => {
      const approvalId = options.approval_id ?? call.state ?? undefined;
      const json = { ...bodyOf(paymentInput, options.validity_window_seconds), approvalId };
      const { body, status } = await api.call(signV1, { json, idempotencyKey });
      // The person is asked only once; after that, the URL is returned as text.
      if (status !== 202 || call.state !== null) return body;
      const url = String(body.approvalUrl);
      return askPerson(call, body, { url, message: String(body.message), state: String(body.approvalId) });
    },
  ),
  tool(
    "request_x402_v3_payment",
    {
      title: "Sign one payment under a mandate",
      description:
        'Sign one x402 payment under a signed mandate. Returns the proof: send it in X-Payment (x402 v1) or PAYMENT-SIGNATURE (v2), or to a paid MCP tool in _meta["x402/payment"]. pay_url does the whole purchase.',
      input: z.strictObject({
        mandate_id: idText("mand_…"),
        payment_required: paymentRequired,
        intent,
        method: z.enum(METHODS).optional().describe("Method of the paid request; default GET"),
        agentAuthorization: agentAuthorization
          .optional()
          .describe("For a vault whose terms name the agent's key: its signature of the error's typedData"),
        idempotencyKey: keyText.optional(),
      }),
    },
    async (
      { api },
      { mandate_id: mandateId, idempotencyKey, method, agentAuthorization: byAgent, ...paymentInput },
      call,
    ) => {
      const { payment_required: paymentRequest, intent } = paymentInput;
      const isV2 = paymentRequest.x402Version === 2;
      const request = isV2 ? { paymentRequest, resource: intent?.http_url } : bodyOf(paymentInput, undefined);
      const json = { ...request, mandateId, method, ...(byAgent && { agentAuthorization: byAgent }) };
      const { body, status } = await api.call(isV2 ? signV2 : signV3, { json, idempotencyKey });
      if (status !== 202 || call.state !== null) return body;
      const url = String(body.approvalUrl);
      return askPerson(call, body, {
        url,
        message: String(body.message),
        state: String(body.payeeId ?? body.approvalId),
      });
    },
  ),
  endpointTool("list_payments", listPayments, {
    title: "List payments",
    description: "Payments signed for this agent, newest first.",
  }),
  endpointTool("get_payment", getPayment, {
    title: "Get a payment",
    description: "One payment signed for this agent: whether the money moved.",
    toValue: ({ payment }) => ({ payment }),
  }),
];
