import { formatCount } from "@/components/ui/format";
import { usdcFault } from "@/components/ui/usdc-fault";
import { formatUsdc, parseUsdc, type Usdc } from "@/lib/core/usdc";
import { imageUrl } from "@/lib/links/images/image";
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
import { CONTENT_MAX, DESCRIPTION_MAX, REFERENCE_MAX, USES_MAX } from "@/lib/links/rules";
import { LINK_TEXT_NAMES, LINK_TEXTS, type LinkText, mapLinkTexts } from "@/lib/links/texts";
import { DEFAULT_NETWORK, type NetworkName } from "@/lib/x402/networks";
import type { Faults, LinkDraft, LinkField, LinkStart } from "./draft-types";
import { readUpstream, UPSTREAM_FIELDS, type UpstreamBody, upstreamDraftOf } from "./draft-upstream";

export type LinkBody = {
  amount: string;
  network: NetworkName;
  reference: string | null;
  description: string;
  resourceContent: string | null;
  redirectUrl: string | null;
  expiresAt: string | null;
  maxUses: number | null;
  isListed: boolean;
  isRepeatable: boolean;
  cancelUrl?: string | undefined;
  fileId?: string | undefined;
  imageId?: string | undefined;
  upstream?: UpstreamBody | undefined;
} & { [Name in LinkText]?: string | undefined } & NewOptions;

/** Leaves the expiry empty: it is in the reader's time zone, which only the browser knows (`localMinute`). */
export const draftOf = (agentId: string, link?: Omit<LinkStart, "expiresAt">): LinkDraft => ({
  agentId,
  amount: link ? formatUsdc(link.amount) : "",
  network: link?.network ?? DEFAULT_NETWORK,
  reference: "",
  metadata: "",
  ...optionsDraftOf(link),
  ...upstreamDraftOf(link),
  ...mapLinkTexts((name) => link?.[name] ?? ""),
  cancelUrl: link?.cancelUrl ?? "",
  description: link?.description ?? "",
  resourceContent: link?.resourceContent ?? "",
  fileId: link?.file?.fileId ?? "",
  fileName: link?.file?.name ?? "",
  isUploading: false,
  fileFault: "",
  imageId: link?.image?.imageId ?? "",
  imageUrl: link?.image ? imageUrl("", link.image) : "",
  isImageUploading: false,
  imageFault: "",
  redirectUrl: link?.redirectUrl ?? "",
  expiresAt: "",
  maxUses: link?.maxUses == null ? "" : String(link.maxUses),
  isListed: link?.isListed ?? false,
  isRepeatable: link?.isRepeatable ?? false,
});

/** What a link that sells an API does without. */
const NOT_OF_API = {
  minAmount: "",
  maxAmount: "",
  presets: "",
  maxQuantity: "",
  fields: [],
  resourceContent: "",
  fileId: "",
  isUploading: false,
  fileFault: "",
  redirectUrl: "",
  cancelUrl: "",
  isRepeatable: false,
} satisfies Partial<LinkDraft>;

/** Validates the draft. The server validates again. */
export function readDraft(typed: LinkDraft): { type: "valid"; body: LinkBody } | { type: "invalid"; faults: Faults } {
  const draft: LinkDraft = typed.isApi ? { ...typed, ...NOT_OF_API } : typed;
  const amount = parseUsdc(draft.amount);
  const maxUses = draft.maxUses.trim() === "" ? null : wholeNumber(draft.maxUses);
  const expiresAt = draft.expiresAt === "" ? null : new Date(draft.expiresAt);
  const options = readOptions(draft, amount);
  const upstream = readUpstream(draft);
  const isMoment = expiresAt === null || !Number.isNaN(expiresAt.getTime());
  const faults: Faults = {
    ...(draft.agentId === "" && { agentId: "Choose the agent that is paid." }),
    ...(amount === null && { amount: usdcFault(draft.amount) }),
    ...(maxUses === undefined && { maxUses: "Enter a whole number, for example, 10, or leave it empty." }),
    ...(options.type === "invalid" && options.faults),
    ...(upstream.type === "invalid" && upstream.faults),
    ...(draft.fileFault !== "" && { fileId: draft.fileFault }),
    ...(draft.isUploading && { fileId: "Wait until the file is uploaded." }),
    ...(draft.imageFault !== "" && { imageId: draft.imageFault }),
    ...(draft.isImageUploading && { imageId: "Wait until the image is uploaded." }),
    ...(!isMoment && { expiresAt: "Choose a date and a time, or clear it." }),
    ...tooLong(draft),
  };
  const isInvalid = Object.keys(faults).length > 0 || amount === null || maxUses === undefined || !isMoment;
  if (isInvalid || options.type === "invalid" || upstream.type === "invalid") return { type: "invalid", faults };
  return {
    type: "valid",
    body: {
      amount: amount.toString(),
      network: draft.network,
      reference: draft.reference.trim() === "" ? null : draft.reference.trim(),
      description: draft.description,
      resourceContent: draft.resourceContent === "" ? null : draft.resourceContent,
      redirectUrl: draft.redirectUrl.trim() === "" ? null : draft.redirectUrl.trim(),
      expiresAt: expiresAt?.toISOString() ?? null,
      maxUses,
      isListed: draft.isListed,
      isRepeatable: draft.isRepeatable,
      ...mapLinkTexts((name) => filled(draft[name])),
      cancelUrl: filled(draft.cancelUrl),
      fileId: filled(draft.fileId),
      imageId: filled(draft.imageId),
      ...options.options,
      upstream: upstream.upstream,
    },
  };
}

/** Undefined for an empty text: JSON then omits the member. */
const filled = (text: string): string | undefined => (text.trim() === "" ? undefined : text.trim());

type LinkChange = { [Name in keyof LinkBody]?: LinkBody[Name] | null };

/** The fields that differ from `originalDraft`; null removes a value. */
export function readChange(
  originalDraft: LinkDraft,
  draft: LinkDraft,
): { type: "valid"; change: LinkChange } | { type: "invalid"; faults: Faults } {
  const reading = readDraft(draft);
  if (reading.type === "invalid") return reading;
  // Compares the typed texts: inputs drop seconds and carriage returns that the stored link may have.
  const typed = Object.entries(reading.body).filter(([name]) => {
    const field = name as keyof LinkDraft;
    return Object.hasOwn(draft, name) && draft[field] !== originalDraft[field];
  });
  const isUpstreamTyped = UPSTREAM_FIELDS.some((name) => draft[name] !== originalDraft[name]);
  const change = {
    ...Object.fromEntries(typed.map(([name, value]) => [name, value ?? null])),
    ...(isUpstreamTyped && { upstream: reading.body.upstream ?? null }),
  };
  if (Object.keys(change).length === 0) {
    return { type: "invalid", faults: { form: "Nothing has changed. Change at least one field." } };
  }
  return { type: "valid", change };
}

/** Errors for texts over their maximum length, shown while typing. */
export const tooLong = (draft: LinkDraft): Faults => ({
  ...excess("reference", draft.reference.trim(), REFERENCE_MAX),
  ...Object.assign({}, ...LINK_TEXT_NAMES.map((name) => excess(name, draft[name].trim(), LINK_TEXTS[name].max))),
  ...excess("description", draft.description, DESCRIPTION_MAX),
  ...excess("resourceContent", draft.resourceContent, CONTENT_MAX),
});

function excess(field: LinkField, text: string, max: number): Faults {
  const excessLength = lengthOf(text) - max;
  return excessLength > 0
    ? { [field]: `Shorten it by ${formatCount(excessLength)} ${excessLength === 1 ? "character" : "characters"}.` }
    : {};
}

/** Length in code points, as the API counts it. */
export const lengthOf = (text: string): number => [...text].length;

function wholeNumber(text: string): number | undefined {
  const count = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= USES_MAX ? count : undefined;
}

/** A time in the format of a datetime-local input. */
export function localMinute(time: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const date = [String(time.getFullYear()).padStart(4, "0"), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The members of a new link's body that cannot be changed later; absent unless they were filled in. */
type NewOptions = {
  metadata?: Record<string, string> | undefined;
  customAmount?: { min: string; max: string; presets: string[] } | undefined;
  maxQuantity?: number | undefined;
  fields?: BuyerField[] | undefined;
};

type OptionsDraft = Pick<LinkDraft, "minAmount" | "maxAmount" | "presets" | "maxQuantity" | "fields">;
type OptionsStart = Pick<LinkStart, "minAmount" | "maxAmount" | "presetAmounts" | "maxQuantity" | "fields">;

const optionsDraftOf = (link: OptionsStart | undefined): OptionsDraft => ({
  minAmount: link?.minAmount == null ? "" : formatUsdc(link.minAmount),
  maxAmount: link?.maxAmount == null ? "" : formatUsdc(link.maxAmount),
  presets: (link?.presetAmounts ?? []).map(formatUsdc).join(" "),
  maxQuantity: link?.maxQuantity == null ? "" : String(link.maxQuantity),
  fields: (link?.fields ?? []).map(({ label, isRequired }) => ({ label, isRequired })),
});

type OptionsReading = { type: "valid"; options: NewOptions } | { type: "invalid"; faults: Faults };

/** Validates the options of the draft; `price` is null while it is invalid itself. */
function readOptions(draft: LinkDraft, price: Usdc | null): OptionsReading {
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
  // A comma alone separates nothing: "2,50" is one amount.
  const suggested = presets.split(/[\s;]+|,\s+/).filter((text) => text !== "");
  const amounts = suggested.map(parseUsdc);
  const isWithin = (amount: Usdc | null) =>
    amount !== null && (min === null || amount >= min) && (max === null || amount <= max);
  const faults: Faults = {
    ...(min === null && { minAmount: usdcFault(minAmount) }),
    ...(max === null && { maxAmount: usdcFault(maxAmount) }),
    ...(min !== null && price !== null && min > price && { minAmount: "It must not be above the price." }),
    ...(max !== null && price !== null && max < price && { maxAmount: "It must not be below the price." }),
    ...(!amounts.every(isWithin) && {
      presets: suggested.some((text) => text.includes(","))
        ? usdcFault(",")
        : "Enter amounts between the lowest and the highest, separated by spaces.",
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
