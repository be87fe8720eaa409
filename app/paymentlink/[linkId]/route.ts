import { preflight } from "@/lib/http/cors";
import { paid } from "@/lib/http/paid";
import { payLink, presentPurchase } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";

export const GET = route(payLink, async (ctx, { params }, req) => {
  const { link, offer } = await links.offer(ctx, params.linkId);
  return paid(ctx, req, offer, (settlement) =>
    presentPurchase(link, settlement, links.redirectOf(ctx, link), ctx.config.baseUrl),
  );
});

export const OPTIONS = preflight;
