import type { ReactNode } from "react";

/** The width of a page with a single decision, in the dashboard's layout. */
export const OneColumn = ({ children }: { children: ReactNode }) => (
  <div className="grid w-full max-w-130 grid-cols-1 gap-5">{children}</div>
);
