import type { ReactNode } from "react";
import { Wordmark } from "@/components/ui/wordmark";

/** The name and one column, where nothing is known of the page or of who looks at it. */
export const LonePage = ({ children }: { children: ReactNode }) => (
  <main id="main" tabIndex={-1} className="mx-auto grid max-w-130 gap-8 px-5 py-8">
    <Wordmark />
    {children}
  </main>
);
