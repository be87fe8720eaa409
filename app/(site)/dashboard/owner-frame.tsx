import type { ReactNode } from "react";
import { SearchIcon, Shortcuts } from "@/components/palette/shortcuts";
import { DevnetChip } from "@/components/site/devnet-chip";
import { NavDrawer, NavLinks, SectionTabs } from "@/components/site/nav-links";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { Wordmark } from "@/components/ui/wordmark";
import { AccountChip } from "@/components/wallet/account-chip";
import type { Address } from "@/lib/core/address";
import { LiveOwner, waitingCount } from "../live";

type OwnerFrameProps = { address: Address; isDevnet: boolean; children: ReactNode };

/** The layout of every page of a signed-in owner. */
export async function OwnerFrame({ address, isDevnet, children }: OwnerFrameProps) {
  return (
    <DashboardShell
      waiting={await waitingCount()}
      devnet={isDevnet}
      account={<AccountChip address={address} side="top" align="start" />}
    >
      {children}
      <LiveOwner />
    </DashboardShell>
  );
}

type DashboardShellProps = {
  /** The number of decisions that wait for the owner. */
  waiting: number;
  devnet: boolean;
  /** Usually AccountChip; at the bottom of the sidebar. */
  account: ReactNode;
  children: ReactNode;
};

/** Sidebar and main. On a phone the sidebar becomes a drawer. */
function DashboardShell({ waiting, devnet, account, children }: DashboardShellProps) {
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
        <div className="mb-3 flex items-center justify-between gap-2 pl-3">
          <a href="/" aria-label="Tessera, home" className="flex min-h-11 items-center rounded-control no-underline">
            <Wordmark />
          </a>
          {devnet && <DevnetChip isShort />}
        </div>
        <Shortcuts />
        <nav aria-label="Dashboard" className="min-h-0 flex-1 overflow-y-auto">
          <NavLinks waiting={waiting} />
        </nav>
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
          <NavDrawer waiting={waiting} foot={foot} />
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto grid w-full max-w-280 min-[90rem]:has-data-[panes=open]:max-w-none grid-cols-1 content-start gap-5 px-4 pt-5 pb-16 sm:px-8 sm:pt-7"
      >
        <SectionTabs />
        {children}
      </main>
    </div>
  );
}
