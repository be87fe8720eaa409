import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Incomplete } from "@/components/authorize/stages";
import { PayoutCard } from "@/components/payouts/payout-card";
import { Asker, OverStage, questionOf, ReviewStage } from "@/components/payouts/stages";
import { orNotFound } from "@/lib/http/found";
import { exceededBy } from "@/lib/mandates/caps/service";
import * as book from "@/lib/payouts/address-book/service";
import { getOwnedPayout } from "@/lib/payouts/owner/contract";
import { forDeciding } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { pageContext } from "@/lib/wiring";
import type { PageContext } from "../../../context";
import { namesOf } from "../../../dashboard/payouts/names";
import { AuthorizePage, beforeDeciding, type Request, type SearchParams, type Shown, tokenOf } from "../../frame";

export const metadata: Metadata = { title: "Approve a payout", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { params: Promise<{ payoutRecordId: string }>; searchParams: SearchParams };

/** One payout that an agent requests: sign in, link the agent, approve or reject. */
export default async function AuthorizePayoutPage({ params, searchParams }: Props) {
  const ctx = await pageContext();
  const state = await show(ctx, await params, await tokenOf(searchParams));
  return <AuthorizePage ctx={ctx} shown={state} />;
}

async function show(ctx: PageContext, params: { payoutRecordId: string }, token: string | undefined): Promise<Shown> {
  const parsed = getOwnedPayout.params?.safeParse(params);
  if (!parsed?.success) notFound();
  const { actor } = ctx;
  // Without the token, a visitor must not learn whether the request exists.
  if (token === undefined && actor.type === "anonymous") {
    return { stage: "incomplete", said: "", content: <Incomplete thing="payout" />, isNarrow: true };
  }
  const view = await orNotFound(forDeciding(ctx, parsed.data.payoutRecordId, token));
  const { nextStep } = view;
  const payout = toPayoutItem(view, ctx.config.baseUrl, ctx.now());
  const isOwner = actor.type === "owner" && view.ownerId === actor.ownerId;
  const names = isOwner ? await namesOf({ ...ctx, actor }) : new Map<string, string>();
  const card = { payout, isDevnet: ctx.config.mode === "devnet", names };
  switch (nextStep) {
    case "sign_in":
    case "claim":
    case "linked_elsewhere": {
      const request: Request = {
        thing: "payout",
        asker: <Asker payout={payout} />,
        title: questionOf(payout),
        agentName: payout.agentName ?? "the agent",
        owner: view.ownerAddress,
        path: `/api/wallet/payouts/${payout.payoutRecordId}`,
        card: <PayoutCard {...card} />,
      };
      return beforeDeciding(nextStep, request, token);
    }
    case "decide": {
      // Never true here: the step "decide" is the owner's. The check narrows the type.
      if (actor.type !== "owner") break;
      const owned = { ...ctx, actor };
      const { agentId, network, amount } = payout;
      const [{ wallet, ...weighed }, exceededCap] = await Promise.all([
        book.weigh(owned, view),
        agentId === null ? null : exceededBy(owned, { agentId, network, amount }),
      ]);
      return {
        stage: "review",
        said: "Waiting for your decision",
        content: <ReviewStage {...card} weighed={{ ...weighed, wallet: wallet.address }} exceededCap={exceededCap} />,
      };
    }
    case "nothing":
      break;
    default:
      return nextStep satisfies never;
  }
  return { stage: view.status, said: "", content: <OverStage {...card} isOwner={isOwner} /> };
}
