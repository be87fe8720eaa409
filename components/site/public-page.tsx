import type { ReactNode } from "react";
import type { FooterTexts } from "@/components/texts/en/footer";
import type { PageTexts } from "@/components/texts/en/page";
import { page } from "@/components/texts/en/page";
import type { Words } from "@/components/texts/template";
import { cx } from "@/components/ui/cx";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { Wordmark } from "@/components/ui/wordmark";
import { DevnetChip } from "./devnet-chip";
import { Footer } from "./footer";

export type PublicPageProps = {
  devnet: boolean;
  /** narrow (520 px): one decision; middle (760 px): prose; wide (1120 px): everything else. */
  width?: "narrow" | "middle" | "wide" | undefined;
  /** Right side of the top bar. */
  account?: ReactNode | undefined;
  className?: string | undefined;
  /** True if the footer is one line, for pages whose content should fit one screen. */
  isShort?: boolean | undefined;
  /** Shown before the footer, for example a language switch. */
  ending?: ReactNode | undefined;
  /** The texts of the frame; English by default. */
  texts?: { page: Words<PageTexts>; footer: Words<FooterTexts> } | undefined;
  children: ReactNode;
};

/** Top bar, main and footer, for pages outside the dashboard. */
export function PublicPage({
  devnet,
  width = "narrow",
  account,
  className,
  isShort = false,
  ending,
  texts: translations,
  children,
}: PublicPageProps) {
  return (
    <>
      <TopBar devnet={devnet} texts={translations?.page.texts}>
        {account}
      </TopBar>
      <main
        id="main"
        tabIndex={-1}
        className={cx(
          "mx-auto grid w-full grid-cols-1 gap-5 px-5",
          isShort ? "pt-1 pb-5" : "pt-4 pb-16 sm:pt-7",
          WIDTHS[width],
          className,
        )}
      >
        {children}
      </main>
      {ending}
      <Footer texts={translations?.footer} isShort={isShort} />
    </>
  );
}

const WIDTHS = { narrow: "max-w-130", middle: "max-w-190", wide: "max-w-280" } as const;

type TopBarProps = {
  devnet: boolean;
  /** Placed before the theme toggle, for example an account chip or a sign-in button. */
  children?: ReactNode | undefined;
  texts?: PageTexts | undefined;
};

function TopBar({ devnet, children, texts = page }: TopBarProps) {
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
