import { isAddressText, toAddress } from "@/lib/core/address";
import { normalizeHost } from "@/lib/core/host";
import type { PayeeList } from "@/lib/screening/tables";

export const PAYEE_LISTS = ["deny", "allow"] as const satisfies readonly PayeeList[];
/** Entries of one list. */
export const ENTRIES_MAX = 500;
/** Entries that one call adds or removes: a person reads them before they sign. */
export const CHANGES_MAX = 20;

/** An entry as lists keep it: a checksummed address or a normalised host. Null for any other text. */
export function payeeOf(text: string): string | null {
  const typed = text.trim();
  if (isAddressText(typed)) return hasRightChecksum(typed) ? toAddress(typed) : null;
  // To URL parsers a number, an address that is mistyped or has lost its 0x, and a name of ENS are host names.
  return /^(0x|[0-9a-f]{40}$)|\.eth\.?$/i.test(typed) ? null : normalizeHost(typed);
}

/** An address in one letter case has no checksum. */
function hasRightChecksum(text: string): boolean {
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || toAddress(text) === text;
}

export type ListChange = {
  list: PayeeList;
  add: readonly string[];
  remove: readonly string[];
  /** Undefined: as before. */
  isAllowListOn?: boolean | undefined;
};

export type Effect = { added: readonly string[]; removed: readonly string[]; turned: boolean | null };

/** What a change does to what is there, without what is so already. */
export function effectOf(
  { add, remove, isAllowListOn }: Omit<ListChange, "list">,
  current: { entries: ReadonlySet<string>; isAllowListOn: boolean },
): Effect {
  const removed = [...new Set(remove)].filter((payee) => current.entries.has(payee) && !add.includes(payee));
  const added = [...new Set(add)].filter((payee) => !current.entries.has(payee));
  const turned = isAllowListOn === undefined || isAllowListOn === current.isAllowListOn ? null : isAllowListOn;
  return { added, removed, turned };
}

/** Whether a change lets agents pay somebody whom they could not pay before. */
export const loosens = (list: PayeeList, { added, removed, turned }: Effect): boolean =>
  turned === false || (list === "deny" ? removed.length > 0 : added.length > 0);
