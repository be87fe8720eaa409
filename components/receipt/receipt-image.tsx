import { LinkImage } from "@/components/links/link-image";
import type { ShownImage } from "@/lib/links/images/image";

/** What the buyer saw before they paid. */
export const ReceiptImage = ({ image }: { image: ShownImage }) => (
  <figure className="grid max-w-75 gap-1.5">
    <LinkImage image={image} isLazy />
    <figcaption className="text-tiny text-ink-3">Image of the seller, as it was when you paid</figcaption>
  </figure>
);
