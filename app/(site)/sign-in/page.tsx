import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { PublicPage } from "@/components/site/public-page";
import { Card } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { pageContext } from "@/lib/wiring";
import { destination } from "./destination";

export const metadata: Metadata = { title: "Sign in" };
export const dynamic = "force-dynamic";

type Props = { searchParams: Promise<{ callbackUrl?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props) {
  const { actor, config } = await pageContext();
  const to = destination((await searchParams).callbackUrl, config.baseUrl);
  if (actor.type === "owner") redirect(to);
  return (
    <PublicPage devnet={config.mode === "devnet"}>
      <PageHeader
        title="Sign in with your wallet"
        description="Your wallet's address is your account: there is no password and no e-mail. You sign one message; it moves no money and allows nothing."
      />
      <Card>
        <SignInButton label="Choose a wallet" to={to} wide />
      </Card>
    </PublicPage>
  );
}
