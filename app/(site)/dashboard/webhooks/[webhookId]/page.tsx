import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { KeepFresh } from "@/components/dashboard/keep-fresh";
import { Pager } from "@/components/dashboard/pager";
import { Section } from "@/components/dashboard/section";
import { SessionOver } from "@/components/site/connection";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { EmptyState } from "@/components/ui/empty-state";
import { Fact, Facts } from "@/components/ui/facts";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { ReplayButton, WebhookActions } from "@/components/webhooks/webhook-actions";
import { attemptWords, deliveryState as deliveryWords, webhookState } from "@/components/webhooks/words";
import { cursorText, encodeCursor } from "@/lib/core/page";
import { orNotFound } from "@/lib/http/found";
import { getWebhook, toWebhookItem, type WebhookItem } from "@/lib/webhooks/contract";
import { type DeliveryItem, deliveryState, toDeliveryItem } from "@/lib/webhooks/deliveries/contract";
import { get, listDeliveries } from "@/lib/webhooks/service";
import { href, type SearchParams } from "../../query";
import { ownerContext } from "../../viewer";
import { EVENT_GROUPS } from "../groups";

export const metadata: Metadata = { title: "Webhook" };

const ROWS = 20;

const query = z.object({
  state: deliveryState.optional().catch(undefined),
  after: cursorText.optional().catch(undefined),
});

type Props = { params: Promise<{ webhookId: string }>; searchParams: SearchParams };

export default async function WebhookPage({ params, searchParams }: Props) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const parsed = getWebhook.params?.safeParse(await params);
  if (!parsed?.success) notFound();
  const { webhookId } = parsed.data;
  const { state, after: cursor } = query.parse(await searchParams);
  const [view, page] = await Promise.all([
    orNotFound(get(ctx, webhookId)),
    orNotFound(listDeliveries(ctx, webhookId, { state, after: cursor, limit: ROWS })),
  ]);
  const webhook = toWebhookItem(view);
  const rows = page.rows.map((row) => toDeliveryItem(row, ctx.now()));
  const buildHref = (change: { state?: string | undefined; after?: string } = {}) =>
    href(`/dashboard/webhooks/${webhookId}`, { state, ...change });
  const { label, tone } = webhookState(webhook);
  return (
    <>
      <KeepFresh isActive={rows.some((row) => row.underway || row.state === "waiting")} />
      <PageHeader
        back={{ href: "/dashboard/webhooks", label: "Webhooks" }}
        title={<bdi className="line-clamp-3">{webhook.description || new URL(webhook.url).host}</bdi>}
        description={<Badge tone={tone}>{label}</Badge>}
      />
      <Reason webhook={webhook} />
      <Card title="Settings" className="grid gap-5 [&>header]:mb-0">
        <Settings webhook={webhook} />
        {webhook.verifiedAt === null && (
          <p className="measure text-small text-ink-2">
            The receiver is not verified. We send it a signed webhook.verification event with a challenge, and it
            answers 200 with that challenge. Until then it gets no test events, and other events at most 60 a minute.
          </p>
        )}
        <WebhookActions
          webhookId={webhookId}
          enabled={webhook.enabled}
          isVerified={webhook.verifiedAt !== null}
          now={{ url: webhook.url, description: webhook.description, eventTypes: webhook.eventTypes }}
          groups={EVENT_GROUPS}
        />
      </Card>
      <Section id="deliveries" title="Deliveries">
        <FilterLinks
          label="Filter by state"
          options={[
            { label: "All", href: buildHref({ state: undefined }), isCurrent: state === undefined },
            ...deliveryState.options.map((value) => ({
              label: LABELS[value],
              href: buildHref({ state: value }),
              isCurrent: state === value,
            })),
          ]}
        />
        {rows.length > 0 ? (
          <DeliveryList rows={rows} canReplay={webhook.enabled} />
        ) : (
          <EmptyState
            title="Nothing here"
            action={state && <ButtonLink href={buildHref({ state: undefined })}>Show all</ButtonLink>}
          >
            {state === undefined
              ? "What is sent to this webhook is kept here for 30 days. Verify the receiver to see how that looks."
              : "No delivery of the last 30 days is in this state."}
          </EmptyState>
        )}
        <Pager
          newest={cursor && buildHref()}
          older={page.next ? buildHref({ after: encodeCursor(page.next) }) : undefined}
        />
      </Section>
    </>
  );
}

const LABELS = { waiting: "Waiting", paused: "Paused", delivered: "Delivered", failed: "Failed" } as const;

/** Why the service disabled the webhook, and how to fix it. */
function Reason({ webhook: { disabledBy } }: { webhook: WebhookItem }) {
  if (disabledBy === null) return null;
  return (
    <Note tone="warn" title="We disabled this webhook">
      {disabledBy === "gone"
        ? "Its receiver answered 410 Gone, which means that it no longer exists."
        : "Its receiver accepted nothing for three days."}{" "}
      Waiting deliveries are kept and continue when you enable it; events that happen meanwhile are not sent. Send a
      test event to see whether it works again.
    </Note>
  );
}

function Settings({ webhook: w }: { webhook: WebhookItem }) {
  return (
    <Facts>
      <Fact label="URL">
        <span className="mono text-small" dir="ltr">
          {w.url}
        </span>
      </Fact>
      <Fact label="Events">{w.eventTypes === null ? "All events" : w.eventTypes.join(", ")}</Fact>
      <Fact label="Receiver">
        {w.verifiedAt ? (
          <>
            Verified <Time at={w.verifiedAt} form="short" />
          </>
        ) : (
          "Not verified"
        )}
      </Fact>
      <Fact label="Last delivered">{w.lastSuccessAt ? <Time at={w.lastSuccessAt} form="short" /> : "Never"}</Fact>
      <Fact label="Last failure">{w.lastFailureAt ? <Time at={w.lastFailureAt} form="short" /> : "Never"}</Fact>
      {w.oldSecretUntil && (
        <Fact label="Old secret signs too until">
          <Time at={w.oldSecretUntil} form="short" />
        </Fact>
      )}
      <Fact label="Created">
        <Time at={w.createdAt} form="short" />
      </Fact>
    </Facts>
  );
}

type DeliveryListProps = { rows: readonly DeliveryItem[]; canReplay: boolean };

/** Deliveries, each with its body and its attempts in a disclosure. */
function DeliveryList({ rows, canReplay }: DeliveryListProps) {
  return (
    <ol className="grid gap-2.5">
      {rows.map((row) => (
        <li key={row.deliveryId} data-row={row.deliveryId}>
          <Disclosure summary={<Summary row={row} />}>
            <Details row={row} canReplay={canReplay} />
          </Disclosure>
        </li>
      ))}
    </ol>
  );
}

function Summary({ row }: { row: DeliveryItem }) {
  const { label, tone } = deliveryWords(row);
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <span className="mono text-small [overflow-wrap:anywhere]">{row.type}</span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Time at={row.createdAt} form="short" show="absolute" className="text-tiny font-normal text-ink-2" />
        <Badge tone={tone}>{label}</Badge>
      </span>
    </span>
  );
}

function Details({ row, canReplay }: { row: DeliveryItem; canReplay: boolean }) {
  return (
    <div className="grid gap-4">
      {row.nextAttemptAt !== null && (
        <p className="text-small text-ink-2">
          {row.attempts.length === 0 ? "To be sent" : "Next attempt"}: <Time at={row.nextAttemptAt} />
        </p>
      )}
      {row.state === "paused" && <p className="text-small text-ink-2">It waits until the webhook is enabled.</p>}
      <Attempts row={row} />
      <div className="grid gap-1.5">
        <h3 className="text-small font-medium">What we send</h3>
        <JsonView value={row.body} label={`Body of ${row.eventId}`} />
        <p className="text-tiny text-ink-2 [overflow-wrap:anywhere]">
          webhook-id: <span className="mono">{row.eventId}</span>
        </p>
      </div>
      {canReplay && !row.underway && (
        <div>
          <ReplayButton deliveryId={row.deliveryId} isWaiting={row.state === "waiting"} />
        </div>
      )}
    </div>
  );
}

function Attempts({ row }: { row: DeliveryItem }) {
  if (row.attempts.length === 0) return null;
  return (
    <div className="grid gap-1.5">
      <h3 className="text-small font-medium">Attempts</h3>
      <ol className="grid gap-3">
        {row.attempts.map((attempt) => (
          <li key={attempt.number} className="grid gap-1.5 text-small">
            <p>
              {attemptWords(attempt, row.underway && attempt.number === row.attempts.length)}
              <span className="text-tiny text-ink-2">
                {" · "}
                <Time at={attempt.startedAt} form="short" show="absolute" />
                {attempt.durationMs !== null && ` · ${attempt.durationMs} ms`}
              </span>
            </p>
            {attempt.reply && <JsonView value={attempt.reply} label={`Reply ${attempt.number} to ${row.eventId}`} />}
          </li>
        ))}
      </ol>
    </div>
  );
}
