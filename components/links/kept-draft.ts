import { NETWORK_NAMES } from "@/lib/x402/networks";
import { draftOf } from "./draft";
import type { LinkDraft } from "./draft-types";

// The unfinished form of a new link, kept in this browser for its owner. Without what buyers get and the headers of an API: secrets.

/** `hadContent`: what buyers get, or a header, was typed, and is not kept. */
type Kept = { part: Partial<LinkDraft>; hadContent: boolean };

const EMPTY = draftOf("");
const LEFT_OUT: readonly string[] = [
  "resourceContent",
  "upstreamHeaders",
  "isUploading",
  "fileFault",
  "isImageUploading",
  "imageFault",
];

/** The text to store; null if nothing is typed. The agent alone is nothing. */
export function writeKept(draft: LinkDraft): string | null {
  const filled = Object.entries(draft).filter(
    ([name, value]) =>
      !LEFT_OUT.includes(name) && JSON.stringify(value) !== JSON.stringify(EMPTY[name as keyof LinkDraft]),
  );
  const hadContent = draft.resourceContent !== "" || draft.upstreamHeaders !== "";
  if (!hadContent && filled.every(([name]) => name === "agentId")) return null;
  return JSON.stringify({ part: Object.fromEntries(filled), hadContent } satisfies Kept);
}

/** Null for anything that `writeKept` did not write. */
export function readKept(text: string | null): Kept | null {
  try {
    const kept: unknown = JSON.parse(text ?? "null");
    return isKept(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isKept(kept: unknown): kept is Kept {
  if (typeof kept !== "object" || kept === null || !("part" in kept) || !("hadContent" in kept)) return false;
  const { part, hadContent } = kept;
  if (typeof part !== "object" || part === null || typeof hadContent !== "boolean") return false;
  return Object.entries(part).every(([name, value]) => {
    if (!Object.hasOwn(EMPTY, name) || LEFT_OUT.includes(name)) return false;
    if (name === "network") return NETWORK_NAMES.some((network) => network === value);
    if (name === "fields") return Array.isArray(value) && value.every(isField);
    return typeof value === typeof EMPTY[name as keyof LinkDraft];
  });
}

const isField = (field: unknown): boolean =>
  typeof field === "object" &&
  field !== null &&
  "label" in field &&
  "isRequired" in field &&
  typeof field.label === "string" &&
  typeof field.isRequired === "boolean";

const keyOf = (owner: string) => `tessera.new-link.${owner.toLowerCase()}`;

export function recallDraft(owner: string): Kept | null {
  try {
    return readKept(localStorage.getItem(keyOf(owner)));
  } catch {
    // Storage is forbidden, so nothing was kept.
    return null;
  }
}

/** Keeps the draft, or forgets the kept one if it is null or empty. */
export function keepDraft(owner: string, draft: LinkDraft | null): void {
  const text = draft && writeKept(draft);
  try {
    if (text) localStorage.setItem(keyOf(owner), text);
    else localStorage.removeItem(keyOf(owner));
  } catch {
    // Storage is full or forbidden: the draft lives as long as the page.
  }
}
