import type { ReactNode } from "react";
import { Wordmark } from "@/components/ui/wordmark";

/** The wordmark and one column, for pages rendered without data or session. */
export const LonePage = ({ children }: { children: ReactNode }) => (
  <main id="main" tabIndex={-1} className="mx-auto grid max-w-130 gap-8 px-5 py-8">
    <Wordmark />
    {children}
  </main>
);
