import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { cx } from "./cx";

/** 2 for a section of a page that has a heading of its own. */
export type HeadingLevel = 1 | 2;

export type PageHeaderProps = {
  title: ReactNode;
  /** The line above the title: the requester, or the parent page. */
  eyebrow?: ReactNode | undefined;
  /** The line below it. */
  description?: ReactNode | undefined;
  actions?: ReactNode | undefined;
  back?: { href: string; label: string } | undefined;
  level?: HeadingLevel | undefined;
  className?: string | undefined;
};

export function PageHeader({ title, eyebrow, description, actions, back, level = 1, className }: PageHeaderProps) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <header className={cx("flex flex-wrap items-center justify-between gap-x-6 gap-y-4", className)}>
      <div className="min-w-0">
        {back && (
          <Link
            href={back.href}
            className="mb-2 inline-flex min-h-8 items-center gap-1.5 text-small text-ink-2 no-underline hover:text-ink max-sm:min-h-11"
          >
            <ArrowLeft aria-hidden className="size-3.5" />
            {back.label}
          </Link>
        )}
        {eyebrow != null && <p className="mb-1 text-small text-ink-2 [overflow-wrap:anywhere]">{eyebrow}</p>}
        <Heading className="text-title [overflow-wrap:anywhere]">{title}</Heading>
        {description != null && <div className="mt-1.5 measure text-control text-ink-2">{description}</div>}
      </div>
      {actions != null && <div className="flex flex-wrap gap-2.5">{actions}</div>}
    </header>
  );
}
