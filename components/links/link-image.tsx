import { cx } from "@/components/ui/cx";
import type { ShownImage } from "@/lib/links/images/image";

export type LinkImageProps = {
  image: ShownImage;
  /** For an image without words of its own. */
  words: string;
  isLazy?: boolean;
  className?: string;
  onError?: (() => void) | undefined;
};

/** The image of a link, whole, in a box of 3:2 that is there before the image is: nothing moves when it arrives. */
export const LinkImage = ({
  image: { url, alt },
  words: fallbackAlt,
  isLazy = false,
  className,
  onError,
}: LinkImageProps) => (
  // biome-ignore lint/performance/noImgElement: our own route serves it, and needs no second encoding
  <img
    src={url}
    alt={alt || fallbackAlt}
    width={600}
    height={400}
    loading={isLazy ? "lazy" : "eager"}
    decoding="async"
    onError={onError}
    className={cx(
      "aspect-[3/2] h-auto w-full rounded-control border bg-sunk object-contain text-small text-ink-2",
      className,
    )}
  />
);

/** Beside the name of a link, which says the same. */
export const Thumbnail = ({ url }: { url: string }) => (
  // biome-ignore lint/performance/noImgElement: our own route serves it, and needs no second encoding
  <img
    src={url}
    alt=""
    width={40}
    height={40}
    loading="lazy"
    decoding="async"
    className="mt-0.5 size-10 shrink-0 rounded-control border bg-sunk object-cover"
  />
);
