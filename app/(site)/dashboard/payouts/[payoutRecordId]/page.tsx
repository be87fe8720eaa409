import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DenyButton } from "@/components/payouts/deny-button";
import { endingOf } from "@/components/payouts/endings";
import { PayoutDetails, PayoutLegs, PayoutTimeline } from "@/components/payouts/payout-details";
import { Asker } from "@/components/payouts/stages";
import { decideHref, isMoving, STATUS_WORDS } from "@/components/payouts/words";
import { SessionOver } from "@/components/site/connection";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { orNotFound } from "@/lib/http/found";
import { getOwnedPayout } from "@/lib/payouts/owner/contract";
import { get } from "@/lib/payouts/owner/service";
import { toPayoutItem } from "@/lib/payouts/responses";
import { payoutTimeline } from "@/lib/payouts/timeline";
import { ownerContext } from "../../viewer";
import { namesOf } from "../names";

export const metadata: Metadata = { title: "Payout" };

/** A payout by the owner or by one of their agents. */
export default async function PayoutPage({ params }: { params: Promise<{ payoutRecordId: string }> }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const parsed = getOwnedPayout.params?.safeParse(await params);
  if (!parsed?.success) notFound();
  const view = await orNotFound(get(ctx, parsed.data.payoutRecordId));
  const [timeline, names] = await Promise.all([payoutTimeline(ctx, view), namesOf(ctx)]);
  const payout = toPayoutItem(view, ctx.config.baseUrl, ctx.now());
  const { status, payoutRecordId } = payout;
  const { title, said: explanation } = endingOf(payout);
  const isWaiting = status === "pending_authorization";
  const isOver = !isWaiting && !isMoving(status);
  const isDevnet = ctx.config.mode === "devnet";
  return (
    <>
      <PageHeader
        back={{ href: "/dashboard/payouts", label: "Payouts" }}
        eyebrow={<Asker payout={payout} />}
        title={title}
        description={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].label}</Badge>
            <span>{explanation}</span>
          </span>
        }
        // While the outcome is unknown, a duplicate could pay twice.
        actions={
          isOver ? <ButtonLink href={`/dashboard/payouts/new?from=${payoutRecordId}`}>Duplicate</ButtonLink> : undefined
        }
      />
      {isWaiting && (
        <Note
          tone="info"
          title="It is waiting for your decision"
          actions={
            <>
              <ButtonLink size="small" variant="primary" href={decideHref(payoutRecordId)}>
                Review and pay
              </ButtonLink>
              <DenyButton recordId={payoutRecordId} isOwn={payout.agentId === null} size="small" />
            </>
          }
        >
          You can approve it until{" "}
          {/* On a phone, the distance from now fits the line of the time, whatever its date. */}
          <br className="sm:hidden" />
          <Time at={new Date(payout.expiresAt * 1000)} form="short" />.
        </Note>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[3fr_2fr]">
        <div className="grid min-w-0 gap-5">
          <PayoutDetails payout={payout} isDevnet={isDevnet} />
          <PayoutLegs payout={payout} names={names} />
        </div>
        <Card title="What happened">
          <PayoutTimeline timeline={timeline} network={payout.network} isPending={isMoving(status)} />
        </Card>
      </div>
      {(isMoving(status) || isWaiting) && <LiveRefresh news={title} isExpecting={isMoving(status)} />}
    </>
  );
}
