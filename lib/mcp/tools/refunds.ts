import { cancelRefund, getRefund, initiateRefund, listRefunds } from "@/lib/refunds/contract";
import { endpointTool } from "../tool";

export const refundTools = [
  endpointTool("initiate_refund", initiateRefund, {
    title: "Request a refund",
    description: "Request a full or partial refund of a received payment. The user approves it at refundUrl.",
    person: {
      request: ({ amountFormatted, refundUrl, refundId }) => ({
        url: String(refundUrl),
        message: `Approve a refund of ${amountFormatted} USDC`,
        state: String(refundId),
      }),
      readBy: { endpoint: getRefund, param: "refundId" },
    },
  }),
  endpointTool("list_refunds", listRefunds, {
    title: "List refunds",
    description: "This agent's refunds, newest first.",
  }),
  endpointTool("get_refund", getRefund, { title: "Status of a refund", description: "One refund." }),
  endpointTool("cancel_refund", cancelRefund, {
    title: "Cancel a refund",
    description: "Withdraw a refund that the user has not approved.",
  }),
];
