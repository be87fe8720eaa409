import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";

export type FilterLinksProps = {
  /** Names the group for screen readers: "Filter by status". */
  label: string;
  options: readonly {
    label: string;
    href: string;
    isCurrent: boolean;
    /** Needed if several options share one `href`. */
    id?: string;
  }[];
  className?: string | undefined;
};

/** Switches between views of a list. Links, so that each view has a URL and works without scripts. */
export function FilterLinks({ label, options, className }: FilterLinksProps) {
  return (
    <nav aria-label={label} className={className}>
      <ul className="flex flex-wrap gap-1.5">
        {options.map((option) => (
          <li key={option.id ?? option.href} className="min-w-0">
            <Link
              href={option.href}
              scroll={false}
              {...(option.isCurrent && { "aria-current": "true" as const })}
              className={cx(
                "inline-flex min-h-8.5 items-center rounded-full border px-3 text-small font-medium no-underline transition-colors max-sm:min-h-11 max-sm:px-3.5",
                option.isCurrent
                  ? "border-brand bg-brand-soft text-ink"
                  : "border-line-2 bg-card text-ink-2 hover:bg-sunk hover:text-ink",
              )}
            >
              <bdi className="min-w-0 [overflow-wrap:anywhere]">{option.label}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
