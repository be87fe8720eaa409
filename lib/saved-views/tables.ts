import { jsonb, pgTable, text, unique } from "drizzle-orm/pg-core";
import type { OwnerId, SavedViewId } from "@/lib/core/ids";
import { owners } from "@/lib/owners/tables";
import { moment } from "@/lib/platform/columns";
import type { Filters, ViewedList } from "./rules";

/** Filters of a list that an owner named. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: text("id").$type<SavedViewId>().primaryKey(),
    ownerId: text("owner_id")
      .$type<OwnerId>()
      .notNull()
      .references(() => owners.id),
    list: text("list").$type<ViewedList>().notNull(),
    name: text("name").notNull(),
    /** As in the URL of the list. They were valid when they were saved. */
    filters: jsonb("filters").$type<Filters>().notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (t) => [unique("saved_views_name").on(t.ownerId, t.list, t.name)],
);
