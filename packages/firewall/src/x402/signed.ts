import { hexEnd } from "../chain/accounts.ts";
import { type X402Rule, x402Names } from "./rules.ts";

/** Signed content that a body must not have: a payment or credential, or another signature that moves money. */
export type Signed = Extract<X402Rule, "tokenIncluded" | "authorizationIncluded">;

/** The name of a member in lower case and without punctuation, as in `x402Names`. */
export function plainName(key: string): string {
  if (key.length > 64) return "";
  let plain = plainNames.get(key);
  if (plain === undefined) {
    plain = key.toLowerCase().replace(/[^a-z0-9]/g, "");
    if (plainNames.size === PLAIN_NAMES_MAX) plainNames.clear();
    plainNames.set(key, plain);
  }
  return plain;
}

/** Cached: bodies repeat few names. */
const plainNames = new Map<string, string>();
const PLAIN_NAMES_MAX = 256;

/** Whether the text is long and is no sentence, description of a field, or ellipsis. */
export const isOpaque = (text: string): boolean => text.length >= 16 && !/[\s…]|\.\.\./.test(text.slice(0, 4096));

/**
 * What the signature in an object authorises, if anything: the signature of a seller's offer authorises nothing. `name`
 * is the object's own name, as `plainName` returns it.
 */
export function signedIn(value: object, name: string): Signed | null {
  if (!mayBeSigned(value)) return null;
  const members = new Map(Object.entries(value).map(([key, inner]) => [plainName(key), inner as unknown]));
  const signature = members.get("signature");
  const isSplit = members.has("r") && members.has("s") && (members.has("v") || members.has("yparity"));
  if (!isSplit && !(typeof signature === "string" && isOpaque(signature))) return null;
  const type = members.get("primarytype");
  const kind = typeof type === "string" ? type : "";
  const has = (part: string) => members.has(part);
  if (name === "mandate" || x402Names.paying.some(has) || kind.endsWith("WithAuthorization")) return "tokenIncluded";
  if (isSplit && (has("validbefore") || (has("from") && !has("spender")))) return "tokenIncluded";
  const isPermit = x402Names.permitting.some(has) || kind.startsWith("Permit") || (isSplit && has("owner"));
  const isAllowance = has("spender") && ["deadline", "sigdeadline", "nonce"].some(has);
  const isDelegation = isSplit && has("address") && has("nonce");
  return isPermit || isAllowance || isDelegation ? "authorizationIncluded" : null;
}

/** A fast filter: most objects have no signature and no parts of one. */
function mayBeSigned(value: object): boolean {
  if (Array.isArray(value)) return false;
  for (const key of Object.keys(value)) if (SIGNATURE_NAMES.has(plainName(key))) return true;
  return false;
}

const SIGNATURE_NAMES: ReadonlySet<string> = new Set(["signature", "r"]);

/** Whether a text holds a signed EVM transaction in hex, ready to be sent, of any type up to EIP-7702's. */
export function holdsSignedTransaction(text: string): boolean {
  for (let index = text.indexOf("0x"); index !== -1; ) {
    const end = hexEnd(text, index + 2, text.length);
    if (end - index >= TRANSACTION_DIGITS_MIN && isSignedTransaction(text, index + 2, end)) return true;
    index = text.indexOf("0x", end);
  }
  return false;
}

/** A signature alone has 128 digits. */
const TRANSACTION_DIGITS_MIN = 150;
/** The number of members of a signed transaction by its type (EIP-2718). Type 0 means a legacy transaction. */
const MEMBERS = [9, 11, 12, 14, 13] as const;
const MEMBERS_MAX = 14;
/** r and s have 32 bytes without leading zeros. An unsigned transaction has none. */
const SIGNATURE_DIGITS_MIN = 40;

/** Whether an RLP list from `from` ends at `to`, has as many members as its type requires, and ends with r and s. */
function isSignedTransaction(text: string, from: number, to: number): boolean {
  const type = byteAt(text, from);
  const isTyped = type >= 1 && type < MEMBERS.length;
  const list = itemAt(text, isTyped ? from + 2 : from, to);
  if (list === null || !list.isList || list.end !== to) return false;
  const sizes: number[] = [];
  for (let index = list.start; index < list.end; ) {
    const item = itemAt(text, index, list.end);
    if (item === null || sizes.length === MEMBERS_MAX) return false;
    sizes.push(item.isList ? 0 : item.end - item.start);
    index = item.end;
  }
  return (
    sizes.length === MEMBERS[isTyped ? type : 0] && sizes.slice(-2).every((digits) => digits >= SIGNATURE_DIGITS_MIN)
  );
}

type Item = { start: number; end: number; isList: boolean };

/** The RLP item at `index`, with content from `start` to `end`. null unless it ends before `limit`. */
function itemAt(text: string, index: number, limit: number): Item | null {
  if (index + 2 > limit) return null;
  const first = byteAt(text, index);
  if (first < 0x80) return { start: index, end: index + 2, isList: false };
  const isList = first >= 0xc0;
  const size = first - (isList ? 0xc0 : 0x80);
  const sizeDigits = size > 55 ? (size - 55) * 2 : 0;
  const start = index + 2 + sizeDigits;
  if (sizeDigits > 8 || start > limit) return null;
  const bytes = sizeDigits === 0 ? size : Number.parseInt(text.slice(index + 2, start), 16);
  const end = start + bytes * 2;
  return end <= limit ? { start, end, isList } : null;
}

const byteAt = (text: string, index: number): number => Number.parseInt(text.slice(index, index + 2), 16);
