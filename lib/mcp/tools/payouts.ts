import { z } from "zod";
import { cancelPayout, createPayout, getPayout, listPayouts } from "@/lib/payouts/contract";
import { endpointTool } from "../tool";

const shownPayout = z.object({
  payoutId: z.string(),
  status: z.string(),
  txHash: z.string().nullable(),
  amount: z.string(),
  amountFormatted: z.string(),
  network: z.string(),
  toAddress: z.string().nullable(),
  failureReason: z.string().nullable(),
  approvalUrl: z.string().nullable(),
  expiresAt: z.number(),
});

const shownPage = z.object({ payouts: z.array(shownPayout), nextCursor: z.string().nullable() });

const toPayout = (body: unknown) => shownPayout.parse(body);

export const payoutTools = [
  endpointTool("request_payout", createPayout, {
    title: "Request a payout",
    description:
      "Send USDC from the owner's wallet to an address, or split it among several. Under a mandate that covers it, it goes at once; otherwise the user approves it at approvalUrl. payoutId is yours: the same id never pays twice.",
    required: ["payoutId"],
    omitted: ["agentId"],
    toValue: toPayout,
    person: {
      request: (body) => {
        const { approvalUrl, amountFormatted, toAddress, payoutId } = toPayout(body);
        const to = toAddress ?? "several addresses";
        if (approvalUrl === null) return null;
        return { url: approvalUrl, message: `Approve a payout of ${amountFormatted} USDC to ${to}`, state: payoutId };
      },
    },
  }),
  endpointTool("get_payout_status", getPayout, {
    title: "Status of a payout",
    description: "One payout. It ends as succeeded, failed, denied, cancelled or expired.",
    toValue: toPayout,
  }),
  endpointTool("list_payouts", listPayouts, {
    title: "List payouts",
    description: "This agent's payouts, newest first.",
    toValue: (body) => shownPage.parse(body),
  }),
  endpointTool("cancel_payout", cancelPayout, {
    title: "Cancel a payout",
    description: "Cancel a payout that still waits for the user's approval.",
  }),
];
