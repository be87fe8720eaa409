import { listLinkPayments } from "@/lib/links/received/contract";
import * as received from "@/lib/links/received/service";
import { toReceivedPage } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(listLinkPayments, async (ctx, { params, query: { cursor, limit } }) =>
  toReceivedPage(ctx, await received.listPayments(ctx, params.linkId, { before: cursor, limit })),
);
