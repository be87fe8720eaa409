import type { ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button-link";

export type SectionProps = { id: string; title: string; href: string; link: string; children: ReactNode };

/** A part of the overview, and where there is more of it. */
export function Section({ id, title, href, link, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <h2 id={id} className="text-body">
          {title}
        </h2>
        <ButtonLink href={href} variant="quiet" size="small">
          {link}
        </ButtonLink>
      </div>
      {children}
    </section>
  );
}
