import { createHash } from "node:crypto";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { COST_HEADER } from "../passes/limits";
import type { PassOffer } from "../passes/terms";
import { TRIES_MAX } from "./limits";

/** The methods of requests that are forwarded to an upstream. */
export const PAID_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type PaidMethod = (typeof PAID_METHODS)[number];

/** One path of an upstream. `{name}` in `path` is one segment of any text. `amount`: null for the link's price. */
export type UpstreamPath = { path: string; amount: string | null };

/** `http`: an API, whose paths are sold. `mcp`: an MCP server, whose tools are sold, each as a POST to the path of its name. */
export const UPSTREAM_KINDS = ["http", "mcp"] as const;
export type UpstreamKind = (typeof UPSTREAM_KINDS)[number];

/** Where a link forwards paid requests. Its secret headers are sealed in a column of their own. */
export type Upstream = {
  kind: UpstreamKind;
  /** Absolute, without query and trailing slash; paths are added to it. Of an MCP server, its endpoint. */
  url: string;
  methods: PaidMethod[];
  /** Empty: every path, at the link's price. */
  paths: UpstreamPath[];
  secondsMax: number;
  answerBytesMax: number;
  /** The names of the secret headers, in lower case. */
  headerNames: string[];
  /** Sold beside single calls. */
  pass: PassOffer | null;
};

/** Headers of the buyer that the upstream gets. */
const FORWARDED = ["accept", "accept-language", "content-type", "content-encoding"] as const;
type ForwardedHeaders = { [Name in (typeof FORWARDED)[number]]?: string };

/** A request that a buyer pays for. `path` begins with a slash, `search` is empty or begins with `?`. */
export type PaidRequest = {
  method: PaidMethod;
  path: string;
  search: string;
  headers: ForwardedHeaders;
  body: Buffer;
};
/** What a buyer requests: a request without its body. */
export type CallAddress = Pick<PaidRequest, "method" | "path" | "search">;

/**
 * A path that every server reads alike: no empty or dotted segment, no backslash, no parameter of a segment (`;`), and no encoded one of
 * these or of a slash.
 */
const SEGMENT = /^(?!\.{1,2}$)(?:[\w.~!$&'()*+,=:@-]|%(?!2[ef]|5c|3b|25|00)[0-9a-f]{2})+$/i;

export const isPlainPath = (path: string): boolean =>
  path === "/" ||
  (path.startsWith("/") &&
    path
      .slice(1)
      .split("/")
      .every((segment) => SEGMENT.test(segment) && decoded(segment) !== null));

/** The text of a segment, or of a path; null if it is no UTF-8. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const VARIABLE = /^\{\w{1,40}\}$/;

/** Whether a seller may name this path: plain, with at most one variable segment. */
export function isPathPattern(text: string): boolean {
  const segments = text.split("/");
  const variables = segments.filter((segment) => VARIABLE.test(segment));
  const example = segments.map((segment) => (VARIABLE.test(segment) ? "x" : segment)).join("/");
  return variables.length <= 1 && isPlainPath(example);
}

/** How a path fits a pattern. `alike`: a server that ignores the case of letters could take it for this path. */
function fitOf(pattern: string, path: string): "fits" | "alike" | "differs" {
  const wanted = pattern.split("/").map((segment) => decoded(segment) ?? segment);
  const segments = path.split("/").map((segment) => decoded(segment) ?? segment);
  if (wanted.length !== segments.length) return "differs";
  const isFitting = (isSame: (wantedPart: string, part: string) => boolean) =>
    wanted.every((part, index) => VARIABLE.test(part) || isSame(part, segments[index] ?? ""));
  if (isFitting((wantedPart, part) => wantedPart === part)) return "fits";
  return isFitting((wantedPart, part) => wantedPart.toLowerCase() === part.toLowerCase()) ? "alike" : "differs";
}

/** The name of a path's variable segment; null without one. */
export const variableOf = (path: string): string | null =>
  path
    .split("/")
    .find((segment) => VARIABLE.test(segment))
    ?.slice(1, -1) ?? null;

const hasVariable = ({ path }: Pick<UpstreamPath, "path">): boolean => variableOf(path) !== null;

/** A path that can be bought, with the price of a call. */
export type SoldPath = { path: string; amount: Usdc };

/** Stands for every path of an upstream whose seller names none. It has as many segments as a buyer writes. */
export const EVERY_PATH = "/{path}";

/**
 * Whether a path is one that the seller names, its variable not filled in: how lists show it. It has a price, because catalogues ask for it,
 * but a buyer who pays for it would get nothing.
 */
export const isTemplate = (soldPath: string, path: string): boolean =>
  variableOf(soldPath) !== null && decoded(path) === soldPath;

/** What can be bought. `price`: the link's own. */
export const soldPaths = ({ paths }: Pick<Upstream, "paths">, price: Usdc): SoldPath[] =>
  paths.length === 0
    ? [{ path: EVERY_PATH, amount: price }]
    : paths.map(({ path, amount }) => ({ path, amount: amount === null ? price : toUsdc(BigInt(amount)) }));

/** `path`: the one that the seller names. */
export type Quote = ({ type: "offered" } & SoldPath) | { type: "path_not_offered" } | { type: "method_not_offered" };

/**
 * As which of a link's paths a request is sold; null if it is not. A path without a variable wins over those with one, and of these the
 * dearest. A path that differs from one without a variable only in the case of letters is not offered: the upstream may take it for that
 * one. `price`: the link's own.
 */
export function offeredPath({ paths }: Pick<Upstream, "paths">, price: Usdc, path: string): SoldPath | null {
  if (!isPlainPath(path)) return null;
  const sold = soldPaths({ paths }, price);
  if (paths.length === 0) return sold[0] ?? null;
  const fixed = sold.filter((entry) => !hasVariable(entry) && fitOf(entry.path, path) !== "differs");
  if (fixed.length > 0) return fixed.find((entry) => fitOf(entry.path, path) === "fits") ?? null;
  const [dearest] = sold
    .filter((entry) => hasVariable(entry) && fitOf(entry.path, path) === "fits")
    .sort((a, b) => (a.amount < b.amount ? 1 : -1));
  return dearest ?? null;
}

/** The price of a request, as `offeredPath` says. */
export function quote(
  { methods, paths }: Pick<Upstream, "methods" | "paths">,
  price: Usdc,
  { method, path }: Pick<PaidRequest, "method" | "path">,
): Quote {
  const offered = offeredPath({ paths }, price, path);
  if (!offered) return { type: "path_not_offered" };
  return methods.includes(method) ? { type: "offered", ...offered } : { type: "method_not_offered" };
}

/** SHA-256 of all of a request that decides what the upstream does. */
export const fingerprintOf = ({ method, path, search, headers, body }: PaidRequest): string =>
  createHash("sha256")
    .update(JSON.stringify([method, path, search, headers["content-type"], headers["content-encoding"]]))
    .update(body)
    .digest("hex");

/** Why there is no answer to deliver. */
export const UPSTREAM_FAILURES = [
  "unreachable",
  "timeout",
  "redirect",
  "refused_us",
  "error",
  "too_large",
  "incomplete",
  "encoded",
  "secret",
] as const;
export type UpstreamFailure = (typeof UPSTREAM_FAILURES)[number];

/** Whether an answer ended at a limit that the seller set. */
export const isLimit = (failure: UpstreamFailure): boolean => failure === "timeout" || failure === "too_large";

/**
 * Whether a response is the upstream's failure and not its answer: an error of its own, a redirect, that it refuses this service (its
 * key, its rate, its own price), or that it is compressed, which was not asked for and would hide a secret. A buyer pays for none of these.
 */
export function failureOf(status: number, headers: Readonly<Record<string, string>>): UpstreamFailure | null {
  if (status >= 500 || status < 200) return "error";
  if (status >= 300 && status < 400) return "redirect";
  if ([401, 402, 407, 408, 429].includes(status)) return "refused_us";
  return (headers["content-encoding"] ?? "identity").toLowerCase() === "identity" ? null : "encoded";
}

/**
 * Seconds until a buyer's next try: twice as many after each, so that all tries take most of the hour, or more if the upstream asks for
 * it. Bounded so that the other tries still fit.
 */
export function waitSecondsAfter(
  triesStarted: number,
  { askedSeconds, leftSeconds }: { askedSeconds: number; leftSeconds: number },
): number {
  const triesLeft = TRIES_MAX - triesStarted;
  const seconds = Math.max(3 * 2 ** triesStarted, Math.min(askedSeconds, leftSeconds / (triesLeft + 1)));
  return Math.max(1, Math.floor(Math.min(seconds, leftSeconds / 2)));
}

export const forwardedHeaders = ({ headers }: Request): ForwardedHeaders =>
  Object.fromEntries(
    FORWARDED.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );

/** Headers of the upstream that the buyer gets. None of a connection, a cookie or a cache. */
const RETURNED = ["content-type", "content-language", "content-disposition"] as const;

export const returnedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    RETURNED.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** What the upstream says that a call has cost; null if it says nothing that can be read. */
export const costIn = (headers: Readonly<Record<string, string>>): Usdc | null =>
  toCost(headers[COST_HEADER.toLowerCase()]);

/** `value`: text, or a JSON number. */
export const toCost = (value: unknown): Usdc | null => {
  const text = typeof value === "number" ? `${value}` : value;
  return typeof text === "string" && /^\d{1,20}$/.test(text) ? toUsdc(BigInt(text)) : null;
};

/** Names that a seller cannot set: those of the connection, and those that this service writes itself. */
const RESERVED =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|accept-encoding|idempotency-key|tessera-payment|proxy-.*)$/;
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** RFC 9110, 5.5: visible ASCII with inner spaces. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

export const isUpstreamHeader = (name: string, value: string): boolean =>
  name !== "__proto__" && HEADER_NAME.test(name) && !RESERVED.test(name) && HEADER_VALUE.test(value);

/** Shorter values are no secrets, and would be found in answers by chance. */
const SECRET_LENGTH_MIN = 8;
/** Only the beginning is searched for: beyond 250 bytes, Node's search takes the product of both lengths. */
const SECRET_BYTES_SEARCHED = 250;

/**
 * What an answer must not have of the seller's headers: each value, also without its scheme (`Bearer …`), what Basic encodes, and how JSON
 * and URLs write them; of a long one its beginning.
 */
export function secretsIn(headers: Readonly<Record<string, string>>): Buffer[] {
  const texts = Object.values(headers).flatMap((value) => {
    const bare = value.replace(/^\w+ +/, "");
    const pair = /^basic /i.test(value) ? Buffer.from(bare, "base64").toString("utf8") : "";
    return [value, bare, pair, pair.slice(pair.indexOf(":") + 1)];
  });
  const written = new Set(
    texts
      .filter(({ length }) => length >= SECRET_LENGTH_MIN)
      .flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])
      .map((text) => Buffer.from(text).toString("latin1", 0, SECRET_BYTES_SEARCHED)),
  );
  // An answer that has the whole has the part.
  const parts = [...written].filter((text) => ![...written].some((other) => other !== text && text.includes(other)));
  return parts.map((text) => Buffer.from(text, "latin1"));
}

export const hasSecret = (bytes: Buffer, secrets: readonly Buffer[]): boolean =>
  secrets.some((secret) => bytes.includes(secret));

/** How many of the last bytes could be the beginning of a secret. */
export function heldBack(bytes: Buffer, secrets: readonly Buffer[]): number {
  const lengths = secrets.map((secret) => {
    const [first = 0] = secret;
    let start = bytes.indexOf(first, Math.max(0, bytes.length - secret.length + 1));
    while (start >= 0 && !bytes.subarray(start).equals(secret.subarray(0, bytes.length - start)))
      start = bytes.indexOf(first, start + 1);
    return start < 0 ? 0 : bytes.length - start;
  });
  return Math.max(0, ...lengths);
}
