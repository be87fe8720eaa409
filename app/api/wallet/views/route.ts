import { listSavedViews, saveView, toSavedViewItem } from "@/lib/saved-views/contract";
import * as savedViews from "@/lib/saved-views/service";
import { route } from "@/lib/wiring";

export const GET = route(listSavedViews, async (ctx, { query }) => ({
  status: "ok" as const,
  views: (await savedViews.list(ctx, query.list)).map(toSavedViewItem),
}));

export const POST = route(saveView, async (ctx, { body }) => ({
  status: "ok" as const,
  view: toSavedViewItem(await savedViews.save(ctx, body)),
}));
