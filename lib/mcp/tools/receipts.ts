import { getCancellation, getReceipt, postCancellation } from "@/lib/settlements/contract";
import { endpointTool } from "../tool";

export const receiptTools = [
  endpointTool("get_receipt", getReceipt, {
    title: "Receipt of a settlement",
    description:
      "The signed receipt of a payment that this service settled; status pending until the chain shows it. It does not tell of refunds.",
  }),
  endpointTool("get_cancellation", getCancellation, {
    title: "Typed data of a cancellation",
    description:
      "What a payer signs (EIP-712) to cancel a payment that this service stopped submitting and that could still be paid.",
  }),
  endpointTool("submit_cancellation", postCancellation, {
    title: "Submit a cancellation",
    description:
      "Submit the payer's signature over get_cancellation's typed data. status pending until the chain shows it.",
  }),
];
