import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SignInPrompt } from "@/components/authorize/stages";
import { PublicPage } from "@/components/site/public-page";
import { Stage } from "@/components/site/stage";
import { mandateId } from "@/lib/mandates/responses";
import { pageContext } from "@/lib/wiring";
import { OwnerFrame } from "../../dashboard/owner-frame";
import type { SearchParams } from "../../dashboard/query";
import { MandateDetails } from "./details";
import { readMandate } from "./reading";

export const metadata: Metadata = { title: "Mandate", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ mandateId: string }>;
  searchParams: SearchParams;
};

/** One mandate, for its owner: the budget, the payments, the controls and the evidence. */
export default async function MandatePage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const { actor } = ctx;
  const id = mandateId.safeParse((await params).mandateId);
  if (!id.success) notFound();
  if (actor.type === "anonymous") {
    return (
      <PublicPage devnet={ctx.config.mode === "devnet"}>
        <Stage name="sign-in" said="">
          <SignInPrompt thing="mandate">
            Its page is for the account that signed it. Signing in moves no money.
          </SignInPrompt>
        </Stage>
      </PublicPage>
    );
  }
  const details = await readMandate({ ...ctx, actor }, id.data, await searchParams);
  const isRevoked = details.mandate.status === "revoked";
  return (
    <OwnerFrame address={actor.address} isDevnet={ctx.config.mode === "devnet"}>
      <Stage name={isRevoked ? "revoked" : "details"} said={isRevoked ? "Revoked" : "Signed in"}>
        <MandateDetails {...details} owner={actor.address} isDevnet={ctx.config.mode === "devnet"} />
      </Stage>
    </OwnerFrame>
  );
}
