import { listReceivedPayments } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import { presentReceivedList } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(listReceivedPayments, async (ctx, { query: { cursor, offset, limit } }) =>
  presentReceivedList(ctx, await links.listReceived(ctx, { before: cursor, offset, limit })),
);
