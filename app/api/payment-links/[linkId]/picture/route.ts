import { callerOf } from "@/lib/http/caller";
import { toCheckoutView } from "@/lib/links/checkout/contract";
import { getPicture } from "@/lib/links/checkout/picture-contract";
import * as checkouts from "@/lib/links/checkout/service";
import { isInPreview } from "@/lib/links/images/image";
import * as images from "@/lib/links/images/service";
import { readPicture } from "@/lib/links/pictures/service";
import * as links from "@/lib/links/service";
import { route } from "@/lib/wiring";
import { pictureOf, pictureWith } from "./draw";

const KEPT_SECONDS = 60;
/** Cache lifetime of the plain picture. Meanwhile, the link's own picture is drawn. */
const PLAIN_KEPT_SECONDS = 5;

export const GET = route(getPicture, async (ctx, { params }, req) => {
  const { link, ...checkout } = await checkouts.checkout(ctx, params.linkId);
  const url = links.linkUrl(ctx, params.linkId);
  const { amountFormatted, networkLabel, unavailableReason } = toCheckoutView(
    { link, ...checkout },
    { url, redirectUrl: null, cancelUrl: null, now: ctx.now() },
  );
  const pictureProps = { amountFormatted, networkLabel, isOpen: unavailableReason === null };
  const image = link.image && isInPreview(link.image) ? link.image : null;
  const withImage = async () => {
    const stored = image && (await images.find(ctx, image.imageId));
    return stored && pictureWith(pictureProps, new Uint8Array(stored.data).buffer);
  };
  const { png, isOwn } = await readPicture(ctx, {
    key: JSON.stringify({ ...pictureProps, imageId: image?.imageId }),
    drawings: [withImage, async () => pictureOf(pictureProps)],
    caller: callerOf(req),
  });
  const seconds = isOwn ? KEPT_SECONDS : PLAIN_KEPT_SECONDS;
  return new Response(png, {
    headers: { "Content-Type": getPicture.response.contentType, "Cache-Control": `public, max-age=${seconds}` },
  });
});
