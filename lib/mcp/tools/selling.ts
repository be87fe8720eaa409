import { z } from "zod";
import { cancelInvoice, createInvoice, getInvoice, listInvoices } from "@/lib/invoices/contract";
import { createLink, deleteLink, getLink, listLinks, updateLink } from "@/lib/links/contract";
import { getReceivedPayment, listLinkPayments, listReceivedPayments } from "@/lib/links/received/contract";
import { cancelRefund, getRefund, initiateRefund, listRefunds } from "@/lib/refunds/contract";
import { endpointTool } from "../tool";

/** The content of up to fifty links would fill a model's context. */
const page = z.looseObject({ paymentLinks: z.array(z.looseObject({ resourceContent: z.unknown() })) });

const withoutContents = (body: unknown) => {
  const { paymentLinks, ...envelope } = page.parse(body);
  return { ...envelope, paymentLinks: paymentLinks.map(({ resourceContent: _, ...link }) => link) };
};

export const sellingTools = [
  endpointTool("create_payment_link", createLink, {
    title: "Create a payment link",
    description: "Create a link at which people and agents pay this agent in USDC.",
  }),
  endpointTool("list_payment_links", listLinks, {
    title: "List payment links",
    description: "This agent's payment links, newest first, without their content.",
    toValue: withoutContents,
  }),
  endpointTool("get_payment_link", getLink, {
    title: "Get a payment link",
    description: "One payment link and its uses.",
  }),
  endpointTool("update_payment_link", updateLink, {
    title: "Change a payment link",
    description: "Change, disable or enable a payment link for future payments.",
  }),
  endpointTool("delete_payment_link", deleteLink, {
    title: "Delete a payment link",
    description: "Delete a payment link. Its payments stay on record.",
  }),
  endpointTool("get_payment_link_payments", listLinkPayments, {
    title: "Payments of a link",
    description: "Payments that a link received, newest first.",
  }),
  endpointTool("list_received_payments", listReceivedPayments, {
    title: "Received payments",
    description: "Payments that this agent received at its links and its permanent address, newest first.",
  }),
  endpointTool("get_received_payment", getReceivedPayment, {
    title: "Get a received payment",
    description: "One payment that this agent received.",
  }),
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
