import { z } from "zod";
import { createLink, deleteLink, getLink, listLinks, updateLink } from "@/lib/links/contract";
import { getReceivedPayment, listLinkPayments, listReceivedPayments } from "@/lib/links/received/contract";
import { endpointTool } from "../tool";

/** The content of up to fifty links would fill a model's context. */
const page = z.looseObject({ paymentLinks: z.array(z.looseObject({ resourceContent: z.unknown() })) });

const withoutContents = (body: unknown) => {
  const { paymentLinks, ...envelope } = page.parse(body);
  return { ...envelope, paymentLinks: paymentLinks.map(({ resourceContent: _, ...link }) => link) };
};

export const linkTools = [
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
];
