import { POST as postPaid } from "@/app/paid/[linkId]/[[...path]]/route";
import type { Handler } from "@/lib/mcp/api";
import { callSoldTools } from "@/lib/mcp/contract";
import { handleSold } from "@/lib/mcp/sold";
import { route } from "@/lib/wiring";

export const POST: Handler = route(callSoldTools, (ctx, { params }, req) =>
  handleSold(ctx, params.linkId, req, { postPaid }, POST),
);

export { DELETE, GET, OPTIONS } from "../route";
