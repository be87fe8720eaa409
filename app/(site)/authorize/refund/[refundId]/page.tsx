import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Refund } from "@/components/refunds/refund";
import { stateOf } from "@/components/refunds/state";
import { LiveRefresh } from "@/components/site/live-refresh";
import { PublicPage } from "@/components/site/public-page";
import { Stage } from "@/components/site/stage";
import { PageHeader } from "@/components/ui/page-header";
import { AccountChip } from "@/components/wallet/account-chip";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { orNotFound } from "@/lib/http/found";
import { refundId, toRefundItem } from "@/lib/refunds/contract";
import * as refunds from "@/lib/refunds/service";
import { pageContext } from "@/lib/wiring";

export const metadata: Metadata = { title: "Refund", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { params: Promise<{ refundId: string }> };

/** A refund, for the owner who decides on it. */
export default async function AuthorizeRefundPage({ params }: Props) {
  const { actor, ...world } = await pageContext();
  const isDevnet = world.config.mode === "devnet";
  const id = refundId.safeParse((await params).refundId);
  if (!id.success) notFound();
  if (actor.type === "nobody") {
    return (
      <PublicPage devnet={isDevnet}>
        <Stage name="sign-in" said="">
          <PageHeader
            title="Sign in to see this refund"
            description="It is for the owner of the agent that was paid. Signing in moves no money."
          />
          <div className="flex flex-wrap gap-2.5">
            <SignInButton label="Sign in with your wallet" />
          </div>
        </Stage>
      </PublicPage>
    );
  }
  const ctx = { ...world, actor };
  const view = await orNotFound(refunds.get(ctx, id.data));
  const [balance, besides] = await Promise.all([refunds.heldFor(ctx, view), refunds.refundedByOthers(ctx, view)]);
  const refund = toRefundItem(view, ctx.config.baseUrl, ctx.now());
  const state = stateOf(refund);
  return (
    <PublicPage devnet={isDevnet} account={<AccountChip address={actor.address} dashboardHref="/dashboard" />}>
      <Stage name={state} said={SAID[state]}>
        <Refund
          refund={refund}
          description={view.paid.description}
          paidReceiptHref={`/receipt/${view.paid.id}`}
          paidAt={view.paid.createdAt}
          refundedByOthers={besides}
          balance={balance}
        />
      </Stage>
      {(state === "waiting" || state === "underway") && (
        <LiveRefresh news={SAID[state]} isExpecting={state === "underway"} />
      )}
    </PublicPage>
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
