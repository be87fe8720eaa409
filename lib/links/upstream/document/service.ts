import { API_DOCUMENT_BYTES_MAX, type ApiDocument, readApiDocument } from "@tessera/x402/api-document";
import { limit } from "@/lib/http/limit";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { OutboundResponse } from "@/lib/platform/outbound";
import { sendFor } from "@/lib/platform/outbound-guard";
import { readBaseUrl } from "../columns";
import { isPathPattern } from "../rules";

export const DOCUMENT_FAILURES = ["unreachable", "absent", "unreadable", "nothing_to_sell"] as const;
type DocumentFailure = (typeof DOCUMENT_FAILURES)[number];
export type DocumentReading =
  | { type: "read"; document: ApiDocument & { url: string } }
  | { type: "failed"; failure: DocumentFailure };

/**
 * Reads the OpenAPI document of an API, below its base URL or at its origin. The API's headers are not sent: the URL may not be the
 * seller's yet. Throws UPSTREAM_URL_INVALID, rate_limited.
 */
export async function readDocument(ctx: Ctx<Owner>, text: string): Promise<DocumentReading> {
  const base = readBaseUrl(ctx, text);
  await limit(ctx, "document_per_owner", ctx.actor.ownerId);
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
