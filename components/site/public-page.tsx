import type { ReactNode } from "react";
import type { FooterTexts } from "@/components/texts/en/footer";
import type { PageTexts } from "@/components/texts/en/page";
import type { Words } from "@/components/texts/template";
import { cx } from "@/components/ui/cx";
import { Footer } from "./footer";
import { TopBar } from "./top-bar";

export type PublicPageProps = {
  devnet: boolean;
  /** narrow 520 for one decision, middle 760 for reading, wide 1120 for everything else. */
  width?: "narrow" | "middle" | "wide" | undefined;
  /** Right side of the top bar. */
  account?: ReactNode | undefined;
  className?: string | undefined;
  /** Before the footer, for example the languages of the page. */
  ending?: ReactNode | undefined;
  /** The texts of the frame. English without them. */
  words?: { page: Words<PageTexts>; footer: Words<FooterTexts> } | undefined;
  children: ReactNode;
};

/** Top bar, main and footer, for pages outside the dashboard. */
export function PublicPage({
  devnet,
  width = "narrow",
  account,
  className,
  ending,
  words: translations,
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
        className={cx("mx-auto grid w-full grid-cols-1 gap-5 px-5 pt-4 pb-16 sm:pt-7", WIDTHS[width], className)}
      >
        {children}
      </main>
      {ending}
      <Footer words={translations?.footer} />
    </>
  );
}

const WIDTHS = { narrow: "max-w-130", middle: "max-w-190", wide: "max-w-280" } as const;
