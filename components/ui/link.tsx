"use client";

// biome-ignore lint/style/noRestrictedImports: this is what the others import instead.
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * Prefetches a page when the link is hovered or focused. Next's own link prefetches every visible link: dozens of requests for a page with
 * a list.
 */
export function Link({ prefetch, onPointerEnter, onFocus, ...linkProps }: ComponentProps<typeof NextLink>) {
  const [isMeant, setMeant] = useState(false);
  return (
    <NextLink
      {...linkProps}
      prefetch={prefetch ?? (isMeant ? null : false)}
      onPointerEnter={(event) => {
        setMeant(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setMeant(true);
        onFocus?.(event);
      }}
    />
  );
}
