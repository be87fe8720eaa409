import { readText } from "./text";
import type { Hit } from "./verdict";
import { type X402Rule, x402Names, x402Rules } from "./x402-rules";
import { holdsSignedTransaction, isOpaque, plainName, type Signed, signedIn } from "./x402-signed";

/**
 * Looks through every name and text of a body, however deep, for signed payments and other authorizations, credentials, instructions
 * and hidden characters.
 */
export function inspectTexts(body: unknown, hits: Hit[]): void {
  const stack: Place[] = [{ value: body, key: "", path: "", depth: 0 }];
  const find = (rule: X402Rule, path: string) => hits.push({ rule: x402Rules[rule], field: path });
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    const { value, path } = place;
    const refused = refusedFor(place);
    if (refused !== null) {
      find(refused, path);
    } else if (typeof value === "string") {
      inspectText(value, path, find);
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value).reverse()) {
      if (key.length >= KEY_LENGTH_READ) inspectText(key, path, find);
      stack.push({ value: inner, key, ...step(place, key) });
    }
  }
}

type Place = { value: unknown; key: string; path: string; depth: number };

type Find = (rule: X402Rule, path: string) => void;

/** Shorter texts hold neither a secret nor an instruction. */
const TEXT_LENGTH_READ = 10;
const KEY_LENGTH_READ = 20;
const PATH_DEPTH_MAX = 6;

function inspectText(text: string, path: string, find: Find): void {
  if (text.length < TEXT_LENGTH_READ) return;
  const signs = readText(text);
  if (signs.isInstructing) find("injection", path);
  if (signs.isHiding) find("hiddenText", path);
  if (signs.hasSecret || signs.hasPaymentProof) find("tokenIncluded", path);
  if (holdsSignedTransaction(text)) find("authorizationIncluded", path);
}

/** Names in a path are ours, or stay out of it: a name can hold what must not be repeated. */
function step({ value, path, depth }: Place, key: string): { path: string; depth: number } {
  if (depth >= PATH_DEPTH_MAX) return { path, depth };
  if (Array.isArray(value)) return { path: `${path}[${key}]`, depth: depth + 1 };
  const name = x402Names.shown.has(key) ? key : "*";
  return { path: path === "" ? name : `${path}.${name}`, depth: depth + 1 };
}

function refusedFor({ value, key }: Place): Signed | null {
  if (typeof value === "object" && value !== null) return signedIn(value, plainName(key));
  if (typeof value !== "string") return null;
  const name = plainName(key);
  if (x402Names.transaction.has(name) && isOpaque(value)) return "authorizationIncluded";
  return isCredential(value, name) ? "tokenIncluded" : null;
}

function isCredential(value: string, name: string): boolean {
  if (name === "authorization" || name === "proxyauthorization")
    return /^(?:bearer|basic|payment|x402) +\S{8}/i.test(value);
  return (x402Names.credential.has(name) && isOpaque(value)) || (x402Names.phrase.has(name) && wordCount(value) >= 12);
}

const wordCount = (text: string): number =>
  text
    .slice(0, 1024)
    .split(/[\s,]+/)
    .filter(Boolean).length;
