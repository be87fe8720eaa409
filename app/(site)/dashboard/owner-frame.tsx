import type { ReactNode } from "react";
import { DashboardShell } from "@/components/site/dashboard-shell";
import type { NavItem } from "@/components/site/nav-links";
import { AccountChip } from "@/components/wallet/account-chip";
import type { Address } from "@/lib/core/address";
import { LiveOwner, waitingCount } from "../live";

const ITEMS: readonly NavItem[] = [
  { href: "/dashboard", label: "Overview", icon: "overview" },
  { href: "/dashboard/wallet", label: "Wallet", icon: "wallet" },
  { href: "/dashboard/agents", label: "Agents", icon: "agents" },
  { href: "/dashboard/mandates", label: "Mandates", icon: "mandates" },
  { href: "/dashboard/links", label: "Links", icon: "links" },
  { href: "/dashboard/payments", label: "Payments", icon: "payments" },
  { href: "/dashboard/payouts", label: "Payouts", icon: "payouts" },
  { href: "/dashboard/activity", label: "Activity", icon: "activity" },
  { href: "/dashboard/facilitator", label: "Facilitator", icon: "facilitator" },
  { href: "/dashboard/webhooks", label: "Webhooks", icon: "webhooks" },
  { href: "/dashboard/settings", label: "Settings", icon: "settings" },
  { href: "/identity", label: "Identity", icon: "identity" },
  { href: "/firewall", label: "Firewall", icon: "firewall" },
  { href: "/docs", label: "Docs", icon: "docs" },
];

type OwnerFrameProps = { address: Address; isDevnet: boolean; children: ReactNode };

/** The frame of every page for a signed-in owner. */
export async function OwnerFrame({ address, isDevnet, children }: OwnerFrameProps) {
  const count = await waitingCount();
  return (
    <DashboardShell
      items={ITEMS.map((item) => (item.icon === "overview" ? { ...item, count } : item))}
      devnet={isDevnet}
      account={<AccountChip address={address} side="top" align="start" />}
    >
      {children}
      <LiveOwner />
    </DashboardShell>
  );
}
