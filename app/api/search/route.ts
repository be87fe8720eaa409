import { search } from "@/lib/search/contract";
import * as service from "@/lib/search/service";
import { route } from "@/lib/wiring";

export const GET = route(search, async (ctx, { query }) => ({
  status: "ok" as const,
  results: await service.search(ctx, query.query),
}));
