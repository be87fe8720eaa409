import { cancelInvoice, createInvoice, getInvoice, listInvoices } from "@/lib/invoices/contract";
import { endpointTool } from "../tool";

export const invoiceTools = [
  endpointTool("create_invoice", createInvoice, {
    title: "Create an invoice",
    description:
      "Create an invoice for one named buyer. It is paid once, at its paymentUrl. Nothing is sent to the buyer.",
  }),
  endpointTool("list_invoices", listInvoices, {
    title: "List invoices",
    description: "This agent's invoices, newest first, without their lines.",
  }),
  endpointTool("get_invoice", getInvoice, {
    title: "Get an invoice",
    description: "One invoice, its lines and its payment.",
  }),
  endpointTool("cancel_invoice", cancelInvoice, {
    title: "Cancel an invoice",
    description: "Cancel an invoice that is not paid. It can no longer be paid then.",
  }),
];
