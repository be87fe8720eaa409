import type { ImageType } from "@/lib/core/images/image";

/** An image as links remember it. Sides in pixels. */
export type LinkImage = { imageId: `img_${string}`; type: ImageType; width: number; height: number; bytes: number };

/** The image that a buyer saw, and what it showed in words. */
export type SoldImage = { imageId: LinkImage["imageId"]; alt: string };

/** An image for a page. */
export type ShownImage = { url: string; alt: string };

/** Pixels above which a preview is drawn without the image: a larger one takes more than half a second of CPU. */
const PREVIEW_PIXELS_MAX = 2_048 * 2_048;

/** Whether previews of the link show the image. The library that draws them reads no WebP. */
export const isInPreview = ({ type, width, height }: LinkImage): boolean =>
  type !== "image/webp" && width * height <= PREVIEW_PIXELS_MAX;

export const imageUrl = (baseUrl: string, { imageId }: Pick<LinkImage, "imageId">): string =>
  `${baseUrl}/api/payment-links/images/${imageId}`;

/**
 * The words of an image for people who do not see it: the title of its link, or the first line of its description. Empty if it
 * has neither: then the page says in its language what the image is.
 */
export function altOf({ title, description }: { title: string | null; description: string }): string {
  const line = description.split(/[\r\n]+/).find((text) => text.trim() !== "");
  return title?.trim() || line?.trim() || "";
}

export const shownImage = (baseUrl: string, { imageId, alt }: SoldImage): ShownImage => ({
  url: imageUrl(baseUrl, { imageId }),
  alt,
});
