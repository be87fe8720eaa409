import { headers } from "next/headers";
import type { ReactNode } from "react";
import { PublicPage } from "@/components/site/public-page";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { targetPath } from "@/lib/http/caller";
import { pageContext } from "@/lib/wiring";
import { assertFound } from "./found";
import { OwnerFrame } from "./owner-frame";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const ctx = await pageContext();
  const { actor, config } = ctx;
  const isDevnet = config.mode === "devnet";
  if (actor.type !== "owner") return <SignedOut isDevnet={isDevnet} />;
  await assertFound({ ...ctx, actor }, targetPath(await headers()));
  return (
    <OwnerFrame address={actor.address} isDevnet={isDevnet}>
      {children}
    </OwnerFrame>
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
        <SignInButton label="Sign in with your wallet" hash="#sign-in" wide />
      </Card>
    </PublicPage>
  );
}
