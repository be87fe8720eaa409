import { toCheckoutView } from "@/lib/links/checkout/contract";
import { getPicture } from "@/lib/links/checkout/picture-contract";
import * as checkouts from "@/lib/links/checkout/service";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";
import { draw } from "./draw";

export const GET = route(getPicture, async (ctx, { params }) => {
  const found = await checkouts.checkout(ctx, params.linkId);
  const url = links.linkUrl(ctx, params.linkId);
  const { amountFormatted, networkLabel, unavailableReason } = toCheckoutView(found, {
    ...{ url, redirectUrl: null, now: ctx.now() },
  });
  const picture = await draw({ amountFormatted, networkLabel, isOpen: unavailableReason === null });
  return new Response(picture, {
    headers: { "Content-Type": getPicture.response.contentType, "Cache-Control": "public, max-age=60" },
  });
});
