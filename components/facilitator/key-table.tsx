import { Badge } from "@/components/ui/badge";
import { formatCount } from "@/components/ui/format";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { KeyItem } from "@/lib/facilitator/contract";
import { KeyActions } from "./key-actions";
import type { KeyLimits } from "./key-form";

export type KeyTableProps = { rows: readonly KeyItem[]; limits: KeyLimits };

export function KeyTable({ rows, limits }: KeyTableProps) {
  const columns: readonly Column<KeyItem>[] = [
    { key: "name", header: "Key", cell: (row) => <Name row={row} /> },
    {
      key: "limits",
      header: "Limits",
      from: "md",
      cell: ({ requestsPerMinute, settlementsPerDay }) => (
        <span className="grid text-small text-ink-2">
          <span>{formatCount(requestsPerMinute)} requests a minute</span>
          <span>{formatCount(settlementsPerDay)} settlements a day</span>
        </span>
      ),
    },
    {
      key: "used",
      header: "Last used",
      from: "sm",
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="text-small text-ink-2">Never</span>
        ) : (
          <Time at={lastUsedAt} form="short" show="relative" className="text-small whitespace-nowrap text-ink-2" />
        ),
    },
    {
      key: "actions",
      header: <span className="sr-only">Actions</span>,
      align: "end",
      cell: ({ keyId, revokedAt, ...keyFields }) =>
        revokedAt === null ? (
          <KeyActions keyId={keyId} now={termsOf(keyFields)} limits={limits} />
        ) : (
          <Badge>Revoked</Badge>
        ),
    },
  ];
  return <Table caption="API keys with their limits" columns={columns} rows={rows} rowKey={({ keyId }) => keyId} />;
}

const termsOf = ({ name, requestsPerMinute, settlementsPerDay }: Omit<KeyItem, "keyId" | "revokedAt">) => ({
  name,
  requestsPerMinute,
  settlementsPerDay,
});

function Name({ row: { name, secretStart, createdAt } }: { row: KeyItem }) {
  return (
    <span className="grid min-w-30 gap-0.5">
      <bdi className="line-clamp-2 font-medium [overflow-wrap:anywhere]">{name}</bdi>
      <span className="text-tiny text-ink-2">
        <span className="mono" dir="ltr">
          {secretStart}…
        </span>{" "}
        created <Time at={createdAt} form="short" show="relative" />
      </span>
    </span>
  );
}
