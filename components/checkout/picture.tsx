import type { ReactNode } from "react";
import { formatAmount } from "@/components/ui/format";
import type { CheckoutView } from "@/lib/links/checkout/contract";

/** The size in pixels that networks expect of previews. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;

export const LEADS = {
  open: "Pay",
  closed: "Cannot be paid now",
  call: "A request to this API",
  calls: "Requests to this API, from",
  tool: "A call of this tool",
  tools: "Calls of these tools, from",
} as const;

export type PictureOf = Pick<CheckoutView, "amountFormatted" | "networkLabel"> & {
  /** What comes before the price. */
  lead: (typeof LEADS)[keyof typeof LEADS];
  /** True if only about half of the width is available. */
  isNarrow?: boolean;
};

/**
 * The preview picture of a link. Contains only our own words and figures: the seller's text could need fonts that are not installed. The
 * renderer supports only flex boxes and inline styles.
 */
export const Picture = ({ amountFormatted, networkLabel, lead, isNarrow = false }: PictureOf) => (
  <Frame isNarrow={isNarrow} last={`${networkLabel}. Check the address of the page.`}>
    <div style={{ display: "flex", fontSize: 40, color: "#4d545f" }}>{lead}</div>
    <div style={{ display: "flex", alignItems: "baseline", gap: 24 }}>
      <div style={{ display: "flex", fontSize: sizeOf(amountFormatted, isNarrow) }}>
        {formatAmount(amountFormatted)}
      </div>
      <div style={{ display: "flex", fontSize: isNarrow ? 40 : 56, color: "#4d545f" }}>USDC</div>
    </div>
  </Frame>
);

/** The generic preview picture, for every link without a picture of its own. */
export const PlainPicture = () => (
  <Frame isNarrow={false} last="Check the address of the page.">
    <div style={{ display: "flex", fontSize: 110 }}>Payment link</div>
    <div style={{ display: "flex", fontSize: 40, color: "#4d545f" }}>Open the page to see its price in USDC</div>
  </Frame>
);

const Frame = ({ isNarrow, last, children }: { isNarrow: boolean; last: string; children: ReactNode }) => (
  <div
    style={{
      display: "flex",
      flexDirection: "column",
      justifyContent: "space-between",
      width: "100%",
      height: "100%",
      padding: isNarrow ? 60 : 80,
      background: "#f7f7f4",
      color: "#14171c",
    }}
  >
    <div style={{ display: "flex", alignItems: "center", gap: 20, fontSize: 44 }}>
      <svg viewBox="0 0 20 20" width={52} height={52} fill="#0d6b63" aria-hidden="true">
        <rect width="9" height="9" rx="2" />
        <rect x="11" width="9" height="9" rx="2" opacity=".45" />
        <rect y="11" width="9" height="9" rx="2" opacity=".45" />
        <rect x="11" y="11" width="9" height="9" rx="2" opacity=".18" />
      </svg>
      Tessera
    </div>
    <div style={{ display: "flex", flexDirection: "column", gap: 8 }}>{children}</div>
    <div style={{ display: "flex", fontSize: 36, color: "#4d545f" }}>{last}</div>
  </div>
);

/** The font size at which long amounts still fit. */
function sizeOf(amount: string, isNarrow: boolean): number {
  if (!isNarrow) return amount.length > 14 ? 80 : 150;
  return amount.length > 14 ? 36 : amount.length > 7 ? 56 : 110;
}

const IMAGE_WIDTH = 520;

/** The preview of a link, with the image of its seller at the side. */
export const PictureWithImage = ({ image, ...props }: PictureOf & { image: ArrayBuffer }) => (
  <div style={{ display: "flex", width: "100%", height: "100%", background: "#f7f7f4" }}>
    <div style={{ display: "flex", width: PICTURE_SIZE.width - IMAGE_WIDTH, height: "100%" }}>
      <Picture {...props} isNarrow />
    </div>
    {/* Passed as bytes: the library caches every URL that it has seen, even data URLs. */}
    {/* biome-ignore lint/performance/noImgElement: no browser draws this */}
    <img
      alt=""
      src={image as unknown as string}
      width={IMAGE_WIDTH}
      height={PICTURE_SIZE.height}
      style={{ objectFit: "cover", flexShrink: 0, background: "#e7e7e2" }}
    />
  </div>
);
