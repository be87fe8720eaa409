import { priceRange } from "@/components/checkout/calls";
import { LEADS, type PictureOf } from "@/components/checkout/picture";
import { formatUsdc } from "@/lib/core/usdc";
import { callerOf } from "@/lib/http/caller";
import { type CheckoutView, toCheckoutView } from "@/lib/links/checkout/contract";
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
  const view = toCheckoutView({ link, ...checkout }, { url, redirectUrl: null, cancelUrl: null, now: ctx.now() });
  const pictureProps = { networkLabel: view.networkLabel, ...leadOf(view) };
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

/** What the picture says of the price. */
function leadOf({
  amountFormatted,
  unavailableReason,
  calls,
}: CheckoutView): Pick<PictureOf, "lead" | "amountFormatted"> {
  if (unavailableReason === null) return { lead: LEADS.open, amountFormatted };
  if (unavailableReason !== "SELLS_CALLS" || !calls) return { lead: LEADS.closed, amountFormatted };
  const { least, most } = priceRange(calls);
  const [one, many] = calls.kind === "mcp" ? [LEADS.tool, LEADS.tools] : [LEADS.call, LEADS.calls];
  return { lead: least === most ? one : many, amountFormatted: formatUsdc(least) };
}
