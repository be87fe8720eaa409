import { formatUsdc, parseUsdc, type Usdc } from "@/lib/core/usdc";
import {
  FIELD_NAME,
  METADATA_KEY_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX,
  PRESETS_MAX,
  QUANTITY_MAX,
  RESERVED_NAMES,
} from "@/lib/links/orders/limits";
import type { BuyerField } from "@/lib/links/orders/rules";
import type { Faults, LinkDraft, LinkStart } from "./draft-types";

/** The members of a new link's body that cannot be changed later; absent unless they were filled in. */
export type NewOptions = {
  metadata?: Record<string, string> | undefined;
  customAmount?: { min: string; max: string; presets: string[] } | undefined;
  maxQuantity?: number | undefined;
  fields?: BuyerField[] | undefined;
};

type OptionsDraft = Pick<LinkDraft, "minAmount" | "maxAmount" | "presets" | "maxQuantity" | "fields">;
type OptionsStart = Pick<LinkStart, "minAmount" | "maxAmount" | "presetAmounts" | "maxQuantity" | "fields">;

export const optionsDraftOf = (link: OptionsStart | undefined): OptionsDraft => ({
  minAmount: link?.minAmount == null ? "" : formatUsdc(link.minAmount),
  maxAmount: link?.maxAmount == null ? "" : formatUsdc(link.maxAmount),
  presets: (link?.presetAmounts ?? []).map(formatUsdc).join(" "),
  maxQuantity: link?.maxQuantity == null ? "" : String(link.maxQuantity),
  fields: (link?.fields ?? []).map(({ label, isRequired }) => ({ label, isRequired })),
});

export type OptionsReading = { type: "valid"; options: NewOptions } | { type: "invalid"; faults: Faults };

/** Validates the options of the draft; `price` is null while it is invalid itself. */
export function readOptions(draft: LinkDraft, price: Usdc | null): OptionsReading {
  const metadata = readMetadata(draft.metadata);
  const range = readRange(draft, price);
  const maxQuantity = readQuantity(draft.maxQuantity);
  const faults: Faults = {
    ...(typeof metadata === "string" && { metadata }),
    ...(range.type === "invalid" && range.faults),
    ...(maxQuantity === null && { maxQuantity: `Enter a whole number from 2 to ${QUANTITY_MAX}, or leave it empty.` }),
    ...(maxQuantity != null &&
      range.type === "valid" &&
      range.customAmount && { maxQuantity: "A link has either a quantity or an amount that the payer chooses." }),
  };
  const isInvalid = Object.keys(faults).length > 0 || typeof metadata === "string" || maxQuantity === null;
  if (isInvalid || range.type === "invalid") return { type: "invalid", faults };
  const fields = namedFields(draft.fields);
  const { customAmount } = range;
  const options = { metadata, customAmount, maxQuantity, fields: fields.length > 0 ? fields : undefined };
  return { type: "valid", options };
}

/** The entries, undefined if there are none, or an error. */
function readMetadata(text: string): Record<string, string> | undefined | string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > METADATA_KEYS_MAX)
    return `Remove ${lines.length - METADATA_KEYS_MAX}: at most ${METADATA_KEYS_MAX}.`;
  const entries: [string, string][] = [];
  for (const line of lines) {
    const index = line.indexOf("=");
    const [key, value] = [line.slice(0, index).trim(), line.slice(index + 1).trim()];
    if (index < 0 || !KEY.test(key))
      return "Write each line as key = value, with a key of letters, digits, _ . : and -.";
    if ([...value].length > METADATA_VALUE_MAX) return `The value of ${key} is too long.`;
    entries.push([key, value]);
  }
  if (new Set(entries.map(([key]) => key)).size < entries.length) return "Each key can be used once.";
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const KEY = new RegExp(`^(?!__proto__$)[A-Za-z0-9_.:-]{1,${METADATA_KEY_MAX}}$`);

type RangeReading = { type: "valid"; customAmount: NewOptions["customAmount"] } | { type: "invalid"; faults: Faults };

function readRange({ minAmount, maxAmount, presets }: LinkDraft, price: Usdc | null): RangeReading {
  if ([minAmount, maxAmount, presets].every((text) => text.trim() === ""))
    return { type: "valid", customAmount: undefined };
  const [min, max] = [parseUsdc(minAmount), parseUsdc(maxAmount)];
  const suggested = presets.split(/[\s,;]+/).filter((text) => text !== "");
  const amounts = suggested.map(parseUsdc);
  const isWithin = (amount: Usdc | null) =>
    amount !== null && (min === null || amount >= min) && (max === null || amount <= max);
  const faults: Faults = {
    ...(min === null && { minAmount: "Enter the lowest amount." }),
    ...(max === null && { maxAmount: "Enter the highest amount." }),
    ...(min !== null && price !== null && min > price && { minAmount: "It must not be above the price." }),
    ...(max !== null && price !== null && max < price && { maxAmount: "It must not be below the price." }),
    ...(!amounts.every(isWithin) && {
      presets: "Enter amounts between the lowest and the highest, separated by spaces.",
    }),
    ...(amounts.length > PRESETS_MAX && { presets: `Enter at most ${PRESETS_MAX} amounts.` }),
  };
  if (Object.keys(faults).length > 0) return { type: "invalid", faults };
  return { type: "valid", customAmount: { min: `${min}`, max: `${max}`, presets: amounts.map(String) } };
}

/** Undefined for an empty text, null for an invalid one. */
function readQuantity(text: string): number | undefined | null {
  if (text.trim() === "") return undefined;
  const count = /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : 0;
  return count >= 2 && count <= QUANTITY_MAX ? count : null;
}

/** The questions with their query parameters, which are named after the labels. Empty questions are left out. */
function namedFields(drafts: LinkDraft["fields"]): BuyerField[] {
  const fields: BuyerField[] = [];
  for (const { label, isRequired } of drafts) {
    if (label.trim() === "") continue;
    const slug = label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^[_0-9]+|_+$/g, "")
      .slice(0, 30);
    const isFree = FIELD_NAME.test(slug) && ![...RESERVED_NAMES, ...fields.map(({ name }) => name)].includes(slug);
    fields.push({ name: isFree ? slug : `field_${fields.length + 1}`, label: label.trim(), isRequired });
  }
  return fields;
}
