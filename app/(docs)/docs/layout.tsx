import "./docs.css";
import type { ReactNode } from "react";
import { DocsDrawer, DocsNav, type DocsNavGroup } from "@/components/docs/docs-nav";
import { DocsSearch } from "@/components/docs/docs-search";
import { DevnetChip } from "@/components/site/devnet-chip";
import { Link } from "@/components/ui/link";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { Wordmark } from "@/components/ui/wordmark";
import { QUERY_CHARACTERS_MAX } from "@/lib/docs/search";
import { docsSite } from "@/lib/docs/service";
import { groupsOf } from "@/lib/docs/site";
import { system } from "@/lib/wiring";

export const dynamic = "force-dynamic";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const { config } = system();
  const groups = groupsOf(docsSite(config).pages).map(({ title, pages }) => ({
    title,
    links: pages.map(({ path, label }) => ({ href: path, label })),
  }));
  return (
    <DocsShell groups={groups} devnet={config.mode === "devnet"}>
      {children}
    </DocsShell>
  );
}

type DocsShellProps = { groups: readonly DocsNavGroup[]; devnet: boolean; children: ReactNode };

/** Top bar, navigation and main. On a phone the navigation becomes a drawer. */
function DocsShell({ groups, devnet, children }: DocsShellProps) {
  return (
    <>
      <header className="sticky top-0 z-30 border-b bg-paper" data-print="no">
        <div className="mx-auto flex w-full max-w-350 flex-wrap items-center gap-x-2 px-4 py-2 sm:gap-x-3 sm:px-6">
          <a href="/" aria-label="Tessera, home" className="flex min-h-11 items-center rounded-control no-underline">
            <Wordmark />
          </a>
          <Link
            href="/docs"
            className="flex min-h-11 items-center rounded-control px-1.5 text-control font-medium text-ink-2 no-underline hover:text-ink max-[24rem]:hidden"
          >
            Docs
          </Link>
          <div className="ml-auto max-w-80 flex-1 max-md:hidden">
            <DocsSearch charactersMax={QUERY_CHARACTERS_MAX} />
          </div>
          <div className="flex items-center gap-1.5 max-md:ml-auto">
            {devnet && <DevnetChip />}
            <Link
              href="/dashboard"
              className="flex min-h-11 items-center rounded-control px-2 text-control text-ink-2 no-underline hover:text-ink max-md:hidden"
            >
              Dashboard
            </Link>
            <ThemeToggle />
            <div className="lg:hidden">
              <DocsDrawer groups={groups} />
            </div>
          </div>
        </div>
      </header>
      <div className="mx-auto w-full max-w-350 lg:grid lg:grid-cols-[232px_minmax(0,1fr)]">
        <aside
          aria-label="Sidebar"
          className="sticky top-[61px] h-[calc(100dvh-61px)] overflow-y-auto border-r px-3 pt-5 max-lg:hidden"
          data-print="no"
        >
          <nav aria-label="Documentation">
            <DocsNav groups={groups} />
          </nav>
        </aside>
        <main id="main" tabIndex={-1} className="min-w-0 px-4 pt-5 pb-20 sm:px-8 sm:pt-8">
          <div className="mb-5 md:hidden">
            <DocsSearch charactersMax={QUERY_CHARACTERS_MAX} />
          </div>
          {children}
        </main>
      </div>
    </>
  );
}
