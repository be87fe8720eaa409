import { z } from "zod";
import { amount, positiveAmount } from "@/lib/core/money";
import { isVisible, shownName, shownText } from "@/lib/core/shown";
import { type Link, REFERENCE_MAX } from "../rules";
import {
  FIELD_NAME,
  FIELDS_MAX,
  METADATA_KEY_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX,
  PRESETS_MAX,
  QUANTITY_MAX,
  RESERVED_NAMES,
} from "./limits";
import type { BuyerAnswer } from "./rules";

const REFERENCE_ERROR = `must be 1 to ${REFERENCE_MAX} characters on one line`;

export const reference = shownText({ max: REFERENCE_MAX, error: REFERENCE_ERROR })
  .refine((text) => text !== "", REFERENCE_ERROR)
  .refine(isVisible, "must not be blank")
  .meta({
    minLength: 1,
    maxLength: REFERENCE_MAX,
    description: "Your own, for example an order number. Not shown to buyers",
  });

const METADATA_KEY = new RegExp(`^(?!__proto__$)[A-Za-z0-9_.:-]{1,${METADATA_KEY_MAX}}$`);

export const metadata = z
  .record(
    z
      .string()
      .regex(METADATA_KEY, `must have keys of 1 to ${METADATA_KEY_MAX} letters, digits and the characters _ . : -`),
    shownText({ max: METADATA_VALUE_MAX, hasLines: true, error: "must have texts as values" }),
    "must be an object of texts",
  )
  .refine((entries) => Object.keys(entries).length <= METADATA_KEYS_MAX, `must have at most ${METADATA_KEYS_MAX} keys`)
  .meta({ maxProperties: METADATA_KEYS_MAX, description: `Your own keys and values, at most ${METADATA_KEYS_MAX}` });

const customAmount = z.object(
  {
    min: positiveAmount,
    max: positiveAmount,
    presets: z
      .array(positiveAmount, "must be a list of amounts")
      .max(PRESETS_MAX, `must have at most ${PRESETS_MAX} amounts`)
      .default([])
      .describe("Suggested on the checkout"),
  },
  "must be an object with min and max, or null",
);

const buyerField = z.object({
  name: z
    .string("must be a text")
    .regex(FIELD_NAME, "must be a name of lower-case letters, digits and _, beginning with a letter")
    .refine((name) => !RESERVED_NAMES.includes(name), "must not be a name that the URL uses already"),
  label: shownName(),
  isRequired: z.boolean("must be true or false").default(false),
});

/** What a buyer can choose or has to answer. */
export const orderFields = z.object({
  customAmount: customAmount
    .nullable()
    .default(null)
    .describe("The buyer chooses the amount in this range, with ?amount=; `amount` is the one without a choice"),
  maxQuantity: z
    .int("must be a whole number, or null for one")
    .min(2, "must be at least 2, or null for one")
    .max(QUANTITY_MAX, `must be at most ${QUANTITY_MAX}`)
    .nullable()
    .default(null)
    .describe("The buyer can buy up to this many, with ?quantity=; `amount` is the price of one"),
  fields: z
    .array(buyerField, "must be a list of fields")
    .max(FIELDS_MAX, `must have at most ${FIELDS_MAX} fields`)
    .default([])
    .describe("Texts that the buyer gives: on the checkout, or as query parameters with these names"),
});

const UINT256_MAX = 2n ** 256n - 1n;

type Sellable = z.output<typeof orderFields> & { amount: z.output<typeof positiveAmount> };

/** Rules that concern several members of a new link. */
export function isSellable(
  { amount: price, customAmount: range, maxQuantity, fields }: Sellable,
  ctx: z.RefinementCtx,
) {
  const refuse = (path: string[], message: string) => ctx.addIssue({ code: "custom", path, message });
  if (range && (range.min > price || price > range.max))
    refuse(["customAmount"], "must have a min that is not above amount, and a max that is not below it");
  if (range?.presets.some((preset) => preset < range.min || preset > range.max))
    refuse(["customAmount", "presets"], "must be between min and max");
  if (range && maxQuantity !== null) refuse(["maxQuantity"], "cannot be combined with customAmount");
  if (maxQuantity !== null && price * BigInt(maxQuantity) > UINT256_MAX)
    refuse(["maxQuantity"], "makes the highest sum too large");
  if (new Set(fields.map(({ name }) => name)).size < fields.length) refuse(["fields"], "must have different names");
}

/** `orderFields` in responses; each is absent unless set. */
export const fieldsForBuyer = z.object({
  customAmount: z.object({ min: amount, max: amount, presets: z.array(amount) }).optional(),
  maxQuantity: z.int().optional(),
  fields: z.array(z.object({ name: z.string(), label: z.string(), isRequired: z.boolean() })).optional(),
});

export const toOrderView = (
  link: Pick<Link, "minAmount" | "maxAmount" | "presetAmounts" | "maxQuantity" | "fields">,
): z.output<typeof fieldsForBuyer> => ({
  customAmount:
    link.minAmount === null || link.maxAmount === null
      ? undefined
      : { min: link.minAmount, max: link.maxAmount, presets: link.presetAmounts ?? [] },
  maxQuantity: link.maxQuantity ?? undefined,
  fields: link.fields ?? undefined,
});

export const toSoldFields = (
  { quantity, answers: fieldAnswers }: { quantity: number | null; answers: readonly BuyerAnswer[] | null },
  sellerFields: { reference: string | null; metadata: Record<string, string> | null } | null,
): z.output<typeof soldFields> => ({
  reference: sellerFields?.reference ?? undefined,
  metadata: sellerFields?.metadata ?? undefined,
  quantity: quantity ?? undefined,
  answers: fieldAnswers === null ? undefined : Object.fromEntries(fieldAnswers.map(({ name, value }) => [name, value])),
});

/** A payment's order and the seller's own data of its link, for the seller. Each is absent unless set. */
export const soldFields = z.object({
  reference: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  quantity: z.int().optional(),
  /** The buyer's answers by field name. */
  answers: z.record(z.string(), z.string()).optional(),
});
