import { scanPromptSold } from "@/lib/firewall/contract";
import { sell } from "@/lib/firewall/sell";
import { preflight } from "@/lib/http/cors";
import { route } from "@/lib/wiring";

export const POST = route(scanPromptSold, (ctx, { params }, req) => sell(ctx, req, { ...params, kind: "prompt-scan" }));

export const OPTIONS = preflight;
