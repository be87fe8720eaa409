import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Elsewhere, Incomplete, Over } from "@/components/mandates/closed";
import { LookalikeNote } from "@/components/mandates/lookalike-note";
import { LinkStage, ReviewStage, SignedStage, SignInStage } from "@/components/mandates/open";
import { PublicPage } from "@/components/site/public-page";
import { Stage } from "@/components/site/stage";
import { AccountChip } from "@/components/wallet/account-chip";
import { lookalikeOf } from "@/lib/agents/service";
import { orNotFound } from "@/lib/http/found";
import { mandateId } from "@/lib/mandates/responses";
import * as mandates from "@/lib/mandates/service";
import { pageContext } from "@/lib/wiring";
import { type Context, type OwnerContext, reviewed, stageOf } from "./visit";

export const metadata: Metadata = { title: "Sign a mandate", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ mandateId: string }>;
  searchParams: Promise<{ token?: string | string[] }>;
};

/** One page from nothing to a signed mandate: sign in, link the agent, review, sign. */
export default async function AuthorizeMandatePage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const { token: given } = await searchParams;
  const token = typeof given === "string" && given !== "" ? given : undefined;
  const { stage, said, content } = await visit(ctx, (await params).mandateId, token);
  return (
    <PublicPage
      devnet={ctx.config.mode === "devnet"}
      account={ctx.actor.type === "owner" && <AccountChip address={ctx.actor.address} dashboardHref="/dashboard" />}
    >
      <Stage name={stage} said={said}>
        {content}
      </Stage>
    </PublicPage>
  );
}

async function visit(ctx: Context, idText: string, token: string | undefined) {
  const id = mandateId.safeParse(idText);
  if (!id.success) notFound();
  const { actor } = ctx;
  // Whether there is such a mandate is nobody's business without the token.
  if (token === undefined && actor.type === "nobody") {
    return { stage: "incomplete", said: "", content: <Incomplete /> };
  }
  const mandate = await orNotFound(mandates.forSigning(ctx, id.data, token));
  const stage = stageOf(mandate);
  const isDevnet = ctx.config.mode === "devnet";
  switch (stage) {
    case "sign-in":
      return { stage, said: "Step 1 of 4", content: <SignInStage mandate={mandate} /> };
    case "elsewhere":
      return { stage, said: "", content: <Elsewhere mandate={mandate} /> };
    case "over":
      return { stage, said: "", content: <Over mandate={mandate} isOwner={actor.type === "owner"} /> };
  }
  if (actor.type === "nobody") return { stage: "over", said: "", content: <Over mandate={mandate} isOwner={false} /> };
  const asking: OwnerContext = { ...ctx, actor };
  const lookalike = await lookalikeOf(asking, mandate.agentId, mandate.agentName);
  const warning = lookalike !== null && <LookalikeNote name={lookalike} />;
  switch (stage) {
    case "link":
      return {
        stage,
        said: "Step 2 of 4",
        content: (
          <>
            {warning}
            <LinkStage mandate={mandate} token={token} owner={actor.address} />
          </>
        ),
      };
    case "review": {
      const shown = await reviewed(asking, mandate, token);
      return {
        stage,
        said: "Step 3 of 4",
        content: (
          <>
            {warning}
            <ReviewStage mandate={mandate} token={token} owner={actor.address} {...shown} />
          </>
        ),
      };
    }
    case "signed": {
      const shown = await reviewed(asking, mandate, token);
      return { stage, said: "Signed", content: <SignedStage mandate={mandate} {...shown} isDevnet={isDevnet} /> };
    }
    default:
      return stage satisfies never;
  }
}
