import { z } from "zod";
import { TEXT_MAX } from "@/lib/payouts/contract";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { amountText, askPerson, idText, pageFields, pageQuery, tool } from "../tool";

const payoutId = z.string().regex(/^[\w.:-]{1,100}$/);

export const payoutTools = [
  tool(
    "request_payout",
    {
      title: "Request a payout",
      description:
        "Send USDC from the owner's wallet to an address. Under a mandate that covers it, it goes at once; otherwise the user approves it at approvalUrl. payout_id is yours: the same id never pays twice.",
      input: z.strictObject({
        to_address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
        amount: amountText,
        payout_id: payoutId,
        mandate_id: idText("mand_…").optional(),
        network: z.enum(NETWORK_NAMES).optional(),
        description: z.string().max(TEXT_MAX.description).optional(),
      }),
    },
    async ({ api }, input, call) => {
      const { to_address: toAddress, amount, payout_id: id, mandate_id: mandateId, network, description } = input;
      const json = { toAddress, amount, payoutId: id, mandateId, network, description };
      const { body } = await api.call("createPayout", { json });
      const shown = toShown(body);
      if (shown.approvalUrl === null || call.state !== null) return shown;
      const message = `Approve a payout of ${shown.amountFormatted} USDC to ${toAddress}`;
      return askPerson(call, shown, { url: shown.approvalUrl, message, state: id });
    },
  ),
  tool(
    "get_payout_status",
    {
      title: "Status of a payout",
      description: "One payout. It ends as succeeded, failed, denied, cancelled or expired.",
      input: z.strictObject({ payout_id: payoutId }),
      readOnly: true,
    },
    async ({ api }, { payout_id: id }) => toShown((await api.call("getPayout", { params: { payoutId: id } })).body),
  ),
  tool(
    "list_payouts",
    {
      title: "List payouts",
      description: "This agent's payouts, newest first.",
      input: z.strictObject(pageFields),
      readOnly: true,
    },
    async ({ api }, page) => {
      const { payouts, nextCursor } = shownPage.parse((await api.call("listPayouts", { query: pageQuery(page) })).body);
      return { payouts, nextCursor };
    },
  ),
  tool(
    "cancel_payout",
    {
      title: "Cancel a payout",
      description: "Cancel a payout that still waits for the user's approval.",
      input: z.strictObject({ payout_id: payoutId }),
    },
    async ({ api }, { payout_id: id }) => (await api.call("cancelPayout", { params: { payoutId: id } })).body,
  ),
];

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

const toShown = (body: unknown) => shownPayout.parse(body);
