import { listReceivedPayments } from "@/lib/links/received/contract";
import * as received from "@/lib/links/received/service";
import { presentReceivedList } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(listReceivedPayments, async (ctx, { query: { cursor, offset, limit } }) =>
  presentReceivedList(ctx, await received.listReceived(ctx, { before: cursor, offset, limit })),
);
