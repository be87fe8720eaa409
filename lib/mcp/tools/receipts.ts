import { z } from "zod";
import { idText, tool } from "../tool";

export const receiptTools = [
  tool(
    "get_receipt",
    {
      title: "Receipt of a settlement",
      description:
        "The signed receipt of a payment that this service settled; status pending until the chain shows it.",
      input: z.strictObject({ settlementId: idText("stl_…") }),
      readOnly: true,
    },
    async ({ api }, params) => (await api.call("getReceipt", { params })).body,
  ),
];
