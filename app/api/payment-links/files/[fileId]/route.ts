import { callerOf } from "@/lib/http/caller";
import { preflight } from "@/lib/http/cors";
import { downloadFile } from "@/lib/links/files/contract";
import * as files from "@/lib/links/files/service";
import { route } from "@/lib/wiring";

export const GET = route(downloadFile, async (ctx, { params, query }, req) => {
  const access = { ...query, caller: callerOf(req) };
  const { bytes, disposition, stream } = await files.download(ctx, params.fileId, access);
  return new Response(stream, {
    headers: {
      // Never a type that a browser renders: the file was uploaded by a seller.
      "Content-Type": "application/octet-stream",
      "Content-Length": String(bytes),
      "Content-Disposition": disposition,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "Cache-Control": "private, no-store",
    },
  });
});

export const OPTIONS = preflight;
