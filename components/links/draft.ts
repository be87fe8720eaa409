import { formatCount } from "@/components/ui/format";
import { formatUsdc, parseUsdc, type Usdc } from "@/lib/core/money";
import { CONTENT_MAX, DESCRIPTION_MAX, REFERENCE_MAX, USES_MAX } from "@/lib/links/rules";
import type { NetworkName } from "@/lib/x402/networks";

/** The form as typed, with the API's field names. */
export type LinkDraft = {
  agentId: string;
  /** Whole dollars: "12.50". */
  amount: string;
  network: NetworkName;
  reference: string;
  description: string;
  resourceContent: string;
  redirectUrl: string;
  /** Local date and time in the format of a datetime-local input: "2026-12-03T14:05". */
  expiresAt: string;
  maxUses: string;
  isListed: boolean;
};
export type LinkField = keyof LinkDraft;
/** An error for each invalid field; `form` holds an error that belongs to no field. */
export type Faults = { [Field in LinkField | "form"]?: string };

/** The initial values when a link is edited or duplicated; without the reference, which is one link's own. */
export type LinkStart = {
  amount: Usdc;
  network: NetworkName;
  description: string;
  resourceContent: string | null;
  redirectUrl: string | null;
  expiresAt: Date | null;
  maxUses: number | null;
  isListed: boolean;
};

/** The request body. */
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
};

/** Leaves the expiry empty: it is in the reader's time zone, which only the browser knows (`localMinute`). */
export const draftOf = (agentId: string, link?: Omit<LinkStart, "expiresAt">): LinkDraft => ({
  agentId,
  amount: link ? formatUsdc(link.amount) : "",
  network: link?.network ?? "base",
  reference: "",
  description: link?.description ?? "",
  resourceContent: link?.resourceContent ?? "",
  redirectUrl: link?.redirectUrl ?? "",
  expiresAt: "",
  maxUses: link?.maxUses == null ? "" : String(link.maxUses),
  isListed: link?.isListed ?? false,
});

/** Validates the draft. The server validates again. */
export function readDraft(draft: LinkDraft): { body: LinkBody } | { faults: Faults } {
  const amount = parseUsdc(draft.amount);
  const maxUses = draft.maxUses.trim() === "" ? null : wholeNumber(draft.maxUses);
  const expiresAt = draft.expiresAt === "" ? null : new Date(draft.expiresAt);
  const isMoment = expiresAt === null || !Number.isNaN(expiresAt.getTime());
  const faults: Faults = {
    ...(draft.agentId === "" && { agentId: "Choose the agent that is paid." }),
    ...(amount === null && { amount: "Enter an amount with at most six decimals, for example, 12.50." }),
    ...(maxUses === undefined && { maxUses: "Enter a whole number, for example, 10, or leave it empty." }),
    ...(!isMoment && { expiresAt: "Choose a date and a time, or clear it." }),
    ...tooLong(draft),
  };
  if (Object.keys(faults).length > 0 || amount === null || maxUses === undefined || !isMoment) return { faults };
  return {
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
    },
  };
}

/** The fields that differ from `before`; null removes a value. */
export function readChange(before: LinkDraft, draft: LinkDraft): { change: Partial<LinkBody> } | { faults: Faults } {
  const read = readDraft(draft);
  if ("faults" in read) return read;
  // Compares the typed texts: inputs drop seconds and carriage returns that the stored link may have.
  const isTyped = ([name]: [string, unknown]) => {
    // Every key of the body is a key of the draft.
    const field = name as keyof LinkBody;
    return draft[field] !== before[field];
  };
  const change: Partial<LinkBody> = Object.fromEntries(Object.entries(read.body).filter(isTyped));
  if (Object.keys(change).length === 0) return { faults: { form: "Nothing has changed. Change at least one field." } };
  return { change };
}

/** Errors for texts over their maximum length, shown while typing. */
export const tooLong = (draft: LinkDraft): Faults => ({
  ...excess("reference", draft.reference.trim(), REFERENCE_MAX),
  ...excess("description", draft.description, DESCRIPTION_MAX),
  ...excess("resourceContent", draft.resourceContent, CONTENT_MAX),
});

function excess(field: LinkField, text: string, max: number): Faults {
  const over = lengthOf(text) - max;
  return over > 0 ? { [field]: `Shorten it by ${formatCount(over)} ${over === 1 ? "character" : "characters"}.` } : {};
}

/** Length in code points, as the API counts it. */
export const lengthOf = (text: string): number => [...text].length;

function wholeNumber(text: string): number | undefined {
  const count = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= USES_MAX ? count : undefined;
}

/** A time in the format of a datetime-local input. */
export function localMinute(at: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const date = [String(at.getFullYear()).padStart(4, "0"), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
