import { scanX402Sold } from "@/lib/firewall/contract";
import { sell } from "@/lib/firewall/sell";
import { preflight } from "@/lib/http/cors";
import { route } from "@/lib/wiring";

export const POST = route(scanX402Sold, (ctx, { params }, req) => sell(ctx, req, { ...params, kind: "x402-scan" }));

export const OPTIONS = preflight;
