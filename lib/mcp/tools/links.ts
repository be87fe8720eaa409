import { z } from "zod";
import { REDIRECT_MAX } from "@/lib/links/contract";
import {
  DISABLED_MESSAGE_MAX,
  FIELDS_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX,
  PRESETS_MAX,
  QUANTITY_MAX,
  TITLE_MAX,
} from "@/lib/links/orders/limits";
import { CONTENT_MAX, DESCRIPTION_MAX, REFERENCE_MAX, USES_MAX } from "@/lib/links/rules";
import { NETWORK_NAMES } from "@/lib/x402/networks";
import { amountText, idText, keyText, pageFields, pageQuery, tool } from "../tool";

const linkId = idText("lnk_…");
const content = z.string().max(CONTENT_MAX).describe("Text or JSON that the payer gets after payment");
const expiresAt = z.iso.datetime({ offset: true }).nullable();
const maxUses = z.int().min(1).max(USES_MAX).nullable();
const isListed = z.boolean().describe("Whether catalogues and search_services show it");
const isRepeatable = z
  .boolean()
  .describe("Whether it is meant to be bought again: then buyers cannot sign in to read its content again");
const title = z.string().min(1).max(TITLE_MAX).describe("One line, shown to the payer above the description");
const description = z.string().max(DESCRIPTION_MAX);
const disabledMessage = z.string().max(DISABLED_MESSAGE_MAX).describe("Shown to visitors while the link is disabled");
const target = z.url().max(REDIRECT_MAX);
/** What a buyer can choose, and the seller's own data. None of it can be changed later. */
const options = {
  reference: z
    .string()
    .min(1)
    .max(REFERENCE_MAX)
    .optional()
    .describe("Your own, for example an order number. Not shown to payers"),
  metadata: z
    .record(z.string(), z.string().max(METADATA_VALUE_MAX))
    .optional()
    .describe(`Your own keys and values, at most ${METADATA_KEYS_MAX}`),
  customAmount: z
    .strictObject({ min: amountText, max: amountText, presets: z.array(amountText).max(PRESETS_MAX).optional() })
    .optional()
    .describe("The payer chooses an amount in this range with ?amount=; `amount` is the one without a choice"),
  maxQuantity: z.int().min(2).max(QUANTITY_MAX).optional().describe("The payer buys up to this many with ?quantity="),
  fields: z
    .array(z.strictObject({ name: z.string(), label: z.string().max(TITLE_MAX), isRequired: z.boolean().optional() }))
    .max(FIELDS_MAX)
    .optional()
    .describe("Texts that the buyer gives: on the checkout, or as query parameters with these names"),
};
const status = z.enum(["active", "disabled"]);

export const linkTools = [
  tool(
    "create_payment_link",
    {
      title: "Create a payment link",
      description: "Create a link at which people and agents pay this agent in USDC.",
      input: z.strictObject({
        amount: amountText,
        network: z.enum(NETWORK_NAMES).optional(),
        title: title.optional(),
        description: description.optional().describe("Shown to the payer"),
        disabledMessage: disabledMessage.optional(),
        redirectUrl: target.optional().describe("Where a person goes after paying"),
        cancelUrl: target.optional().describe("Where a person goes who does not pay"),
        ...options,
        resourceContent: content.optional(),
        expiresAt: expiresAt.optional(),
        maxUses: maxUses.optional(),
        isListed: isListed.optional(),
        isRepeatable: isRepeatable.optional(),
        idempotencyKey: keyText.optional(),
      }),
    },
    async ({ api }, { idempotencyKey, ...json }) => (await api.call("createLink", { json, idempotencyKey })).body,
  ),
  tool(
    "list_payment_links",
    {
      title: "List payment links",
      description: "This agent's payment links, newest first.",
      input: z.strictObject(pageFields),
      readOnly: true,
    },
    async ({ api }, page) => (await api.call("listLinks", { query: pageQuery(page) })).body,
  ),
  tool(
    "get_payment_link",
    {
      title: "Get a payment link",
      description: "One payment link and its uses.",
      input: z.strictObject({ linkId }),
      readOnly: true,
    },
    async ({ api }, params) => (await api.call("getLink", { params })).body,
  ),
  tool(
    "update_payment_link",
    {
      title: "Change a payment link",
      description: "Change, disable or enable a payment link for future payments.",
      input: z.strictObject({
        linkId,
        status: status.optional(),
        title: title.nullable().optional(),
        description: description.optional(),
        disabledMessage: disabledMessage.nullable().optional(),
        redirectUrl: target.nullable().optional(),
        cancelUrl: target.nullable().optional(),
        resourceContent: content.nullable().optional(),
        expiresAt: expiresAt.optional(),
        maxUses: maxUses.optional(),
        isListed: isListed.optional(),
        isRepeatable: isRepeatable.optional(),
      }),
    },
    async ({ api }, { linkId: id, ...json }) => (await api.call("updateLink", { params: { linkId: id }, json })).body,
  ),
  tool(
    "delete_payment_link",
    {
      title: "Delete a payment link",
      description: "Delete a payment link. Its payments stay on record.",
      input: z.strictObject({ linkId }),
    },
    async ({ api }, params) => (await api.call("deleteLink", { params })).body,
  ),
  tool(
    "get_payment_link_payments",
    {
      title: "Payments of a link",
      description: "Payments that a link received, newest first.",
      input: z.strictObject({ linkId, ...pageFields }),
      readOnly: true,
    },
    async ({ api }, { linkId: id, ...page }) =>
      (await api.call("listLinkPayments", { params: { linkId: id }, query: pageQuery(page) })).body,
  ),
  tool(
    "list_received_payments",
    {
      title: "Received payments",
      description: "Payments that this agent received at its links and its permanent address, newest first.",
      input: z.strictObject(pageFields),
      readOnly: true,
    },
    async ({ api }, page) => (await api.call("listReceivedPayments", { query: pageQuery(page) })).body,
  ),
  tool(
    "get_received_payment",
    {
      title: "Get a received payment",
      description: "One payment that this agent received.",
      input: z.strictObject({ paymentId: z.int().min(1) }),
      readOnly: true,
    },
    async ({ api }, { paymentId }) =>
      (await api.call("getReceivedPayment", { params: { paymentId: String(paymentId) } })).body,
  ),
];
