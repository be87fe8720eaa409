import { listReceivedPayments } from "@/lib/links/received/contract";
import * as received from "@/lib/links/received/service";
import { toReceivedPage } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(listReceivedPayments, async (ctx, { query: { cursor, offset, limit } }) =>
  toReceivedPage(ctx, await received.listReceived(ctx, { before: cursor, offset, limit })),
);
