import { searchResources, toFilter, toResourceView } from "@/lib/discovery/contract";
import * as discovery from "@/lib/discovery/service";
import { route } from "@/lib/wiring";

export const GET = route(searchResources, async (ctx, { query: { query, cursor = 0, ...filter } }) => {
  const words = query.split(/\s+/u).filter(Boolean);
  const found = await discovery.listResources(ctx, toFilter(filter), words);
  const end = cursor + filter.limit;
  const hasMore = found.length > end;
  return {
    x402Version: 2 as const,
    resources: found.slice(cursor, end).map(toResourceView),
    partialResults: hasMore,
    pagination: { limit: filter.limit, cursor: hasMore ? String(end) : null },
  };
});
