import { encode } from "uqr";
import { page } from "@/components/texts/en/page";
import { fill, type Template } from "@/components/texts/template";
import { cx } from "./cx";

export type QrProps = {
  value: string;
  /** The purpose of scanning: "Open this page on your phone". */
  label: string;
  size?: number | undefined;
  /** The label for screen readers. */
  says?: Template<"label" | "value"> | undefined;
  className?: string | undefined;
};

/** Dark on white in both themes, because many scanners cannot read the inverse. The value is shown as text below. */
export function Qr({ value, label, size = 184, says = page.code, className }: QrProps) {
  const { data, size: modules } = encode(value, { ecc: "M", border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <figure className={cx("inline-grid justify-items-center gap-3", className)}>
      <svg
        role="img"
        aria-label={fill(says, { label, value })}
        viewBox={`0 0 ${modules} ${modules}`}
        width={size}
        height={size}
        shapeRendering="crispEdges"
        className="rounded-control border bg-white p-1 text-black"
      >
        <path d={path} fill="currentColor" />
      </svg>
      <figcaption className="max-w-full text-center">
        <span className="block text-small text-ink-2">{label}</span>
        <span className="mono text-tiny [overflow-wrap:anywhere]">{value}</span>
      </figcaption>
    </figure>
  );
}
