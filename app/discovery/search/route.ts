import { searchResources, toFilter, toResourceView } from "@/lib/discovery/contract";
import * as discovery from "@/lib/discovery/service";
import { route } from "@/lib/wiring";

export const GET = route(searchResources, async (ctx, { query: { query, cursor = 0, ...filter } }) => {
  const terms = query.split(/\s+/u).filter(Boolean);
  const { limit } = filter;
  const { resources, total } = await discovery.listResources(ctx, toFilter(filter), {
    words: terms,
    offset: cursor,
    limit,
  });
  const end = cursor + limit;
  const hasMore = total > end;
  return {
    x402Version: 2 as const,
    resources: resources.map(toResourceView),
    partialResults: hasMore,
    pagination: { limit, cursor: hasMore ? String(end) : null },
  };
});
