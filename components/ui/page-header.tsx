import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cx } from "./cx";

export type PageHeaderProps = {
  title: ReactNode;
  /** The line above the title: the requester, or the parent page. */
  eyebrow?: ReactNode | undefined;
  /** The line below it. */
  description?: ReactNode | undefined;
  actions?: ReactNode | undefined;
  back?: { href: string; label: string } | undefined;
  className?: string | undefined;
};

export function PageHeader({ title, eyebrow, description, actions, back, className }: PageHeaderProps) {
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
        <h1 className="text-title [overflow-wrap:anywhere]">{title}</h1>
        {description != null && <div className="mt-1.5 measure text-control text-ink-2">{description}</div>}
      </div>
      {actions != null && <div className="flex flex-wrap gap-2.5">{actions}</div>}
    </header>
  );
}
