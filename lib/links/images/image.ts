import type { ImageType } from "@/lib/core/images/image";

/** An image as stored with links. `width` and `height` in pixels. */
export type LinkImage = { imageId: `img_${string}`; type: ImageType; width: number; height: number; bytes: number };

/** The image that a buyer saw, with its alternative text. */
export type SoldImage = { imageId: LinkImage["imageId"]; alt: string };

/** An image for a page. */
export type ShownImage = { url: string; alt: string };

/** Previews leave out images with more pixels than this, because drawing one takes more than half a second of CPU. */
const PREVIEW_PIXELS_MAX = 2_048 * 2_048;

/** Whether previews of the link show the image. The library that draws previews cannot read WebP. */
export const isInPreview = ({ type, width, height }: LinkImage): boolean =>
  type !== "image/webp" && width * height <= PREVIEW_PIXELS_MAX;

export const imageUrl = (baseUrl: string, { imageId }: Pick<LinkImage, "imageId">): string =>
  `${baseUrl}/api/payment-links/images/${imageId}`;

/**
 * The alternative text of a link's image: the link's title, or the first line of its description. Empty if there is neither; the
 * page then shows a default text in its language.
 */
export function altOf({ title, description }: { title: string | null; description: string }): string {
  const line = description.split(/[\r\n]+/).find((text) => text.trim() !== "");
  return title?.trim() || line?.trim() || "";
}

export const shownImage = (baseUrl: string, { imageId, alt }: SoldImage): ShownImage => ({
  url: imageUrl(baseUrl, { imageId }),
  alt,
});
