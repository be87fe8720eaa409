import { z } from "zod";
import { idText, openTool, tool } from "../tool";

const settlementId = idText("stl_…");

export const receiptTools = [
  tool(
    "get_receipt",
    {
      title: "Receipt of a settlement",
      description:
        "The signed receipt of a payment that this service settled; status pending until the chain shows it.",
      input: z.strictObject({ settlementId }),
      readOnly: true,
    },
    async ({ api }, params) => (await api.call("getReceipt", { params })).body,
  ),
  openTool(
    "get_cancellation",
    {
      title: "Typed data of a cancellation",
      description:
        "What a payer signs (EIP-712) to cancel a payment that this service stopped submitting and that could still be paid.",
      input: z.strictObject({ settlementId }),
      readOnly: true,
    },
    async ({ api }, params) => (await api.call("getCancellation", { params })).body,
  ),
  openTool(
    "submit_cancellation",
    {
      title: "Submit a cancellation",
      description:
        "Submit the payer's signature over get_cancellation's typed data. status pending until the chain shows it.",
      input: z.strictObject({
        settlementId,
        signature: z
          .string()
          .regex(/^0x([0-9a-fA-F]{2})+$/)
          .max(8194),
      }),
    },
    async ({ api }, { signature, ...params }) =>
      (await api.call("postCancellation", { params, json: { signature } })).body,
  ),
];
