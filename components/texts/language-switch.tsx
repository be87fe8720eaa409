"use client";

import { useRouter, useSearchParams } from "next/navigation";
import type { MouseEvent } from "react";
import { LANGUAGE_COOKIE, LANGUAGE_PARAMETER, LANGUAGES, type Language } from "@/lib/core/language";
import { useBuyersPage } from "./context";

/**
 * A link per language, which works without scripts. With scripts, the page re-renders in place: a connected wallet, an order and a payment
 * in progress are kept.
 */
export function LanguageSwitch() {
  const { language: current, texts } = useBuyersPage();
  const query = new URLSearchParams(useSearchParams()?.toString());
  const router = useRouter();

  const hrefOf = (language: Language) => {
    const parameters = new URLSearchParams(query);
    parameters.set(LANGUAGE_PARAMETER, language);
    return `?${parameters}`;
  };

  function choose(event: MouseEvent, language: Language) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const isRemembered = remember(language);
    // The URL's language takes precedence over the remembered one.
    if (!isRemembered || query.has(LANGUAGE_PARAMETER)) window.history.replaceState(null, "", hrefOf(language));
    router.refresh();
  }

  return (
    <nav aria-label={texts.language}>
      <ul className="-ms-2 flex flex-wrap items-center text-small">
        {LANGUAGES.map((language, index) => (
          <li key={language} className="flex items-center">
            {index > 0 && <span aria-hidden>·</span>}
            <a
              href={hrefOf(language)}
              lang={language}
              hrefLang={language}
              aria-current={language === current ? "true" : undefined}
              onClick={(event) => choose(event, language)}
              className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-control px-2 text-ink-2 underline-offset-4 hover:text-ink aria-[current]:font-medium aria-[current]:text-ink aria-[current]:no-underline"
            >
              {NAMES[language]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Each name in its own language. */
const NAMES = { en: "English", de: "Deutsch" } as const satisfies Record<Language, string>;

const YEAR_SECONDS = 31_536_000;

/** Stores the choice in a cookie. Returns whether the browser kept it. */
function remember(language: Language): boolean {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  const cookie = `${LANGUAGE_COOKIE}=${language}`;
  // biome-ignore lint/suspicious/noDocumentCookie: CookieStore exists only on https, and not in every browser
  document.cookie = `${cookie}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
  return document.cookie.split("; ").includes(cookie);
}
