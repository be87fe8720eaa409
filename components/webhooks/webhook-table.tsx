import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { WebhookItem } from "@/lib/webhooks/contract";
import { eventsWords, webhookState } from "./words";

export function WebhookTable({ rows }: { rows: readonly WebhookItem[] }) {
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
