import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";

export type SectionProps = {
  id: string;
  title: string;
  /** Link to the complete list. */
  more?: { href: string; label: string } | undefined;
  children: ReactNode;
};

export function Section({ id, title, more: listLink, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 id={id} className="text-body">
          {title}
        </h2>
        {listLink && (
          <Link
            href={listLink.href}
            className="inline-flex min-h-9 items-center gap-1 text-small font-medium text-brand underline underline-offset-4 max-sm:min-h-11"
          >
            {listLink.label}
            <ArrowRight aria-hidden className="size-3.5" />
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
