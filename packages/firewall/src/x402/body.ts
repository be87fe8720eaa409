import { isPublicAddress } from "../chain/public-addresses.ts";
import { isUnlimited } from "../chain/unlimited.ts";
import { readTexts } from "../payment-texts/read.ts";
import { isRecord } from "../record.ts";
import type { Hit } from "../verdict.ts";
import { x402Names, x402Rules } from "./rules.ts";
import { holdsSignedTransaction, isOpaque, plainName, type Signed, signedIn } from "./signed.ts";

/**
 * Searches every name and text of a body, at any depth, for signed payments and other authorizations, credentials,
 * instructions and hidden characters. Returns the texts that the answer must not repeat.
 */
export function inspectTexts(body: unknown, hits: Hit[]): ReadonlySet<string> {
  const stack: Place[] = [{ value: body, key: "", name: "", parent: null, depth: 0, isSchema: false }];
  const places = new Map<string, Place[]>();
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { value } = place;
    const ruleName = refusedFor(place);
    if (ruleName !== null) hits.push({ rule: x402Rules[ruleName], field: pathOf(place) });
    else if (typeof value === "string") note(places, value, place);
    if (!place.isSchema && isUnlimitedAllowance(value))
      hits.push({ rule: x402Rules.approvalUnlimited, field: pathOf(place) });
    if (typeof value === "object" && value !== null) enter(value, place, stack, places);
  }
  return inspectAll(places, hits);
}

/** A place in the body. Its path follows from `key` and `parent`, and is only built for a finding. */
type Place = {
  value: unknown;
  key: string;
  /** The key as `plainName` returns it. Items of a list have none. */
  name: string;
  /** The nearest enclosing place that has a path of its own. */
  parent: Place | null;
  depth: number;
  /** It is part of a schema of the input or output, or of an example in one. */
  isSchema: boolean;
};

/** Shorter texts can be neither a secret nor an instruction in any script. */
const TEXT_LENGTH_READ = 4;
const KEY_LENGTH_READ = 20;
const PATH_DEPTH_MAX = 6;

/** Pushes the items of a list or the members of an object, so that the first is popped first. */
function enter(value: object, place: Place, stack: Place[], places: Map<string, Place[]>): void {
  const keys = Object.keys(value);
  const values: readonly unknown[] = Object.values(value);
  const { isSchema, depth } = place;
  const parent = depth > PATH_DEPTH_MAX ? place.parent : place;
  const isList = Array.isArray(value);
  for (let index = keys.length - 1; index >= 0; index--) {
    const [key = "", inner] = [keys[index], values[index]];
    if (key.length >= KEY_LENGTH_READ) note(places, key, place);
    if (typeof inner !== "string" && (typeof inner !== "object" || inner === null)) continue;
    const name = isList ? "" : plainName(key);
    const isInSchema = isSchema || isSchemaMember(value, name);
    stack.push({ value: inner, key, name, parent, depth: Math.min(depth, PATH_DEPTH_MAX) + 1, isSchema: isInSchema });
  }
}

/** A text that occurs several times is read once. */
function note(places: Map<string, Place[]>, text: string, place: Place): void {
  if (text.length < TEXT_LENGTH_READ) return;
  const occurrences = places.get(text);
  if (occurrences) occurrences.push(place);
  else places.set(text, [place]);
}

function inspectAll(places: ReadonlyMap<string, readonly Place[]>, hits: Hit[]): ReadonlySet<string> {
  const texts = [...places.keys()];
  const secret = new Set<string>();
  for (const [index, { isInstructing, isHiding, hasSecret }] of readTexts(texts).entries()) {
    const text = texts[index] ?? "";
    const isSigned = holdsSignedTransaction(text);
    if (hasSecret) secret.add(text);
    if (!isInstructing && !isHiding && !hasSecret && !isSigned) continue;
    for (const field of new Set(places.get(text)?.map(pathOf))) {
      if (isInstructing) hits.push({ rule: x402Rules.injection, field });
      if (isHiding) hits.push({ rule: x402Rules.hiddenText, field });
      if (hasSecret) hits.push({ rule: x402Rules.tokenIncluded, field });
      if (isSigned) hits.push({ rule: x402Rules.authorizationIncluded, field });
    }
  }
  return secret;
}

/**
 * The path shows only keys of the standard and `*` for others: a key can hold what must not be repeated. Very deep
 * places share one path.
 */
function pathOf({ key, parent, depth }: Place): string {
  if (parent === null) return "";
  const path = pathOf(parent);
  if (depth > PATH_DEPTH_MAX) return path;
  if (Array.isArray(parent.value)) return `${path}[${key}]`;
  const name = x402Names.shown.has(key) ? key : "*";
  return path === "" ? name : `${path}.${name}`;
}

function isSchemaMember(value: object, name: string): boolean {
  if (x402Names.schema.has(name)) return true;
  return x402Names.example.has(name) && x402Names.schemaMembers.some((member) => Object.hasOwn(value, member));
}

function refusedFor({ value, name, isSchema }: Place): Signed | null {
  if (typeof value === "object" && value !== null) return signedIn(value, name);
  if (typeof value !== "string" || name === "") return null;
  if (x402Names.transaction.has(name) && isOpaque(value)) return "authorizationIncluded";
  return isCredential(value, name, isSchema) ? "tokenIncluded" : null;
}

/**
 * In a schema a value describes a member and an example belongs to nobody, so only values that look like a credential
 * count.
 */
function isCredential(value: string, name: string, isSchema: boolean): boolean {
  if (name === "authorization" || name === "proxyauthorization")
    return /^(?:bearer|basic|payment|x402) +\S{8}/i.test(value) && !(isSchema && /^b/i.test(value));
  // `paymentToken` may name the coin that is paid in.
  if (x402Names.payment.has(name))
    return isOpaque(value) && !isPublicAddress(value) && !(isSchema && /[^\w+/=.-]/.test(value));
  if (x402Names.walletKey.has(name)) return isOpaque(value) && !(isSchema && !/^(?:0x)?[\da-f]{64}$/i.test(value));
  if (isSchema) return false;
  return (x402Names.credential.has(name) && isOpaque(value)) || (x402Names.phrase.has(name) && wordCount(value) >= 12);
}

const wordCount = (text: string): number =>
  text
    .slice(0, 1024)
    .split(/[\s,]+/)
    .filter(Boolean).length;

/** Whether the value is an object that lets a spender take any amount: of a permit, of Permit2, or to be signed. */
function isUnlimitedAllowance(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const keys = Object.keys(value);
  if (!keys.some((key) => plainName(key) === "spender")) return false;
  return hasUnlimited(value) || keys.some((key) => isPart(key) && partsOf(value[key]).some(hasUnlimited));
}

const isPart = (key: string): boolean => x402Names.allowanceParts.has(plainName(key));

const partsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const hasUnlimited = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).some(([key, amount]) => x402Names.allowance.has(plainName(key)) && isUnlimitedAmount(amount));

/** DAI's permit allows everything or nothing. */
function isUnlimitedAmount(amount: unknown): boolean {
  if (amount === true) return true;
  if (typeof amount === "number")
    return Number.isInteger(amount) && amount > 0 && isUnlimited(BigInt(amount), null, 160);
  if (typeof amount !== "string" || !/^(?:\d{1,128}|0x[\da-f]{1,128})$/i.test(amount)) return false;
  return isUnlimited(BigInt(amount), null, 160);
}
