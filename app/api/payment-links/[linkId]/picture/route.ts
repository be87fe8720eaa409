import { toCheckoutView } from "@/lib/links/checkout/contract";
import { getPicture } from "@/lib/links/checkout/picture-contract";
import * as checkouts from "@/lib/links/checkout/service";
import { isInPreview } from "@/lib/links/images/image";
import * as images from "@/lib/links/images/service";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";
import { draw } from "./draw";

export const GET = route(getPicture, async (ctx, { params }) => {
  const found = await checkouts.checkout(ctx, params.linkId);
  const url = links.linkUrl(ctx, params.linkId);
  const { amountFormatted, networkLabel, unavailableReason } = toCheckoutView(found, {
    ...{ url, redirectUrl: null, cancelUrl: null, now: ctx.now() },
  });
  const { image } = found.link;
  const picture = await draw(
    { amountFormatted, networkLabel, isOpen: unavailableReason === null },
    image && isInPreview(image)
      ? {
          imageId: image.imageId,
          read: async () => {
            const stored = await images.find(ctx, image.imageId);
            return stored && new Uint8Array(stored.data).buffer;
          },
          onBroken: (err) => ctx.log.warn({ err, imageId: image.imageId }, "link_image.not_drawn"),
        }
      : null,
  );
  return new Response(picture, {
    headers: { "Content-Type": getPicture.response.contentType, "Cache-Control": "public, max-age=60" },
  });
});
