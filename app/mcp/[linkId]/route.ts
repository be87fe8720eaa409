import { POST as postPaid } from "@/app/paid/[linkId]/[[...path]]/route";
import { callSoldTools } from "@/lib/mcp/contract";
import { handleSold } from "@/lib/mcp/sold";
import { route } from "@/lib/wiring";

export const POST = route(callSoldTools, (ctx, { params }, req) => handleSold(ctx, params.linkId, req, { postPaid }));

export { DELETE, GET, OPTIONS } from "../route";
