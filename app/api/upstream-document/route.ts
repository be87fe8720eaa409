import { readUpstreamDocument, toDocumentResult } from "@/lib/links/upstream/document/contract";
import { readDocument } from "@/lib/links/upstream/document/service";
import { route } from "@/lib/wiring";

export const POST = route(readUpstreamDocument, async (ctx, { body }) =>
  toDocumentResult(await readDocument(ctx, body)),
);
