"use client";

import { useState } from "react";
import { useCommon } from "@/components/texts/context";
import { fill } from "@/components/texts/template";
import { Copy } from "./copy";
import { cx } from "./cx";
import { shorten } from "./shorten";
import { Tile } from "./tile";

export type AddressTagProps = {
  address: string;
  /** A known name, shown before the address. */
  name?: string | undefined;
  /** The noun on the copy button: "Copy address", "Copy transaction hash". */
  noun?: string | undefined;
  /** The complete label of the copy button, for translated pages. Replaces `noun`. */
  copyLabel?: string | undefined;
  tile?: boolean | undefined;
  tileSize?: number | undefined;
  className?: string | undefined;
};

/** An address, agent id or hash: shortened until pressed, always copied in full. */
export function AddressTag({ address, name, noun, copyLabel, tile = true, tileSize = 24, className }: AddressTagProps) {
  const [isWhole, setWhole] = useState(false);
  const { texts } = useCommon();
  const displayText = isWhole ? address : shorten(address);
  return (
    <span className={cx("inline-flex max-w-full items-center gap-2", className)}>
      {/* A zero-width first character gives the row a text baseline; otherwise the tile's lower edge would be the baseline. */}
      <span aria-hidden className="-me-2 w-0">
        {"\u200b"}
      </span>
      {tile && <Tile seed={address} size={tileSize} />}
      <span className="min-w-0">
        {name !== undefined && <span className="me-2 font-medium">{name}</span>}
        <button
          type="button"
          aria-expanded={isWhole}
          aria-label={fill(isWhole ? texts.showShort : texts.showInFull, { address: displayText })}
          title={address}
          onClick={() => setWhole(!isWhole)}
          className="rounded-control text-start mono [overflow-wrap:anywhere] decoration-line-2 underline-offset-4 hover:underline max-sm:-my-3.5 max-sm:py-3.5"
        >
          {displayText}
        </button>
      </span>
      <Copy
        value={address}
        label={copyLabel ?? (noun === undefined ? texts.copyAddress : `Copy ${noun}`)}
        iconOnly
        className="-me-1.5 -ms-1 max-sm:-my-3 max-sm:-me-3.5"
      />
    </span>
  );
}
