import { type FooterTexts, footer } from "@/components/texts/en/footer";
import type { Words } from "@/components/texts/template";
import { cx } from "@/components/ui/cx";
import { DEFAULT_LANGUAGE } from "@/lib/core/language";

const GROUPS = [
  {
    title: "product",
    links: [
      { href: "/dashboard", label: "dashboard" },
      { href: "/firewall", label: "firewall" },
      { href: "/identity", label: "identity" },
      { href: "/status", label: "status" },
    ],
  },
  {
    title: "developers",
    links: [
      { href: "/docs", label: "docs" },
      { href: "/docs/quickstart", label: "quickstart" },
      { href: "/docs/costs", label: "costs" },
      { href: "/docs/reference", label: "api" },
      { href: "/llms.txt", label: "languageModels" },
    ],
  },
  {
    title: "trust",
    links: [
      { href: "/docs/trust", label: "losses" },
      { href: "/vault-exit.html", label: "exit" },
      { href: "/security", label: "security" },
      { href: "/terms", label: "terms" },
      { href: "/privacy", label: "privacy" },
    ],
  },
] as const;

export type FooterProps = {
  texts?: Words<FooterTexts> | undefined;
  /** Only the links about trust, on one line. */
  isShort?: boolean | undefined;
};

const ENGLISH: Words<FooterTexts> = { language: DEFAULT_LANGUAGE, texts: footer };

/** The links at the end of public pages. Plain links: the front page has no router. */
export const Footer = ({ texts: { language, texts } = ENGLISH, isShort = false }: FooterProps) => (
  <footer className="border-t" data-print="no">
    <nav
      aria-label={texts.label}
      className={cx(
        "mx-auto w-full max-w-280 px-5",
        isShort ? "py-1" : "grid grid-cols-2 gap-x-6 gap-y-5 pt-6 pb-10 sm:grid-cols-3",
      )}
    >
      {GROUPS.filter(({ title }) => !isShort || title === "trust").map(({ title, links }) => (
        <section key={title} aria-label={texts[title]}>
          {!isShort && <p className="text-tiny font-medium text-ink-2">{texts[title]}</p>}
          <ul className={isShort ? "flex flex-wrap gap-x-5 max-sm:gap-x-3.5 max-sm:[&_a]:text-tiny" : "mt-1"}>
            {links.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  hrefLang={language === DEFAULT_LANGUAGE ? undefined : DEFAULT_LANGUAGE}
                  className="inline-flex min-h-8 items-center text-small text-ink-2 no-underline hover:text-ink hover:underline max-sm:min-h-11"
                >
                  {texts[label]}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  </footer>
);
