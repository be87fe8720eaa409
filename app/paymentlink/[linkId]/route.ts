import { assertUnusedProof, paid } from "@/lib/checkout/paid";
import { preflight } from "@/lib/http/cors";
import { payLink, presentPurchase } from "@/lib/links/contract";
import * as links from "@/lib/links/service";
import * as visits from "@/lib/links/visits/service";
import { route } from "@/lib/wiring";

export const GET = route(payLink, async (ctx, { params }, req) => {
  const { link, offer } = await links.offer(ctx, params.linkId).catch(async (thrown: unknown) => {
    await assertUnusedProof(ctx, req);
    throw thrown;
  });
  const { baseUrl } = ctx.config;
  const contentUrlOf = await links.contentUrls(ctx);
  return paid(ctx, req, offer, {
    onSettled: async (settlement) => {
      const contentUrl = contentUrlOf(settlement);
      const sold = await links.sold(ctx, settlement);
      const address = { redirectUrl: links.redirectOf(ctx, link), contentUrl, baseUrl };
      return presentPurchase(sold?.content ?? null, settlement, address);
    },
    onPending: (settlement) => ({ contentUrl: contentUrlOf(settlement) }),
    onRefused: (code, payer) => visits.refused(ctx, link.linkId, { code, payer }),
  });
});

export const OPTIONS = preflight;
