import { assertUnusedProof, paid } from "@/lib/checkout/paid";
import { preflight } from "@/lib/http/cors";
import { payLink, toPurchase } from "@/lib/links/checkout/contract";
import * as checkouts from "@/lib/links/checkout/service";
import * as links from "@/lib/links/service";
import * as visits from "@/lib/links/visits/service";
import { route } from "@/lib/wiring";

export const GET = route(payLink, async (ctx, { params }, req) => {
  const { link, offer } = await checkouts.offer(ctx, params.linkId).catch(async (thrown: unknown) => {
    await assertUnusedProof(ctx, req);
    throw thrown;
  });
  const { baseUrl } = ctx.config;
  const contentUrlOf = await checkouts.contentUrls(ctx);
  return paid(ctx, req, offer, {
    onSettled: async (settlement) => {
      const contentUrl = contentUrlOf(settlement);
      const sold = await checkouts.sold(ctx, settlement);
      const address = { redirectUrl: links.redirectOf(ctx, link), contentUrl, baseUrl };
      return toPurchase(sold?.content ?? null, settlement, address);
    },
    boughtBy: link.resourceContent === null ? undefined : (payer) => checkouts.purchaseBy(ctx, link, payer),
    onPending: (settlement) => ({ contentUrl: contentUrlOf(settlement) }),
    onRefused: (code, payer) => visits.recordRefusal(ctx, link.linkId, { code, payer }),
  });
});

export const OPTIONS = preflight;
