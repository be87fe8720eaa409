import { listLinkPayments } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import { presentReceivedList } from "@/lib/refunds/service";
import { route } from "@/lib/wiring";

export const GET = route(listLinkPayments, async (ctx, { params, query: { cursor, limit } }) =>
  presentReceivedList(ctx, await links.listPayments(ctx, params.linkId, { before: cursor, limit })),
);
