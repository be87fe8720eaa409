import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";

export type ColumnsProps = {
  /** The request. */
  children: ReactNode;
  /** The decision: at the side, in view while the request scrolls; below the request where the width is small. */
  decision: ReactNode;
};

/** A request, and the decision about it. */
export const Columns = ({ children, decision }: ColumnsProps) => (
  <div className="@container">
    <div className="flex flex-col gap-3 @4xl:grid @4xl:grid-cols-[minmax(0,1fr)_27rem] @4xl:items-start @4xl:gap-6">
      <div className="grid min-w-0 grid-cols-1 gap-4">{children}</div>
      {/* No box of its own in one column: the action bar then sticks while the request is in view, too. */}
      <div className="contents min-w-0 grid-cols-1 gap-3.5 @4xl:sticky @4xl:top-5 @4xl:grid">{decision}</div>
    </div>
  </div>
);

/** The buttons of a decision. In one column, they stay at the bottom of the screen: on a phone, or enlarged. */
export const ActionBar = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <div
    data-action-bar
    className={cx(
      "grid gap-2.5 max-sm:sticky max-sm:bottom-0 max-sm:z-20 max-sm:-mx-4 max-sm:border-t max-sm:bg-paper max-sm:px-4 max-sm:pt-3 max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:@max-4xl:sticky sm:@max-4xl:bottom-0 sm:@max-4xl:z-20 sm:@max-4xl:border-t sm:@max-4xl:bg-paper sm:@max-4xl:py-3",
      className,
    )}
  >
    {children}
  </div>
);
