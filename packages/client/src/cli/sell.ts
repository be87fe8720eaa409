import { readFileSync } from "node:fs";
import {
  API_DOCUMENT_BYTES_MAX,
  API_PATHS_MAX,
  type ApiDocument,
  pathKey,
  readApiDocument,
} from "../../../x402/src/api-document.ts";
import { fieldsIn } from "../../../x402/src/json.ts";
import { parseUrl } from "../../../x402/src/url.ts";
import type { Tessera } from "../client.ts";
import { TesseraError } from "../errors.ts";
import { formatUsdc, parseUsdc } from "../money.ts";
import { exchange, type Json, jsonOf } from "../transport.ts";
import type * as T from "../types.ts";
import type { Args } from "./args.ts";
import { formatValue, type Io, UsageError } from "./io.ts";

type Method = NonNullable<NonNullable<T.CreateLinkBody["upstream"]>["methods"]>[number];
type Prices = { path: string; amount: string | null }[];

/** `tessera sell URL`: creates a payment link that sells calls to an API, and prints the address below which buyers request it. */
export async function sell({ tessera, args, io }: { tessera: Tessera; args: Args; io: Io }): Promise<void> {
  const url = args.need(args.words[1], "the address of the API");
  if (!parseUrl(url)) throw new UsageError(`${url} is no URL`);
  const amount = args.need(args.usdc("price"), "--price");
  const headers = await headersOf(args, io);
  const source = args.text("openapi");
  const document = source === undefined ? null : await readDocument(source, url, io);
  const paths = mergePaths(document?.paths ?? [], args.texts("path").map(pathOf));
  if (document && paths.length === 0) throw new UsageError(`${source} names no path below ${url} that can be sold`);
  const methods = args.text("method")?.split(",").map(methodOf) ?? document?.methods;
  const { linkId, title, upstream } = await tessera.links.create({
    amount,
    title: args.text("title") ?? (document?.title.trim() || undefined),
    upstream: {
      url,
      paths,
      ...(methods && { methods }),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
  });
  const prices = (upstream?.paths ?? []).map((one) => `${one.path} ${formatUsdc(one.amount ?? amount)}`);
  const facts = {
    paidUrl: upstream?.paidUrl,
    linkId,
    title,
    prices: prices.length === 0 ? `every path ${formatUsdc(amount)}` : prices.join(", "),
    leftOut: document?.leftOut || undefined,
  };
  io.out(formatValue(args.isJson ? { ...facts, prices: upstream?.paths } : facts, args.isJson));
}

/** `/report=0.50`, or `/report` for the price of the link. */
function pathOf(text: string): Prices[number] {
  const [, path = "", price] = /^(\/[^=*]*)(?:=(.*))?$/.exec(text) ?? [];
  try {
    if (path !== "") return { path, amount: price === undefined ? null : parseUsdc(price) };
  } catch {
    // Not an amount: the UsageError below shows the format.
  }
  throw new UsageError(
    "--path must be '/PATH' or '/PATH=USDC', where {name} is one part of any text: '/quotes/{symbol}=0.02'",
  );
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function methodOf(text: string): Method {
  const method = METHODS.find((name) => name === text.trim().toUpperCase());
  if (!method) throw new UsageError(`--method must be some of ${METHODS.join(",")}`);
  return method;
}

/** The paths that are named win over those of the document. */
function mergePaths(documented: Prices, named: Prices): Prices {
  const others = documented.filter(({ path }) => !named.some((one) => pathKey(one.path) === pathKey(path)));
  return [...named, ...others].slice(0, Math.max(API_PATHS_MAX, named.length));
}

/** The headers that the API gets. `$NAME` in an argument is a variable of the environment: every user of the machine can read arguments. */
async function headersOf(args: Args, io: Io): Promise<Record<string, string>> {
  const file = args.text("headers");
  const lines = file === undefined ? [] : (file === "-" ? await io.readIn() : readText(file)).split(/\r?\n/);
  const filled = args.texts("header").map((line) =>
    line.replace(/\$(\w+)/g, (_, name: string) => {
      const value = io.env[name];
      if (!value) throw new UsageError(`the environment has no ${name}`);
      return value;
    }),
  );
  return Object.fromEntries([...lines.filter((line) => line.trim() !== ""), ...filled].map(headerOf));
}

/** Its error does not show the line, which may be a secret. */
function headerOf(line: string): [name: string, value: string] {
  const index = line.indexOf(":");
  const [name, value] = [line.slice(0, Math.max(0, index)).trim(), line.slice(index + 1).trim()];
  if (name === "" || value === "") throw new UsageError("a header must be 'Name: value'");
  return [name, value];
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`${path} cannot be read`);
  }
}

/** From a URL or a file, on this machine: it may be one that the service cannot reach. */
async function readDocument(source: string, base: string, io: Io): Promise<ApiDocument> {
  const isOnline = /^https?:$/.test(parseUrl(source)?.protocol ?? "");
  const document = isOnline
    ? readApiDocument(await download(source, io), { base, from: source })
    : readApiDocument(fieldsIn(readText(source)), { base, from: base });
  if (!document) throw new UsageError(`${source} is no OpenAPI document in JSON`);
  return document;
}

async function download(url: string, io: Io): Promise<Json> {
  const limits = { seconds: 20, maxBytes: API_DOCUMENT_BYTES_MAX, signal: io.signal };
  const reply = await exchange(io.fetch, url, {}, limits);
  if (reply.status === 200 && reply.bytes) return jsonOf(reply);
  const message = reply.bytes === null ? `${url} is larger than 1 MB` : `${url} answered ${reply.status}`;
  throw new TesseraError({ code: "document_unreadable", message });
}
