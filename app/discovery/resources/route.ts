import { listResources, toFilter, toResourceView } from "@/lib/discovery/contract";
import * as discovery from "@/lib/discovery/service";
import { route } from "@/lib/wiring";

export const GET = route(listResources, async (ctx, { query }) => {
  const { limit, offset } = query;
  const { resources, total } = await discovery.listResources(ctx, toFilter(query), { offset, limit });
  return {
    x402Version: 2 as const,
    items: resources.map(toResourceView),
    pagination: { limit, offset, total },
  };
});
