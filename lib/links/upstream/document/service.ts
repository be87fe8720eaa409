import { API_DOCUMENT_BYTES_MAX, type ApiDocument, readApiDocument } from "@tessera/x402/api-document";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { OutboundResponse } from "@/lib/platform/outbound";
import { sendFor } from "@/lib/platform/outbound-guard";
import { readBaseUrl, readUpstreamUrl } from "../columns";
import type { Failed } from "../ended";
import type { UpstreamInput } from "../fields";
import { UPSTREAM_PATHS_MAX, UPSTREAM_SECONDS_DEFAULT } from "../limits";
import { isPathPattern } from "../rules";
import { toolPath } from "../tools/names";
import { listTools } from "../tools/service";

export const DOCUMENT_FAILURES = ["unreachable", "refused", "absent", "unreadable", "nothing_to_sell"] as const;
type DocumentFailure = (typeof DOCUMENT_FAILURES)[number];
export type DocumentReading =
  | { type: "read"; document: ApiDocument & { url: string } }
  | { type: "failed"; failure: DocumentFailure };

/** Reads what a link could sell of an API or an MCP server. Throws UPSTREAM_URL_INVALID, rate_limited. */
export async function readDocument(
  ctx: Ctx<Owner>,
  { kind, url, headers = {} }: Pick<UpstreamInput, "kind" | "url" | "headers">,
): Promise<DocumentReading> {
  await limit(ctx, "document_per_owner", ctx.actor.ownerId);
  return kind === "mcp" ? readTools(ctx, url, headers) : readOpenApi(ctx, url);
}

/** Asks an MCP server for its tools, with the headers that the link would send. */
async function readTools(ctx: Ctx<Owner>, text: string, secrets: Record<string, string>): Promise<DocumentReading> {
  const { href: url, hostname } = readUpstreamUrl(ctx, text);
  await limit(ctx, "outbound_per_host", hostname);
  const listing = await listTools(ctx, { url, secondsMax: UPSTREAM_SECONDS_DEFAULT, secrets });
  if (listing.type === "failed") return { type: "failed", failure: failureOf(listing) };
  // A link names each once, whatever the case of its letters.
  const names = new Map(listing.names.map((name) => [name.toLowerCase(), name]));
  const paths = [...names.values()]
    .slice(0, UPSTREAM_PATHS_MAX)
    .map((name) => ({ path: toolPath(name), amount: null }));
  if (paths.length === 0) return { type: "failed", failure: "nothing_to_sell" };
  const leftOut = listing.leftOut + listing.names.length - paths.length;
  return { type: "read", document: { url, title: "", methods: ["POST"], paths, leftOut } };
}

function failureOf({ failure, status }: Failed): DocumentFailure {
  if (failure === "unreachable" || failure === "timeout") return "unreachable";
  if (failure === "refused_us") return "refused";
  return status !== null && status !== 200 ? "absent" : "unreadable";
}

/** Reads an OpenAPI document, below the base URL or at its origin. The API's headers are not sent: the document is public. */
async function readOpenApi(ctx: Ctx<Owner>, text: string): Promise<DocumentReading> {
  const base = readBaseUrl(ctx, text);
  const send = sendFor(ctx, { replyBytesMax: API_DOCUMENT_BYTES_MAX });
  const headers = { accept: "application/json", "user-agent": `Tessera (+${ctx.config.baseUrl})` };
  const urls = new Set([`${base}/openapi.json`, `${new URL(base).origin}/openapi.json`]);
  let failure: DocumentFailure = "unreachable";
  for (const url of urls) {
    await limit(ctx, "outbound_per_host", new URL(url).hostname);
    const response = await send(new URL(url), { method: "GET", headers });
    if (!response.isAnswered) return { type: "failed", failure };
    const document = toDocument(response, base, url);
    if (typeof document !== "string") return { type: "read", document: { ...document, url } };
    failure = document;
  }
  return { type: "failed", failure };
}

function toDocument(
  { status, bytes, end }: OutboundResponse,
  base: string,
  from: string,
): ApiDocument | DocumentFailure {
  if (status !== 200) return "absent";
  if (end !== "whole") return "unreadable";
  const document = readApiDocument(parse(bytes), { base, from });
  if (!document) return "unreadable";
  const paths = document.paths.filter(({ path }) => isPathPattern(path));
  const leftOut = document.leftOut + document.paths.length - paths.length;
  return paths.length === 0 ? "nothing_to_sell" : { ...document, paths, leftOut };
}

/** Undefined if the bytes are no JSON. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
