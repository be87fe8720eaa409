import type { ReactNode } from "react";
import { DevnetChip } from "@/components/site/devnet-chip";
import { PageWords } from "@/components/texts/context";
import { LanguageSwitch } from "@/components/texts/language-switch";
import { Wordmark } from "@/components/ui/wordmark";
import { DEFAULT_LANGUAGE } from "@/lib/core/language";
import { pageWords } from "../language";

/** Each is a page, and a text of the footer. */
const LEGAL = ["terms", "privacy"] as const;

/** The layout of checkout pages. Loads no wallet code, which would delay the first render. */
export default async function CheckoutLayout({ children }: { children: ReactNode }) {
  const [page, common, footer] = [await pageWords("page"), await pageWords("common"), await pageWords("footer")];
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
      <footer
        className="mx-auto flex w-full max-w-240 flex-wrap items-center justify-between gap-x-6 px-5 pb-8"
        data-print="no"
      >
        <LanguageSwitch />
        <nav aria-label={footer.texts.label} className="flex gap-x-5 text-small">
          {LEGAL.map((name) => (
            <a
              key={name}
              href={`/${name}`}
              hrefLang={footer.language === DEFAULT_LANGUAGE ? undefined : DEFAULT_LANGUAGE}
              className="inline-flex min-h-11 items-center text-ink-2 no-underline hover:text-ink hover:underline"
            >
              {footer.texts[name]}
            </a>
          ))}
        </nav>
      </footer>
    </PageWords>
  );
}
