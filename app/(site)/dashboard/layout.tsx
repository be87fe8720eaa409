import type { Metadata } from "next";
import type { ReactNode } from "react";
import { DashboardShell } from "@/components/site/dashboard-shell";
import { PublicPage } from "@/components/site/public-page";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { AccountChip } from "@/components/wallet/account-chip";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { pageContext } from "@/lib/wiring";
import { DASHBOARD } from "./nav";

export const metadata: Metadata = { title: { default: "Dashboard", template: "%s · Tessera" } };

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { actor, config } = await pageContext();
  const isDevnet = config.mode === "devnet";
  if (actor.type !== "owner") return <SignedOut isDevnet={isDevnet} />;
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

function SignedOut({ isDevnet }: { isDevnet: boolean }) {
  return (
    <PublicPage devnet={isDevnet}>
      <PageHeader title="Sign in to your dashboard" />
      <Card lift className="grid gap-5">
        <p className="text-control text-ink-2">
          Here you see what your agents may spend, what they have spent, and how to stop them. You sign one message with
          your wallet to show that the address is yours. It costs nothing and moves no money.
        </p>
        <SignInButton label="Sign in with your wallet" wide />
      </Card>
    </PublicPage>
  );
}
