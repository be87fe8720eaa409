import { receiptHref, settlementRow } from "@/components/payments/money-row";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { formatCount } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { KeyItem, PaymentItem } from "@/lib/facilitator/contract";
import { NETWORKS } from "@/lib/x402/networks";
import { KeyActions, type KeyLimits } from "./key-dialogs";

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

type PaymentTableProps = {
  rows: readonly PaymentItem[];
  /** On a devnet, no explorer shows the transactions. */
  isDevnet: boolean;
};

export function PaymentTable({ rows, isDevnet }: PaymentTableProps) {
  const columns: readonly Column<PaymentItem>[] = [
    { key: "what", header: "Payment", cell: (row) => <Parties row={row} isDevnet={isDevnet} /> },
    { key: "key", header: "Key", from: "lg", cell: ({ keyName }) => <KeyName name={keyName} /> },
    { key: "status", header: "Status", from: "md", cell: (row) => <Status row={row} /> },
    { key: "proof", header: "Transaction", from: "lg", cell: (row) => <Proof row={row} isDevnet={isDevnet} /> },
    { key: "amount", header: "USDC", align: "end", cell: (row) => <Sum row={row} /> },
  ];
  return (
    <Table
      caption="Payments settled with your keys, newest first"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.settlementId}
    />
  );
}

const statusOf = (row: PaymentItem) => settlementRow(row, "received");

const Status = ({ row, className }: { row: PaymentItem; className?: string }) => {
  const { tone, label } = statusOf(row).status;
  return (
    <Badge tone={tone} className={className}>
      {label}
    </Badge>
  );
};

const KeyName = ({ name }: { name: string }) => (
  <bdi className="line-clamp-2 text-small [overflow-wrap:anywhere]">{name}</bdi>
);

function Parties({ row, isDevnet }: { row: PaymentItem; isDevnet: boolean }) {
  const { reason, warning } = statusOf(row);
  return (
    <div className="grid min-w-0 gap-1">
      <Link
        href={receiptHref(row.settlementId)}
        className="w-fit font-medium underline decoration-line-2 underline-offset-4 hover:decoration-current max-sm:-my-2 max-sm:py-2"
      >
        <Time at={row.createdAt} form="short" show="absolute" />
      </Link>
      <span className="grid gap-x-4 gap-y-1 text-small text-ink-2 xl:flex">
        <Party label="From" address={row.payer} />
        <Party label="To" address={row.payee} />
      </span>
      {(reason ?? warning) !== undefined && <span className="text-small text-ink-2">{reason ?? warning}</span>}
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-2 lg:hidden">
        <Status row={row} className="md:hidden" />
        <KeyName name={row.keyName} />
        <Proof row={row} isDevnet={isDevnet} />
      </span>
    </div>
  );
}

const Party = ({ label, address }: { label: string; address: string }) => (
  <span className="flex items-center gap-2">
    <span className="w-9 xl:w-auto">{label}</span> <AddressTag address={address} tileSize={18} />
  </span>
);

function Proof({ row: { txHash, network }, isDevnet }: { row: PaymentItem; isDevnet: boolean }) {
  if (txHash === null) return <span className="text-ink-2 max-lg:hidden">None</span>;
  if (isDevnet) return <AddressTag address={txHash} noun="transaction hash" tile={false} />;
  return (
    <a
      href={`${NETWORKS[network].explorer}/tx/${txHash}`}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center font-medium whitespace-nowrap text-brand underline underline-offset-4 max-sm:-my-3 max-sm:min-h-11"
    >
      Transaction
    </a>
  );
}

function Sum({ row }: { row: PaymentItem }) {
  const hasFailed = row.settlementStatus === "failed";
  return (
    <span className="grid justify-items-end gap-0.5">
      <span className={cx("font-medium whitespace-nowrap", hasFailed && "text-ink-2 line-through")}>
        <Amount atomic={row.amount} unit={null} />
      </span>
      {hasFailed && <span className="text-tiny whitespace-nowrap text-ink-2">not moved</span>}
      <span className="text-tiny whitespace-nowrap text-ink-2">{NETWORKS[row.network].label}</span>
    </span>
  );
}
