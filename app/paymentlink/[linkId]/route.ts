import { paymentHeader } from "@/lib/checkout/presented";
import { assertUnusedProof, sellOffer } from "@/lib/checkout/sell-offer";
import { preflight } from "@/lib/http/cors";
import { payLink, toPurchase } from "@/lib/links/checkout/contract";
import * as checkouts from "@/lib/links/checkout/service";
import { redirectOf } from "@/lib/links/redirects";
import * as visits from "@/lib/links/visits/service";
import { route } from "@/lib/wiring";

export const GET = route(payLink, async (ctx, { params, query }, req) => {
  const isProbe = paymentHeader(req) === null;
  const { link, order, offer } = await checkouts
    .offer(ctx, params.linkId, query, { isProbe })
    .catch(async (error: unknown) => {
      await assertUnusedProof(ctx, req);
      throw error;
    });
  const { baseUrl } = ctx.config;
  const contentUrlOf = await checkouts.contentUrls(ctx);
  return sellOffer(ctx, req, offer, {
    onSettled: async (settlement) => {
      const contentUrl = contentUrlOf(settlement);
      const soldContent = await checkouts.readContent(ctx, settlement);
      const address = { redirectUrl: await redirectOf(ctx, link), contentUrl, baseUrl };
      return toPurchase(soldContent ?? { content: null }, settlement, address);
    },
    boughtBy:
      link.isRepeatable || (link.resourceContent === null && link.file === null)
        ? undefined
        : (payer) => checkouts.purchaseBy(ctx, link, order, payer),
    onClaim: () => (tx, id) => checkouts.writeOrder(tx, id, order),
    isSame: (earlier) => checkouts.isSameOrder(ctx, order, earlier, link.linkId),
    onPending: (settlement) => ({ contentUrl: contentUrlOf(settlement) }),
    onRefused: (code, payer) => visits.recordRefusal(ctx, link.linkId, { code, payer }),
  });
});

export const OPTIONS = preflight;
