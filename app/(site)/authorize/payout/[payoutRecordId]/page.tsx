import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Elsewhere, Incomplete } from "@/components/authorize/stages";
import { Stage } from "@/components/mandates/stage";
import { Asker, LinkStage, OverStage, ReviewStage, SignInStage } from "@/components/payouts/stages";
import { PublicPage } from "@/components/site/public-page";
import { AccountChip } from "@/components/wallet/account-chip";
import { orNotFound } from "@/lib/http/found";
import * as book from "@/lib/payouts/address-book/service";
import { getOwnedPayout } from "@/lib/payouts/owner/contract";
import { forDeciding } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { pageContext } from "@/lib/wiring";
import { type Context, namesOf } from "../../../dashboard/payouts/names";

export const metadata: Metadata = { title: "Approve a payout", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = {
  params: Promise<{ payoutRecordId: string }>;
  searchParams: Promise<{ token?: string | string[] }>;
};

/** Money that an agent asks to be sent: sign in, link the agent, approve or deny. */
export default async function AuthorizePayoutPage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const { token: given } = await searchParams;
  const token = typeof given === "string" && given !== "" ? given : undefined;
  const { stage, said, content } = await visit(ctx, await params, token);
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

async function visit(ctx: Context, params: { payoutRecordId: string }, token: string | undefined) {
  const asked = getOwnedPayout.params?.safeParse(params);
  if (!asked?.success) notFound();
  const { actor } = ctx;
  // Whether there is such a request is nobody's business without the token.
  if (token === undefined && actor.type === "nobody") {
    return { stage: "incomplete", said: "", content: <Incomplete thing="payout" /> };
  }
  const view = await orNotFound(forDeciding(ctx, asked.data.payoutRecordId, token));
  const payout = toPayoutItem(view, ctx.config.baseUrl, ctx.now());
  const isOwner = actor.type === "owner" && view.ownerId === actor.ownerId;
  const names = isOwner ? await namesOf({ ...ctx, actor }) : new Map<string, string>();
  const shown = { payout, isDevnet: ctx.config.mode === "devnet", names };
  switch (view.nextStep) {
    case "sign_in":
      return { stage: "sign-in", said: "", content: <SignInStage {...shown} /> };
    case "claim":
      return { stage: "link", said: "Link the agent first", content: <LinkStage {...shown} token={token} /> };
    case "linked_elsewhere":
      return {
        stage: "elsewhere",
        said: "",
        content: <Elsewhere thing="payout" asker={<Asker payout={payout} />} owner={view.ownerAddress} />,
      };
    case "decide": {
      // Only an owner is asked to decide.
      if (actor.type !== "owner") break;
      const { wallet, ...weighed } = await book.weigh({ ...ctx, actor }, view);
      return {
        stage: "review",
        said: "Waiting for your decision",
        content: <ReviewStage {...shown} weighed={{ ...weighed, wallet: wallet.address }} />,
      };
    }
    case "nothing":
      break;
    default:
      view.nextStep satisfies never;
  }
  return { stage: view.status, said: "", content: <OverStage {...shown} isOwner={isOwner} /> };
}
