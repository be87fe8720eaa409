import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button-link";

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
          <ButtonLink href={listLink.href} variant="quiet" size="small">
            {listLink.label}
          </ButtonLink>
        )}
      </div>
      {children}
    </section>
  );
}
