import { Home } from "@/components/home/home";
import { PublicPage } from "@/components/site/public-page";
import { AccountChip } from "@/components/wallet/account-chip";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { pageContext } from "@/lib/wiring";

export const dynamic = "force-dynamic";

export default async function HomePage() {
  const { actor, config } = await pageContext();
  const isDevnet = config.mode === "devnet";
  return (
    <PublicPage
      devnet={isDevnet}
      width="wide"
      account={
        actor.type === "owner" ? (
          <AccountChip address={actor.address} dashboardHref="/dashboard" />
        ) : (
          <SignInButton variant="secondary" size="small" to="/dashboard" />
        )
      }
    >
      <Home baseUrl={config.baseUrl} isDevnet={isDevnet} />
    </PublicPage>
  );
}
