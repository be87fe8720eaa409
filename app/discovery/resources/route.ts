import { listResources, toFilter, toResourceView } from "@/lib/discovery/contract";
import * as discovery from "@/lib/discovery/service";
import { route } from "@/lib/wiring";

export const GET = route(listResources, async (ctx, { query }) => {
  const { limit, offset } = query;
  const found = await discovery.listResources(ctx, toFilter(query));
  return {
    x402Version: 2 as const,
    items: found.slice(offset, offset + limit).map(toResourceView),
    pagination: { limit, offset, total: found.length },
  };
});
