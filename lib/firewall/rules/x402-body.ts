import { NO_SIGNS, readTexts } from "./text";
import type { Hit } from "./verdict";
import { type X402Rule, x402Names, x402Rules } from "./x402-rules";
import { holdsSignedTransaction, isOpaque, plainName, type Signed, signedIn } from "./x402-signed";

/**
 * Looks through every name and text of a body, however deep, for signed payments and other authorizations, credentials, instructions
 * and hidden characters. Returns the texts that must not be repeated.
 */
export function inspectTexts(body: unknown, hits: Hit[]): ReadonlySet<string> {
  const stack: Place[] = [{ value: body, key: "", path: "", depth: 0, isSchema: false }];
  const find = (rule: X402Rule, path: string) => hits.push({ rule: x402Rules[rule], field: path });
  const texts: Text[] = [];
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { value, path } = place;
    const refused = refusedFor(place);
    if (refused !== null) {
      find(refused, path);
    } else if (typeof value === "string") {
      texts.push({ text: value, path });
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value).reverse()) {
      if (key.length >= KEY_LENGTH_READ) texts.push({ text: key, path });
      stack.push({ value: inner, key, ...step(place, key), isSchema: place.isSchema || isSchemaMember(value, key) });
    }
  }
  return inspectAll(texts, find);
}

/** `isSchema`: it describes what is sent or answered, or is an example of it. */
type Place = { value: unknown; key: string; path: string; depth: number; isSchema: boolean };

type Text = { text: string; path: string };

type Find = (rule: X402Rule, path: string) => void;

/** Shorter texts hold neither a secret nor an instruction in any script. */
const TEXT_LENGTH_READ = 4;
const KEY_LENGTH_READ = 20;
const PATH_DEPTH_MAX = 6;

/** What is said twice is read once. */
function inspectAll(texts: readonly Text[], find: Find): ReadonlySet<string> {
  const places = new Map<string, Set<string>>();
  for (const { text, path } of texts) {
    if (text.length < TEXT_LENGTH_READ) continue;
    const known = places.get(text);
    if (known) known.add(path);
    else places.set(text, new Set([path]));
  }
  const distinct = [...places];
  const secret = new Set<string>();
  const signs = readTexts(distinct.map(([text]) => text));
  for (const [index, [text, paths]] of distinct.entries()) {
    const { isInstructing, isHiding, hasSecret, hasPaymentProof } = signs[index] ?? NO_SIGNS;
    const isSigned = holdsSignedTransaction(text);
    if (hasSecret || hasPaymentProof) secret.add(text);
    for (const path of paths) {
      if (isInstructing) find("injection", path);
      if (isHiding) find("hiddenText", path);
      if (hasSecret || hasPaymentProof) find("tokenIncluded", path);
      if (isSigned) find("authorizationIncluded", path);
    }
  }
  return secret;
}

/** Names in a path are ours, or stay out of it: a name can hold what must not be repeated. */
function step({ value, path, depth }: Place, key: string): { path: string; depth: number } {
  if (depth >= PATH_DEPTH_MAX) return { path, depth };
  if (Array.isArray(value)) return { path: `${path}[${key}]`, depth: depth + 1 };
  const name = x402Names.shown.has(key) ? key : "*";
  return { path: path === "" ? name : `${path}.${name}`, depth: depth + 1 };
}

function isSchemaMember(value: object, key: string): boolean {
  const name = plainName(key);
  if (x402Names.schema.has(name)) return true;
  return x402Names.example.has(name) && x402Names.schemaMembers.some((member) => Object.hasOwn(value, member));
}

function refusedFor({ value, key, isSchema }: Place): Signed | null {
  if (typeof value === "object" && value !== null) return signedIn(value, plainName(key));
  if (typeof value !== "string") return null;
  const name = plainName(key);
  if (x402Names.transaction.has(name) && isOpaque(value)) return "authorizationIncluded";
  return isCredential(value, name, isSchema) ? "tokenIncluded" : null;
}

/** In a schema names are told from what they stand for: what an example shows is nobody's, unless it looks like the thing. */
function isCredential(value: string, name: string, isSchema: boolean): boolean {
  if (name === "authorization" || name === "proxyauthorization")
    return /^(?:bearer|basic|payment|x402) +\S{8}/i.test(value) && !(isSchema && /^b/i.test(value));
  if (x402Names.payment.has(name)) return isOpaque(value) && !(isSchema && /[^\w+/=.-]/.test(value));
  if (x402Names.walletKey.has(name)) return isOpaque(value) && !(isSchema && !/^(?:0x)?[\da-f]{64}$/i.test(value));
  if (isSchema) return false;
  return (x402Names.credential.has(name) && isOpaque(value)) || (x402Names.phrase.has(name) && wordCount(value) >= 12);
}

const wordCount = (text: string): number =>
  text
    .slice(0, 1024)
    .split(/[\s,]+/)
    .filter(Boolean).length;
