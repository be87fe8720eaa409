import { SavedViews } from "@/components/saved-views/saved-views";
import { type Filters, isSameFilter, type ViewedList } from "@/lib/saved-views/rules";
import * as savedViews from "@/lib/saved-views/service";
import type { OwnerContext } from "../../context";

export type ViewsProps = {
  ctx: OwnerContext;
  list: ViewedList;
  /** The list's filters, and none that is ignored. */
  filters: Partial<Filters>;
  /** The list with these filters. */
  href: (filters: Filters) => string;
};

/** The owner's saved views of a list of payments. */
export async function Views({ ctx, list, filters, href }: ViewsProps) {
  const given = Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const views = (await savedViews.list(ctx, list)).map(({ id, name, filters: saved }) => ({
    viewId: id,
    name,
    href: href(saved),
    isCurrent: isSameFilter(saved, given),
  }));
  return <SavedViews list={list} views={views} filters={given} />;
}
