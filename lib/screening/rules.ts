import { setImmediate as nextTurn } from "node:timers/promises";
import { type Address, isAddressText, toAddress } from "@/lib/core/address";
import type { OwnerLists } from "./store";
import type { PayeeList } from "./tables";

/** A file that was read as a list of addresses, or why it was not. Addresses are in lower case. */
export type ReadList = { type: "read"; addresses: ReadonlySet<string> } | { type: "broken"; why: string };

export const LIST_BYTES_MAX = 64 * 1024 * 1024;
const ADDRESSES_MAX = 1_000_000;
/** Checksums take some microseconds each. Requests are answered in between. */
const AT_ONCE = 250;

const SDN_LABEL = "Digital Currency Address - ";
/** In the CSV file the address follows the label; in the XML file it is the next element. */
const SDN_ENTRY = /Digital Currency Address - [A-Z0-9]{1,10}(?:\s*<\/idType>\s*<idNumber>)?\s*(0x[0-9A-Za-z]*)/g;
const SDN_END = /<\/(?:\w+:)?sdnList>\s*$/;

const broken = (why: string): ReadList => ({ type: "broken", why });

/**
 * Reads one of: a text with one address a line and comments after #; a JSON array of addresses; OFAC's SDN list as CSV or XML, of
 * which the EVM addresses are read. One entry that cannot be read makes the whole list broken: it may be cut or of another form.
 */
export async function readList(bytes: Uint8Array): Promise<ReadList> {
  if (bytes.length > LIST_BYTES_MAX) return broken(`larger than ${LIST_BYTES_MAX} bytes`);
  const text = decode(bytes);
  if (text === null) return broken("not UTF-8");
  const entries = entriesOf(text.trim());
  if (typeof entries === "string") return broken(entries);
  if (entries.length === 0) return broken("no address");
  if (entries.length > ADDRESSES_MAX) return broken(`more than ${ADDRESSES_MAX} addresses`);
  const addresses = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const fault = faultOf(entry);
    if (fault) return broken(`entry ${index + 1} ${fault}`);
    addresses.add(entry.toLowerCase());
  }
  return { type: "read", addresses };
}

/** SDN files may be in Windows-1252: their names do not matter here, and the rest is ASCII. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder("latin1").decode(bytes);
    return text.includes(SDN_LABEL) ? text : null;
  }
}

/** The list's entries, not yet checked, or why it has none. */
function entriesOf(text: string): string[] | string {
  if (text.startsWith("[")) return ofJson(text);
  if (text.startsWith("<") && !SDN_END.test(text.slice(-100))) return "not a whole SDN file: its end is missing";
  if (text.includes(SDN_LABEL)) return [...text.matchAll(SDN_ENTRY)].map(([, address = ""]) => address);
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.split("#", 1)[0]?.trim() ?? "")
    .filter((line) => line !== "");
}

function ofJson(text: string): string[] | string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((entry) => typeof entry === "string")) return parsed;
  } catch {
    return "not valid JSON";
  }
  return "not a JSON array of strings";
}

/** An address in one letter case has no checksum. */
function faultOf(entry: string): string | null {
  if (!isAddressText(entry)) return "is not a 20-byte 0x address";
  const digits = entry.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || toAddress(entry) === entry ? null : "has a wrong EIP-55 checksum";
}

export type LoadedList = { name: string; digest: string; addresses: ReadonlySet<string> };

/** The first of the lists that has one of the addresses. */
export function findListed(lists: readonly LoadedList[], addresses: readonly Address[]) {
  for (const address of addresses) {
    const list = lists.find((loaded) => loaded.addresses.has(address.toLowerCase()));
    if (list) return { address, list: list.name };
  }
  return null;
}

/** The page that reports an address which is on a list by mistake. */
export const reportPath = (address: string): string => `/report?address=${address}`;

/** The name of an owner's own lists in errors and events. No list of the operator has it. */
export const OWNERS_LIST = "yours";

/** `deny`: the payee that is on it. `allow`: the payee that is not. */
export type OwnersRefusal = { rule: PayeeList; payee: string };

/** Why an owner's lists refuse a payment; null if they do not. `hosts`: the entries that cover its host. */
export function refusalBy(
  { paysOnlyListed, listed }: OwnerLists,
  { payees, hosts, isReturn }: { payees: readonly Address[]; hosts: readonly string[]; isReturn: boolean },
): OwnersRefusal | null {
  const denied = listed.find(({ list }) => list === "deny");
  if (denied) return { rule: "deny", payee: denied.payee };
  if (!paysOnlyListed || isReturn) return null;
  const isAllowed = (entry: string) => listed.some(({ list, payee }) => list === "allow" && payee === entry);
  if (hosts.some(isAllowed)) return null;
  const payee = payees.find((address) => !isAllowed(address)) ?? (payees.length === 0 ? hosts[0] : undefined);
  return payee === undefined ? null : { rule: "allow", payee };
}

/** Error details of a payment that the owner's lists refuse. */
export function explainRefusal({ rule, payee }: OwnersRefusal, baseUrl: string) {
  const why =
    rule === "deny"
      ? `The owner has put ${payee} on the list of payees that agents never pay`
      : `The owner's agents pay only payees on the owner's allow list, and ${payee} is not on it`;
  return {
    list: OWNERS_LIST,
    rule,
    ...(isAddressText(payee) ? { address: payee } : { host: payee }),
    message: `${why}. Nothing was signed or sent. The owner can change the list: ${baseUrl}${LISTS_PATH}`,
  };
}

/** Where owners change their lists. */
export const LISTS_PATH = "/dashboard/wallet#payees";
