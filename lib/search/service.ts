import { limit } from "@/lib/http/limit";
import type { Ctx, Owner } from "@/lib/platform/context";
import type { SearchResult } from "./limits";
import * as store from "./store";

/** Searches the owner's agents, mandates, links, payments and sales. Throws rate_limited. */
export async function search(ctx: Ctx<Owner>, text: string): Promise<SearchResult[]> {
  const { ownerId } = ctx.actor;
  await limit(ctx, "search_per_owner", ownerId);
  const query = { ownerId, text };
  const { findAgents, findMandates, findLinks, findPayments, findSales } = store;
  const results = await Promise.all(
    [findAgents, findMandates, findLinks, findPayments, findSales].map((find) => find(ctx.db, query)),
  );
  return results.flat();
}
