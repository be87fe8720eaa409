import type { Metadata } from "next";
import { SessionOver } from "@/components/site/connection";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { NewWebhook } from "@/components/webhooks/webhook-form";
import { eventsWords, webhookState } from "@/components/webhooks/words";
import { toWebhookItem, WEBHOOKS_MAX, type WebhookItem } from "@/lib/webhooks/contract";
import { list } from "@/lib/webhooks/service";
import { ownerContext } from "../viewer";
import { EVENT_GROUPS } from "./groups";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const rows = (await list(ctx)).map(toWebhookItem);
  const isFull = rows.length >= WEBHOOKS_MAX;
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Notify your own programs of events as they happen: payments, payouts, mandates, links, refunds, credentials."
        actions={<NewWebhook groups={EVENT_GROUPS} isFull={isFull} />}
      />
      {rows.length === 0 ? (
        <EmptyState title="No webhook yet">
          Add the https address of your program. We send it a signed message for each event, retry for three days and
          show you every response.
        </EmptyState>
      ) : (
        <WebhookTable rows={rows} />
      )}
      {isFull && <Note>These are all {WEBHOOKS_MAX} that you can have. Delete one to add another.</Note>}
    </>
  );
}

function WebhookTable({ rows }: { rows: readonly WebhookItem[] }) {
  return <Table caption="Webhooks" columns={COLUMNS} rows={rows} rowKey={({ webhookId }) => webhookId} />;
}

const COLUMNS: readonly Column<WebhookItem>[] = [
  { key: "url", header: "Webhook", cell: (row) => <Name row={row} /> },
  { key: "events", header: "Events", from: "sm", cell: ({ eventTypes }) => eventsWords(eventTypes) },
  { key: "state", header: "State", cell: (row) => <StateBadge row={row} /> },
  {
    key: "last",
    header: "Last delivered",
    from: "lg",
    cell: ({ lastSuccessAt }) =>
      lastSuccessAt === null ? (
        <span className="text-ink-2">Never</span>
      ) : (
        <Time at={lastSuccessAt} form="short" show="absolute" className="text-small whitespace-nowrap text-ink-2" />
      ),
  },
];

function Name({ row: { webhookId, url, description } }: { row: WebhookItem }) {
  return (
    <div className="grid min-w-30 gap-0.5">
      <Link
        href={`/dashboard/webhooks/${webhookId}`}
        className="inline-flex min-h-8 items-center font-medium [overflow-wrap:anywhere] max-sm:min-h-11"
      >
        <bdi className="line-clamp-2">{description || new URL(url).host}</bdi>
      </Link>
      <span className="mono line-clamp-2 text-tiny text-ink-2 [overflow-wrap:anywhere]" dir="ltr">
        {url}
      </span>
    </div>
  );
}

function StateBadge({ row }: { row: WebhookItem }) {
  const { label, tone } = webhookState(row);
  return <Badge tone={tone}>{label}</Badge>;
}
