import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SignInPrompt } from "@/components/authorize/stages";
import { Refund } from "@/components/refunds/refund";
import { stateOf } from "@/components/refunds/state";
import { LiveRefresh } from "@/components/site/live-refresh";
import { orNotFound } from "@/lib/http/found";
import { refundId, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { pageContext } from "@/lib/wiring";
import { AuthorizePage } from "../../frame";

export const metadata: Metadata = { title: "Refund", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { params: Promise<{ refundId: string }> };

/** A refund, for the owner who decides on it. */
export default async function AuthorizeRefundPage({ params }: Props) {
  const { actor, ...app } = await pageContext();
  const id = refundId.safeParse((await params).refundId);
  if (!id.success) notFound();
  if (actor.type === "anonymous") {
    const content = (
      <SignInPrompt thing="refund">
        It is for the owner of the agent that was paid. Signing in moves no money.
      </SignInPrompt>
    );
    return <AuthorizePage ctx={{ ...app, actor }} shown={{ stage: "sign-in", said: "", content }} />;
  }
  const ctx = { ...app, actor };
  const view = await orNotFound(refunds.get(ctx, id.data));
  const [balance, refundedByOthers] = await Promise.all([
    refunds.readWalletBalance(ctx, view),
    refunds.refundedByOthers(ctx.db, view.refund),
  ]);
  const refund = toRefundItem(view, ctx.config.baseUrl, ctx.now());
  const state = stateOf(refund);
  const announcement = SAID[state];
  const content = (
    <Refund
      refund={refund}
      description={view.paid.description}
      paidReceiptHref={`/receipt/${view.paid.id}`}
      paidAt={view.paid.createdAt}
      refundedByOthers={refundedByOthers}
      balance={balance}
    />
  );
  return (
    <AuthorizePage ctx={ctx} shown={{ stage: state, said: announcement, content }}>
      {(state === "waiting" || state === "underway") && (
        <LiveRefresh news={announcement} isExpecting={state === "underway"} />
      )}
    </AuthorizePage>
  );
}

const SAID = {
  waiting: "Waiting for your decision",
  underway: "On its way. Nothing more to do",
  settled: "Refunded",
  failed: "Refund failed. No money moved",
  expired: "Expired. Nothing moved",
  cancelled: "Nothing moved",
} as const;
