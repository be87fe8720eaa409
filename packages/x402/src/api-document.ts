import { fieldsOf, textOf } from "./json.ts";
import { readPaymentInfo } from "./payment-info.ts";
import { parseUrl } from "./url.ts";

/** A path that an API's OpenAPI document lists. `amount`: atomic USDC of its `x-payment-info`, null without one. */
export type DocumentedPath = { path: string; amount: string | null };

/** What a seller can sell of an OpenAPI document. `leftOut`: paths that a link cannot name, or that are over the limit. */
export type ApiDocument = { title: string; methods: SoldMethod[]; paths: DocumentedPath[]; leftOut: number };

/** Methods that change or delete are sold only if the seller names them. */
export const SOLD_METHODS = ["GET", "POST"] as const;
type SoldMethod = (typeof SOLD_METHODS)[number];

/** Of a link. */
export const API_PATHS_MAX = 50;
export const API_PATH_LENGTH_MAX = 200;
/** Of a document. */
export const API_DOCUMENT_BYTES_MAX = 1_000_000;
const PATHS_READ_MAX = 2_000;
/** It is joined with each path. */
const SERVER_LENGTH_MAX = 2_000;
const TITLE_MAX = 100;

/**
 * Reads the paths of an OpenAPI document (JSON) as paths below `base`, the URL of the API; null if it is no such document. `from`: where
 * the document is. A path with several prices gets the highest.
 *
 * @example
 * const document = readApiDocument(await response.json(), { base: "https://api.example.com/v1", from: response.url });
 */
export function readApiDocument(json: unknown, { base, from }: { base: string; from: string }): ApiDocument | null {
  const { openapi, swagger, info, servers, basePath, paths: operationsByPath } = fieldsOf(json);
  if (typeof (openapi ?? swagger) !== "string" || typeof operationsByPath !== "object") return null;
  const server = textOf(fieldsOf(Array.isArray(servers) ? servers[0] : null).url) ?? textOf(basePath) ?? "/";
  const serverPath = pathOf(parseUrl(server.length > SERVER_LENGTH_MAX ? "/" : server, from));
  const basePathname = pathOf(parseUrl(base));
  const entries = Object.entries(fieldsOf(operationsByPath)).slice(0, PATHS_READ_MAX);
  // An API behind a proxy may not know the prefix of its own paths.
  const isPrefixed = entries.some(([path]) => `${serverPath}${path}`.startsWith(`${basePathname}/`));
  const methods = new Set<SoldMethod>();
  const paths = new Map<string, DocumentedPath>();
  for (const [documentedPath, operations] of entries) {
    const whole = isPrefixed ? `${serverPath}${documentedPath}` : `${basePathname}${documentedPath}`;
    const path = whole.startsWith(`${basePathname}/`) ? toPattern(whole.slice(basePathname.length)) : null;
    const sold = SOLD_METHODS.filter((method) => Object.hasOwn(fieldsOf(operations), method.toLowerCase()));
    const key = pathKey(path ?? "");
    if (path === null || sold.length === 0 || paths.size >= API_PATHS_MAX || paths.has(key)) continue;
    for (const method of sold) methods.add(method);
    const amounts = sold.flatMap((method) => amountsOf(fieldsOf(operations)[method.toLowerCase()]));
    const [dearest = null] = amounts.sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1));
    paths.set(key, { path, amount: dearest });
  }
  return {
    title: (textOf(fieldsOf(info).title) ?? "").slice(0, TITLE_MAX),
    methods: [...methods],
    paths: [...paths.values()],
    leftOut: Object.keys(fieldsOf(operationsByPath)).length - paths.size,
  };
}

/**
 * Two paths with the same key name the same requests: their variables differ in name, their letters in case, or escapes stand
 * for the same letters.
 *
 * @example
 * pathKey("/quotes/{symbol}") === pathKey("/Quotes/{id}"); // true
 */
export function pathKey(path: string): string {
  const segments = path.split("/");
  return segments.map((segment) => (/^\{\w+\}$/.test(segment) ? "{}" : decoded(segment).toLowerCase())).join("/");
}

/** The segment itself if it is no UTF-8. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Without a slash at the end. */
const pathOf = (url: URL | null): string => (url?.pathname ?? "").replace(/\/+$/, "");

/** A path as a link names it: plain segments, of which one may be a variable; null for others, such as `/{a}/{b}` and `/{a}.json`. */
function toPattern(path: string): string | null {
  const segments = path
    .split("/")
    .slice(1)
    .map((segment) => (/^\{[^{}]+\}$/.test(segment) ? nameVariable(segment) : segment));
  const variables = segments.filter((segment) => segment.startsWith("{"));
  const isPlain = segments.every((segment) => /^(?:\{\w+\}|(?!\.{1,2}$)[\w.~!$&'()*+,=:@-]+)$/.test(segment));
  const pattern = `/${segments.join("/")}`;
  return (isPlain || pattern === "/") && variables.length <= 1 && pattern.length <= API_PATH_LENGTH_MAX
    ? pattern
    : null;
}

const nameVariable = (segment: string): string => `{${segment.slice(1, -1).replace(/\W/g, "_").slice(0, 40)}}`;

/** The prices of an operation in atomic USDC: of its offers, or the stated one. A dollar is one USDC. */
function amountsOf(operation: unknown): string[] {
  const { prices, statedPrice } = readPaymentInfo(fieldsOf(fieldsOf(operation)["x-payment-info"]));
  if (prices.length > 0) return prices.map(({ amount }) => amount);
  const [, whole = "", decimals = ""] = /^(\d+)(?:\.(\d{1,6}))? USDC?$/i.exec(statedPrice ?? "") ?? [];
  const stated = `${whole}${decimals.padEnd(6, "0")}`.replace(/^0+/, "");
  return stated === "" ? [] : [stated];
}
