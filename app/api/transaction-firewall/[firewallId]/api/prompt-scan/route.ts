import { scanPromptSold } from "@/lib/firewall/contract";
import { preflight } from "@/lib/http/cors";
import { route } from "@/lib/wiring";
import { sell } from "../../sell";

export const POST = route(scanPromptSold, (ctx, { params }, req) => sell(ctx, req, { ...params, kind: "prompt-scan" }));

export const OPTIONS = preflight;
