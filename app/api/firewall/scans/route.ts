import { listScans, toScansResponse } from "@/lib/firewall/contract";
import { listForAgent } from "@/lib/firewall/service";
import { route } from "@/lib/wiring";

export const GET = route(listScans, async (ctx, { query }) =>
  toScansResponse(await listForAgent(ctx, { after: query.cursor, limit: query.limit })),
);
