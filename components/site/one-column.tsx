import type { ReactNode } from "react";

/** One decision beside the sidebar: as narrow as without it. */
export const OneColumn = ({ children }: { children: ReactNode }) => (
  <div className="grid w-full max-w-130 grid-cols-1 gap-5">{children}</div>
);
