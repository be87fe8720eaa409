import { listenEvents } from "@/lib/live/contract";
import { listen } from "@/lib/live/service";
import { route } from "@/lib/wiring";

export const GET = route(listenEvents, (ctx, { query }, req) => {
  const received = req.headers.get("last-event-id");
  const lastEventId = received ?? query.lastEventId;
  return listen(ctx, lastEventId === undefined ? null : { lastEventId, isReconnecting: received !== null });
});
