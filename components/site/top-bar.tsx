import type { ReactNode } from "react";
import { type PageTexts, page } from "@/components/texts/en/page";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { Wordmark } from "@/components/ui/wordmark";
import { DevnetChip } from "./devnet-chip";

export type TopBarProps = {
  devnet: boolean;
  /** Placed before the theme toggle, for example an account chip or a sign-in button. */
  children?: ReactNode | undefined;
  texts?: PageTexts | undefined;
};

export function TopBar({ devnet, children, texts = page }: TopBarProps) {
  return (
    <header
      className="mx-auto flex w-full max-w-280 flex-wrap items-center justify-between gap-x-3 px-5 py-4"
      data-print="no"
    >
      <a href="/" aria-label={texts.home} className="flex min-h-11 items-center rounded-control no-underline">
        <Wordmark />
      </a>
      <div className="flex items-center gap-2">
        {devnet && <DevnetChip texts={texts} />}
        {children}
        <ThemeToggle />
      </div>
    </header>
  );
}
