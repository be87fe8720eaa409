import type { ReactNode } from "react";
import { DashboardShell } from "@/components/site/dashboard-shell";
import { PublicPage } from "@/components/site/public-page";
import { AccountChip } from "@/components/wallet/account-chip";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { pageContext } from "@/lib/wiring";
import { DASHBOARD } from "../dashboard/nav";

/** Public, but part of the dashboard for whoever has one. */
export default async function IdentityLayout({ children }: { children: ReactNode }) {
  const { actor, config } = await pageContext();
  const isDevnet = config.mode === "devnet";
  if (actor.type !== "owner") {
    return (
      <PublicPage devnet={isDevnet} width="wide" account={<SignInButton variant="secondary" size="small" />}>
        {children}
      </PublicPage>
    );
  }
  return (
    <DashboardShell
      items={DASHBOARD}
      devnet={isDevnet}
      account={<AccountChip address={actor.address} side="top" align="start" />}
    >
      {children}
    </DashboardShell>
  );
}
