import { z } from "zod";
import { REASON_MAX } from "@/lib/refunds/contract";
import { amountText, askPerson, idText, keyText, pageFields, tool } from "../tool";

const refundId = idText("rfd_…");

export const refundTools = [
  tool(
    "initiate_refund",
    {
      title: "Request a refund",
      description: "Request a full or partial refund of a received payment. The user approves it at refundUrl.",
      input: z.strictObject({
        paymentId: z.int().min(1),
        amount: amountText.optional().describe("Atomic USDC; left out: the whole payment"),
        reason: z.string().max(REASON_MAX).optional(),
        idempotencyKey: keyText.optional(),
      }),
    },
    async ({ api }, { idempotencyKey, ...json }, call) => {
      if (call.state !== null) return (await api.call("getRefund", { params: { refundId: call.state } })).body;
      const { body } = await api.call("initiateRefund", { json, idempotencyKey });
      const message = `Approve a refund of ${body.amountFormatted} USDC`;
      return askPerson(call, body, { url: String(body.refundUrl), message, state: String(body.refundId) });
    },
  ),
  tool(
    "list_refunds",
    {
      title: "List refunds",
      description: "This agent's refunds, newest first.",
      input: z.strictObject(pageFields),
      readOnly: true,
    },
    async ({ api }, { limit, cursor }) =>
      (await api.call("listRefunds", { query: { ...(limit !== undefined && { limit: String(limit) }), cursor } })).body,
  ),
  tool(
    "get_refund",
    {
      title: "Status of a refund",
      description: "One refund.",
      input: z.strictObject({ refundId }),
      readOnly: true,
    },
    async ({ api }, params) => (await api.call("getRefund", { params })).body,
  ),
  tool(
    "cancel_refund",
    {
      title: "Cancel a refund",
      description: "Withdraw a refund that the user has not approved.",
      input: z.strictObject({ refundId }),
    },
    async ({ api }, params) => (await api.call("cancelRefund", { params })).body,
  ),
];
