import { SearchButton } from "@/components/palette/shortcuts";
import { missing } from "@/components/texts/en/missing";
import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";
import { pageContext } from "@/lib/wiring";
import NotFound from "../../../../not-found";
import { OwnerFrame } from "../../../dashboard/owner-frame";

/** In the dashboard's frame for signed-in owners. */
export default async function DashboardNotFound() {
  const { actor, config } = await pageContext();
  if (actor.type !== "owner") return <NotFound />;
  return (
    <OwnerFrame address={actor.address} isDevnet={config.mode === "devnet"}>
      <PageHeader title={missing.heading} description={missing.text} />
      <div className="flex flex-wrap gap-2.5">
        <SearchButton />
        <ButtonLink href="/dashboard">{missing.dashboard}</ButtonLink>
      </div>
    </OwnerFrame>
  );
}
