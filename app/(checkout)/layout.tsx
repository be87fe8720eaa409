import type { ReactNode } from "react";
import { DevnetChip } from "@/components/site/devnet-chip";
import { PageWords } from "@/components/texts/context";
import { LanguageSwitch } from "@/components/texts/language-switch";
import { Wordmark } from "@/components/ui/wordmark";
import { pageWords } from "../language";

/** The layout of checkout pages. Loads no wallet code, which would delay the first render. */
export default async function CheckoutLayout({ children }: { children: ReactNode }) {
  const [page, common] = [await pageWords("page"), await pageWords("common")];
  return (
    <PageWords page={page} common={common}>
      <header className="mx-auto flex w-full max-w-240 items-center justify-between gap-3 px-5 py-4" data-print="no">
        <a href="/" aria-label={page.texts.home} className="flex min-h-11 items-center rounded-control no-underline">
          <Wordmark />
        </a>
        {process.env.MODE !== "production" && <DevnetChip texts={page.texts} />}
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-240 px-5 pt-2 pb-16 sm:pt-6 print:p-0">
        {children}
      </main>
      <footer className="mx-auto w-full max-w-240 px-5 pb-8" data-print="no">
        <LanguageSwitch />
      </footer>
    </PageWords>
  );
}
