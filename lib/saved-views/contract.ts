import { z } from "zod";
import { endpoint } from "@/lib/core/endpoint";
import { id } from "@/lib/core/id-text";
import { shownName } from "@/lib/core/shown";
import { isoDate } from "@/lib/core/time-text";
import { savedViewErrors } from "./errors";
import { filterFaults, VIEWED_LISTS } from "./rules";
import type { SavedView } from "./service";

const { view_not_found, view_exists, too_many_views } = savedViewErrors.table;

const ok = z.literal("ok");
const params = z.object({ viewId: id("savedView") });
const list = z.enum(VIEWED_LISTS, `must be one of: ${VIEWED_LISTS.join(", ")}`);
const name = shownName();
const VALUE_MAX = 300;

const viewItem = z.object({
  viewId: z.string(),
  list,
  name: z.string(),
  /** The filters by name, as in the URL of the list. */
  filters: z.record(z.string(), z.string()),
  createdAt: isoDate,
});
export type SavedViewItem = z.output<typeof viewItem>;

const oneView = z.object({ status: ok, view: viewItem });

export const listSavedViews = endpoint({
  method: "GET",
  path: "/api/wallet/views",
  summary: "The owner's saved views of lists, by name",
  auth: "owner",
  surface: "wallet",
  query: z.object({ list: list.optional() }),
  response: z.object({ status: ok, views: z.array(viewItem) }),
  errors: {},
});

export const saveView = endpoint({
  method: "POST",
  path: "/api/wallet/views",
  summary: "Save the filters of a list under a name",
  auth: "owner",
  surface: "wallet",
  body: z
    .object(
      { list, name, filters: z.record(z.string(), z.string().min(1).max(VALUE_MAX), { error: "must be an object" }) },
      { error: "must be an object" },
    )
    .superRefine((body, { addIssue }) => {
      const faults = filterFaults(body.list, body.filters);
      for (const { name, why } of faults) addIssue({ code: "custom", path: ["filters", name], message: why });
      if (Object.keys(body.filters).length === 0)
        addIssue({ code: "custom", path: ["filters"], message: "must have a filter" });
    }),
  response: { 201: oneView },
  errors: { view_exists, too_many_views },
});

export const renameView = endpoint({
  method: "PATCH",
  path: "/api/wallet/views/{viewId}",
  summary: "Rename a saved view",
  auth: "owner",
  surface: "wallet",
  params,
  body: z.object({ name }, { error: "must be an object" }),
  response: oneView,
  errors: { view_not_found, view_exists },
});

export const deleteView = endpoint({
  method: "DELETE",
  path: "/api/wallet/views/{viewId}",
  summary: "Delete a saved view. The list and its payments stay as they are",
  auth: "owner",
  surface: "wallet",
  params,
  response: z.object({ status: ok }),
  errors: { view_not_found },
});

export const toSavedViewItem = ({ id: viewId, list, name, filters, createdAt }: SavedView): SavedViewItem => ({
  ...{ viewId, list, name, filters, createdAt },
});
