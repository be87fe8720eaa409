import { createHash } from "node:crypto";
import { preflight } from "@/lib/http/cors";
import { getOpenApi } from "@/lib/openapi/contract";
import { openApi } from "@/lib/openapi/document";
import { route } from "@/lib/wiring";

const CACHE_SECONDS = 300;

/** Cached for the life of the process: building takes half a second of CPU. */
let built: { baseUrl: string; text: string; etag: string } | undefined;

function documentOf(baseUrl: string) {
  if (built?.baseUrl === baseUrl) return built;
  const text = JSON.stringify(openApi(baseUrl));
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  built = { baseUrl, text, etag };
  return built;
}

export const GET = route(getOpenApi, async (ctx, _, req) => {
  const { text, etag } = documentOf(ctx.config.baseUrl);
  const headers = { "Cache-Control": `public, max-age=${CACHE_SECONDS}`, ETag: etag };
  const cachedEtags = (req.headers.get("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (cachedEtags.includes(etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "Content-Type": getOpenApi.response.contentType } });
});

export const OPTIONS = preflight;
