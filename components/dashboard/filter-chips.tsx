import { X } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button-link";
import { Link } from "@/components/ui/link";

export type Chip = { name: string; value: ReactNode; without: string };
export type FilterChipsProps = { chips: readonly Chip[]; clear: string };

/** A chip for each filter that has a value. `without`: the URL of the list without that filter. */
export function chipsOf<Name extends string>(
  values: Record<Name, string | undefined>,
  labels: Record<Name, string>,
  without: (name: Name) => string,
): Chip[] {
  // Object.entries loses the type of the keys.
  return (Object.entries(values) as [Name, string | undefined][]).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name: labels[name], value, without: without(name) }],
  );
}

/** The active filters, each with a link that removes it. */
export function FilterChips({ chips, clear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-1.5">
      {chips.map(({ name, value, without }) => (
        <li key={name} className="min-w-0">
          <Link
            href={without}
            scroll={false}
            className="inline-flex min-h-8.5 max-w-full items-center gap-1.5 rounded-full bg-brand-soft px-3 text-small no-underline transition-colors hover:bg-sunk max-sm:min-h-11"
          >
            <span className="sr-only">Remove the filter </span>
            <span className="text-ink-2">{name}</span>
            <bdi className="min-w-0 truncate font-medium">{value}</bdi>
            <X aria-hidden className="size-3.5 shrink-0" />
          </Link>
        </li>
      ))}
      <li>
        <ButtonLink href={clear} scroll={false} variant="quiet" size="small">
          Clear all
        </ButtonLink>
      </li>
    </ul>
  );
}
