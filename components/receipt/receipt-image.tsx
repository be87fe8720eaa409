import { LinkImage } from "@/components/links/link-image";
import type { ShownImage } from "@/lib/links/images/image";

/** What the buyer saw before they paid. */
export const ReceiptImage = ({ image, caption }: { image: ShownImage; caption: string }) => (
  <figure className="grid max-w-75 gap-1.5">
    <LinkImage image={image} words={caption} isLazy />
    <figcaption className="text-tiny text-ink-3">{caption}</figcaption>
  </figure>
);
