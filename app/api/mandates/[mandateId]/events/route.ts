import { encodeCursor } from "@/lib/core/page";
import { listMandateEvents, toEventView } from "@/lib/mandates/owner/contract";
import { eventsOf } from "@/lib/mandates/service";
import { route } from "@/lib/wiring";

export const GET = route(listMandateEvents, async (ctx, { params, query }) => {
  const page = await eventsOf(ctx, params.mandateId, { after: query.cursor, limit: query.limit });
  return {
    status: "ok" as const,
    events: page.rows.map(toEventView),
    nextCursor: page.next && encodeCursor(page.next),
  };
});
