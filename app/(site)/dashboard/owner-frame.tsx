import type { ReactNode } from "react";
import { DashboardShell } from "@/components/site/dashboard-shell";
import type { NavGroup, NavItem } from "@/components/site/nav-links";
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
