import { deleteView, renameView, toSavedViewItem } from "@/lib/saved-views/contract";
import * as savedViews from "@/lib/saved-views/service";
import { route } from "@/lib/wiring";

export const PATCH = route(renameView, async (ctx, { params, body }) => ({
  status: "ok" as const,
  view: toSavedViewItem(await savedViews.rename(ctx, params.viewId, body.name)),
}));

export const DELETE = route(deleteView, async (ctx, { params }) => {
  await savedViews.remove(ctx, params.viewId);
  return { status: "ok" as const };
});
