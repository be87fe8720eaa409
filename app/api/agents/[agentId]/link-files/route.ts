import { uploadFile } from "@/lib/links/files/contract";
import * as files from "@/lib/links/files/service";
import { route } from "@/lib/wiring";

export const POST = route(uploadFile, async (ctx, { params: { agentId }, query: { name } }, req) => {
  const declaredBytes = Number(req.headers.get("content-length") ?? 0);
  return { status: "ok" as const, file: await files.upload(ctx, agentId, { name, body: req.body, declaredBytes }) };
});
