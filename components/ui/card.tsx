import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";

export type CardProps = Omit<ComponentProps<"section">, "title"> & {
  title?: ReactNode | undefined;
  /** Shown to the right of the title. */
  actions?: ReactNode | undefined;
  /** Adds a shadow: for the one most important card of a page. */
  lift?: boolean | undefined;
  /** Removes the padding, for content with its own. */
  flush?: boolean | undefined;
};

export function Card({ title, actions, lift = false, flush = false, className, children, ...sectionProps }: CardProps) {
  return (
    <section
      {...sectionProps}
      className={cx("min-w-0 rounded-card border bg-card", lift && "shadow-lift", !flush && "p-5 sm:p-6", className)}
    >
      {title != null && (
        <header
          className={cx("flex flex-wrap items-center justify-between gap-3", flush ? "px-5 pt-5 pb-3 sm:px-6" : "mb-4")}
        >
          <h2 className="text-body">{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  );
}

export type StatProps = {
  label: ReactNode;
  children: ReactNode;
  note?: ReactNode | undefined;
  className?: string | undefined;
};

/** One figure with a label. Overviews begin with four of them. */
export function Stat({ label, children, note, className }: StatProps) {
  return (
    <div className={cx("min-w-0 rounded-card border bg-card px-3.5 py-4 sm:px-4.5", className)}>
      <p className="text-small text-ink-2">{label}</p>
      <div className="mt-0.5 text-[clamp(1.25rem,5.6vw,1.5625rem)] leading-[1.15] font-bold tracking-[-0.02em] num">
        {children}
      </div>
      {note != null && <div className="mt-1 text-tiny text-ink-2">{note}</div>}
    </div>
  );
}
