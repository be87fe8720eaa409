import { scanX402Sold } from "@/lib/firewall/contract";
import { preflight } from "@/lib/http/cors";
import { route } from "@/lib/wiring";
import { sell } from "../../sell";

export const POST = route(scanX402Sold, (ctx, { params }, req) => sell(ctx, req, { ...params, kind: "x402-scan" }));

export const OPTIONS = preflight;
