import { AddressTag } from "@/components/ui/address-tag";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { SettlementView } from "@/lib/settlements/contract";
import { failureWords, refusalWords } from "./failure-words";
import { type MoneyRow, settlementRow } from "./money-row";

/** A proof that was presented at a link, and its result. */
export type AttemptRow = {
  id: string;
  at: Date;
  payer: string | null;
  status: MoneyRow["status"];
  /** Why no money moved. */
  reason: string | undefined;
  /** Why it is not settled and until when it still can be. */
  warning?: string | undefined;
  /** The error code that the payer received. */
  code: string | undefined;
  /** True for a refused proof: its payer was not verified. */
  isRefused: boolean;
  receiptHref: string | undefined;
};

export function takenRow(settlement: SettlementView): AttemptRow {
  const { id, at: time, party, status, receiptHref, warning } = settlementRow(settlement, "received");
  const code = settlement.failureCode ?? undefined;
  const reason = settlement.settlementStatus === "failed" ? failureWords(code, "link") : undefined;
  return { id, at: time, payer: party, status, reason, warning, code, isRefused: false, receiptHref };
}

export const refusedRow = (refusal: {
  id: number;
  createdAt: Date;
  code: string;
  payer: string | null;
}): AttemptRow => ({
  id: String(refusal.id),
  at: refusal.createdAt,
  payer: refusal.payer,
  status: { tone: "warn", label: "Refused" },
  reason: refusalWords(refusal.code),
  code: refusal.code,
  isRefused: true,
  receiptHref: undefined,
});

export function AttemptTable({ rows }: { rows: readonly AttemptRow[] }) {
  return <Table caption="Attempts to pay, newest first" columns={COLUMNS} rows={rows} rowKey={(row) => row.id} />;
}

const COLUMNS: readonly Column<AttemptRow>[] = [
  { key: "who", header: "Who", cell: (row) => <Who row={row} /> },
  { key: "what", header: "What became of it", from: "md", cell: (row) => <Ending row={row} /> },
  {
    key: "time",
    header: "Time",
    align: "end",
    from: "md",
    cell: ({ at: time }) => (
      <span className="grid whitespace-nowrap">
        <Time at={time} form="short" show="absolute" />
        <Time at={time} form="short" show="relative" className="text-tiny text-ink-2" />
      </span>
    ),
  },
];

function Who({ row }: { row: AttemptRow }) {
  return (
    <div className="grid gap-1">
      {row.payer === null ? (
        <span className="text-ink-2">Not known</span>
      ) : (
        <span className="flex flex-wrap items-center gap-x-2">
          {row.isRefused && <span className="text-small text-ink-2">says it is</span>}
          <AddressTag address={row.payer} tileSize={18} />
        </span>
      )}
      <div className="grid gap-1.5 md:hidden">
        <Ending row={row} />
        <Time at={row.at} form="short" className="text-small text-ink-2" />
      </div>
    </div>
  );
}

function Ending({ row }: { row: AttemptRow }) {
  return (
    <div className="grid justify-items-start gap-1">
      <span className="flex flex-wrap items-center gap-x-3">
        <Badge tone={row.status.tone}>{row.status.label}</Badge>
        {row.receiptHref !== undefined && (
          <Link
            href={row.receiptHref}
            className="inline-flex items-center text-small font-medium text-brand underline underline-offset-4 max-sm:min-h-11"
          >
            Receipt
          </Link>
        )}
      </span>
      {row.warning !== undefined && (
        <span className="text-small text-ink-2">
          {row.warning} <span className="mono text-tiny [overflow-wrap:anywhere]">{row.code}</span>
        </span>
      )}
      {row.reason !== undefined && (
        <span className="text-small text-ink-2">
          {row.reason} No money moved.{" "}
          {row.code !== undefined && <span className="mono text-tiny [overflow-wrap:anywhere]">{row.code}</span>}
        </span>
      )}
    </div>
  );
}
