"use client";

// biome-ignore lint/style/noRestrictedImports: this is what the others import instead.
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * Loads its page ahead once somebody points at it or reaches it by keyboard. Next's own link does so for every link in sight:
 * dozens of requests for each page with a list.
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
