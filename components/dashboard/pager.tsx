import { ButtonLink } from "@/components/ui/button-link";
import { cx } from "@/components/ui/cx";
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";

export type PagerProps = {
  /** Names it where a page has several. */
  label?: string | undefined;
  /** URL of the first page; undefined on the first page, and where `previous` leads there. */
  newest: string | undefined;
  previous?: string | undefined;
  /** URL of the next page; undefined on the last page. */
  older: string | undefined;
  /** The numbers of the first and the last row on this page. */
  range?: { from: number; to: number } | undefined;
  /** The number of all rows; undefined if it was not counted. */
  total?: number | undefined;
  /** What rows are counted up to. */
  totalMax?: number | undefined;
  sizes?: readonly { size: number; href: string; isCurrent: boolean }[] | undefined;
};

/** Links to other pages of a list, and what part of it is shown. */
export function Pager({ label = "Pages", newest, previous, older, range, total, totalMax, sizes = [] }: PagerProps) {
  const isOnly = newest === undefined && previous === undefined && older === undefined;
  if (isOnly && range === undefined && sizes.length === 0) return null;
  const hasLinks = !isOnly || sizes.length > 0;
  const Frame = hasLinks ? "nav" : "div";
  return (
    <Frame
      {...(hasLinks && { "aria-label": label })}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5 text-small text-ink-2"
    >
      <p className="num">
        {range && `${formatCount(range.from)}–${formatCount(range.to)} of ${totalText(total, totalMax)}`}
      </p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2.5">
        {sizes.length > 0 && (
          <p className="flex items-center gap-1">
            Rows
            {sizes.map(({ size, href, isCurrent }) => (
              <Link
                key={size}
                href={href}
                scroll={false}
                aria-label={`${size} rows a page`}
                {...(isCurrent && { "aria-current": "true" as const })}
                className={cx(
                  "inline-flex min-h-8 min-w-8 items-center justify-center rounded-tile px-1.5 num no-underline hover:bg-sunk hover:text-ink max-sm:min-h-11 max-sm:min-w-11",
                  isCurrent && "bg-sunk font-medium text-ink",
                )}
              >
                {size}
              </Link>
            ))}
          </p>
        )}
        {!isOnly && (
          <div className="flex gap-2.5">
            {newest !== undefined && (
              <ButtonLink size="small" href={newest}>
                First
              </ButtonLink>
            )}
            {previous !== undefined && (
              <ButtonLink size="small" href={previous}>
                Previous
              </ButtonLink>
            )}
            {older !== undefined && (
              <ButtonLink size="small" href={older}>
                Next
              </ButtonLink>
            )}
          </div>
        )}
      </div>
    </Frame>
  );
}

function totalText(total: number | undefined, max: number | undefined): string {
  if (total === undefined) return "many";
  return total === max ? `${formatCount(total)}+` : formatCount(total);
}
