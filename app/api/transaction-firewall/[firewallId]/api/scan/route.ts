import { scanTransactionSold } from "@/lib/firewall/contract";
import { preflight } from "@/lib/http/cors";
import { route } from "@/lib/wiring";
import { sell } from "../../sell";

export const POST = route(scanTransactionSold, (ctx, { params }, req) => sell(ctx, req, { ...params, kind: "scan" }));

export const OPTIONS = preflight;
