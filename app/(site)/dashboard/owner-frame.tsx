import type { ReactNode } from "react";
import { SearchIcon, Shortcuts } from "@/components/palette/shortcuts";
import { DevnetChip } from "@/components/site/devnet-chip";
import { NavDrawer, type NavGroup, type NavItem, NavLinks } from "@/components/site/nav-links";
import { ThemeToggle } from "@/components/ui/theme-toggle";
import { Wordmark } from "@/components/ui/wordmark";
import { AccountChip } from "@/components/wallet/account-chip";
import type { Address } from "@/lib/core/address";
import { LiveOwner, waitingCount } from "../live";

const GROUPS: readonly NavGroup[] = [
  { label: null, items: [{ href: "/dashboard", label: "Overview", icon: "overview" }] },
  {
    label: "Money",
    items: [
      { href: "/dashboard/approvals", label: "Approvals", icon: "approvals", also: ["/authorize"] },
      { href: "/dashboard/wallet", label: "Wallet", icon: "wallet" },
      { href: "/dashboard/payments", label: "Payments", icon: "payments", also: ["/receipt"] },
      { href: "/dashboard/payouts", label: "Payouts", icon: "payouts" },
    ],
  },
  {
    label: "Agents",
    items: [
      { href: "/dashboard/agents", label: "Agents", icon: "agents", also: ["/add-agent"] },
      { href: "/dashboard/mandates", label: "Mandates", icon: "mandates", also: ["/mandates"] },
      { href: "/dashboard/activity", label: "Activity", icon: "activity" },
      { href: "/identity", label: "Identity", icon: "identity" },
      { href: "/firewall", label: "Firewall", icon: "firewall" },
    ],
  },
  {
    label: "Selling",
    items: [
      { href: "/dashboard/links", label: "Links", icon: "links" },
      { href: "/dashboard/invoices", label: "Invoices", icon: "invoices" },
      { href: "/dashboard/facilitator", label: "Facilitator", icon: "facilitator" },
    ],
  },
  {
    label: "Developers",
    items: [
      { href: "/dashboard/webhooks", label: "Webhooks", icon: "webhooks" },
      { href: "/docs", label: "Docs", icon: "docs" },
      { href: "/dashboard/settings", label: "Settings", icon: "settings" },
    ],
  },
];

type OwnerFrameProps = { address: Address; isDevnet: boolean; children: ReactNode };

/** The layout of every page of a signed-in owner. */
export async function OwnerFrame({ address, isDevnet, children }: OwnerFrameProps) {
  const count = await waitingCount();
  const withCount = (item: NavItem): NavItem => (item.icon === "approvals" ? { ...item, count } : item);
  return (
    <DashboardShell
      groups={GROUPS.map((group) => ({ ...group, items: group.items.map(withCount) }))}
      devnet={isDevnet}
      account={<AccountChip address={address} side="top" align="start" />}
    >
      {children}
      <LiveOwner />
    </DashboardShell>
  );
}

type DashboardShellProps = {
  groups: readonly NavGroup[];
  devnet: boolean;
  /** Usually AccountChip; at the bottom of the sidebar. */
  account: ReactNode;
  children: ReactNode;
};

/** Sidebar and main. On a phone the sidebar becomes a drawer. */
function DashboardShell({ groups, devnet, account, children }: DashboardShellProps) {
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
