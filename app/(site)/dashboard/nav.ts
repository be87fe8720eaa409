import type { NavItem } from "@/components/site/nav-links";

export const DASHBOARD: readonly NavItem[] = [
  { href: "/dashboard", label: "Overview", icon: "overview" },
  { href: "/dashboard/wallet", label: "Wallet", icon: "wallet" },
  { href: "/dashboard/agents", label: "Agents", icon: "agents" },
  { href: "/dashboard/mandates", label: "Mandates", icon: "mandates" },
  { href: "/dashboard/payments", label: "Payments", icon: "payments" },
  { href: "/dashboard/activity", label: "Activity", icon: "activity" },
  { href: "/identity", label: "Identity", icon: "identity" },
];
