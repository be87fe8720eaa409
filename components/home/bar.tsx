import { Moon, Sun } from "lucide-react";
import { DevnetChip } from "@/components/site/devnet-chip";
import { buttonClass } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Wordmark } from "@/components/ui/wordmark";

const LINKS = [
  { href: "#how", label: "How it works" },
  { href: "#trust", label: "What you can lose" },
  { href: "#developers", label: "Developers" },
  { href: "/docs", label: "Docs" },
] as const;

/** The front page's top bar. public/home.js runs the theme button. */
export const HomeBar = ({ isDevnet }: { isDevnet: boolean }) => (
  <header className="mx-auto flex w-full max-w-280 items-center justify-between gap-3 px-5 py-4">
    <a href="/" aria-label="Tessera, home" className="flex min-h-11 items-center rounded-control no-underline">
      <Wordmark />
    </a>
    <nav aria-label="Site" className="flex items-center gap-1 max-md:hidden">
      {LINKS.map(({ href, label }) => (
        <a
          key={href}
          href={href}
          className="flex min-h-11 items-center rounded-control px-2.5 text-control text-ink-2 no-underline hover:text-ink"
        >
          {label}
        </a>
      ))}
    </nav>
    <div className="flex items-center gap-2">
      {isDevnet && <DevnetChip />}
      <button
        type="button"
        data-turns-theme
        aria-label="Switch between light and dark"
        title="Switch between light and dark"
        className="inline-grid size-9 shrink-0 place-items-center rounded-control text-ink-2 transition-colors hover:bg-sunk hover:text-ink max-sm:size-11 [&_svg]:size-4.5"
      >
        <Sun aria-hidden className="dark:hidden" />
        <Moon aria-hidden className="hidden dark:block" />
      </button>
      <a href="/dashboard" className={cx(buttonClass({ size: "small" }), "max-[26rem]:hidden")}>
        Sign in
      </a>
    </div>
  </header>
);
