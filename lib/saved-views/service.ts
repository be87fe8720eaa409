import { newId, type SavedViewId } from "@/lib/core/ids";
import type { Ctx, Owner } from "@/lib/platform/context";
import { savedViewErrors } from "./errors";
import { type Filters, VIEWS_MAX, type ViewedList } from "./rules";
import * as store from "./store";

export type { SavedView } from "./store";

/** In the order of names. */
export const list = ({ db, actor }: Ctx<Owner>, of?: ViewedList): Promise<store.SavedView[]> =>
  store.list(db, actor.ownerId, of);

/** Throws view_exists, too_many_views. */
export async function save(
  ctx: Ctx<Owner>,
  { list: of, name, filters }: { list: ViewedList; name: string; filters: Filters },
): Promise<store.SavedView> {
  const { ownerId } = ctx.actor;
  return ctx.db.transaction(async (tx) => {
    const held = (await store.listLocked(tx, ownerId)).filter((view) => view.list === of);
    if (held.some((view) => view.name === name)) throw savedViewErrors.view_exists();
    if (held.length >= VIEWS_MAX) throw savedViewErrors.too_many_views();
    const view = { id: newId("savedView"), ownerId, list: of, name, filters, createdAt: ctx.now() };
    await store.add(tx, view);
    return view;
  });
}

/** Throws view_not_found, view_exists. */
export async function rename(ctx: Ctx<Owner>, id: SavedViewId, name: string): Promise<store.SavedView> {
  return ctx.db.transaction(async (tx) => {
    const held = await store.listLocked(tx, ctx.actor.ownerId);
    const view = held.find((each) => each.id === id);
    if (!view) throw savedViewErrors.view_not_found();
    const isTaken = held.some((each) => each.id !== id && each.list === view.list && each.name === name);
    if (isTaken) throw savedViewErrors.view_exists();
    await store.rename(tx, id, name);
    return { ...view, name };
  });
}

/** Throws view_not_found. */
export async function remove({ db, actor }: Ctx<Owner>, id: SavedViewId): Promise<void> {
  if (!(await store.remove(db, actor.ownerId, id))) throw savedViewErrors.view_not_found();
}
