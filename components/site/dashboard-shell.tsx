import type { ReactNode } from "react";
import { SearchIcon } from "@/components/palette/search-icon";
import { Shortcuts } from "@/components/palette/shortcuts";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { Wordmark } from "@/components/ui/wordmark";
import { DevnetChip } from "./devnet-chip";
import { NavDrawer } from "./nav-drawer";
import { type NavGroup, NavLinks } from "./nav-links";

export type DashboardShellProps = {
  groups: readonly NavGroup[];
  devnet: boolean;
  /** Usually AccountChip; at the bottom of the sidebar. */
  account: ReactNode;
  children: ReactNode;
};

/** Sidebar and main. On a phone the sidebar becomes a drawer. */
export function DashboardShell({ groups, devnet, account, children }: DashboardShellProps) {
  const foot = (
    <div className="flex items-center justify-between gap-1">
      <div className="min-w-0">{account}</div>
      <ThemeToggle side="top" />
    </div>
  );
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[216px_minmax(0,1fr)]">
      <aside
        className="sticky top-0 flex h-dvh flex-col border-r px-3 pt-4 pb-3 max-md:hidden"
        aria-label="Sidebar"
        data-print="no"
      >
        <a
          href="/"
          aria-label="Tessera, home"
          className="mb-3 flex min-h-11 items-center rounded-control px-3 no-underline"
        >
          <Wordmark />
        </a>
        <Shortcuts pages={groups.flatMap(({ items }) => items)} />
        <nav aria-label="Dashboard" className="min-h-0 flex-1 overflow-y-auto">
          <NavLinks groups={groups} />
        </nav>
        {devnet && (
          <div className="px-3 pb-3">
            <DevnetChip />
          </div>
        )}
        <div className="border-t pt-3">{foot}</div>
      </aside>
      <header
        className="sticky top-0 z-30 flex items-center justify-between gap-3 border-b bg-paper px-4 py-1.5 md:hidden"
        data-print="no"
      >
        <a href="/" aria-label="Tessera, home" className="flex min-h-11 items-center rounded-control no-underline">
          <Wordmark />
        </a>
        <div className="flex items-center gap-2">
          {devnet && <DevnetChip />}
          <SearchIcon />
          <NavDrawer groups={groups} foot={foot} />
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="grid w-full max-w-270 min-[90rem]:has-data-[panes=open]:max-w-none grid-cols-1 content-start gap-5 px-4 pt-5 pb-16 sm:px-8 sm:pt-7"
      >
        {children}
      </main>
    </div>
  );
}
