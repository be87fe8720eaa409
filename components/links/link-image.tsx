import { cx } from "@/components/ui/cx";
import type { ShownImage } from "@/lib/links/images/image";

export type LinkImageProps = {
  image: ShownImage;
  /** The alternative text of an image without one of its own. */
  words: string;
  isLazy?: boolean;
  className?: string;
  onError?: (() => void) | undefined;
};

/** A link's image, uncropped in a 3:2 box. The box reserves the space, so that nothing moves when the image loads. */
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

/** Decorative: the link's name is next to it. */
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
