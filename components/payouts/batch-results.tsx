"use client";

import { Download } from "lucide-react";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { saveCsv } from "@/components/ui/save-file";
import { type Column, Table } from "@/components/ui/table";
import { type BatchRow, type Checked, type RowResult, resultFile } from "./batch";
import type { Sent } from "./use-batch";
import { payoutHref } from "./words";

export type BatchResultsProps = {
  isRunning: boolean;
  results: readonly Sent[];
  total: number;
  checked: Checked;
  again: (rows: readonly BatchRow[]) => void;
};

/** The result of each row, during and after sending. */
export function BatchResults({ isRunning, results, total, checked, again: onResend }: BatchResultsProps) {
  const count = (kind: Sent["kind"]) => results.filter((result) => result.kind === kind).length;
  const summary = `${count("made")} made, ${count("existed")} existed already, ${count("refused")} refused`;
  const unknown = results.filter(({ kind }) => kind === "unknown");
  const lines = new Set(unknown.map(({ line }) => line));
  return (
    <Card
      title={isRunning ? `Sending: ${results.length} of ${total} rows` : "Result of the file"}
      className="grid gap-4 [&>header]:mb-0"
    >
      <p role="status" className="text-control">
        {isRunning
          ? "Keep this page open. If you close it, send the same file again: nothing is paid twice."
          : `${summary}.`}
        {!isRunning && unknown.length > 0 && ` Rows with an unknown result: ${unknown.length}.`}
      </p>
      {!isRunning && unknown.length > 0 && (
        <Note
          tone="bad"
          title="The result of some rows is unknown"
          actions={
            <Button size="small" onClick={() => onResend(checked.rows.filter(({ line }) => lines.has(line)))}>
              Send these again
            </Button>
          }
        >
          Sent again, each is either found or created, and paid only once.
        </Note>
      )}
      {results.length > 0 && (
        <Table caption="Result of each row" columns={COLUMNS} rows={results} rowKey={({ line }) => String(line)} />
      )}
      {!isRunning && (
        <div className="flex flex-wrap gap-2.5">
          <Button onClick={() => saveCsv("payouts-results.csv", resultFile(withFaults(results, checked)))}>
            <Download aria-hidden />
            Download the results
          </Button>
          <ButtonLink href="/dashboard/payouts" variant="primary">
            See your payouts
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}

/** Adds the lines that were left out because of faults. */
function withFaults(results: readonly Sent[], { faults }: Checked): RowResult[] {
  const skippedRows = faults.map(({ line, field, reason }) => ({
    line,
    payoutId: "",
    result: "left out",
    recordId: "",
    reason: field === null ? reason : `${field}: ${reason}`,
  }));
  return [...results, ...skippedRows].sort((a, b) => a.line - b.line);
}

const TONES = {
  made: "good",
  existed: "neutral",
  refused: "bad",
  unknown: "warn",
} satisfies Record<Sent["kind"], BadgeTone>;

const COLUMNS: readonly Column<Sent>[] = [
  {
    key: "id",
    header: "Payout",
    cell: ({ payoutId, recordId, reason }) => (
      <span className="grid gap-0.5">
        {recordId === "" ? (
          <bdi className="mono [overflow-wrap:anywhere]">{payoutId}</bdi>
        ) : (
          <Link
            href={payoutHref(recordId)}
            className="mono underline decoration-line-2 underline-offset-4 [overflow-wrap:anywhere] max-sm:-my-3 max-sm:py-3"
          >
            <bdi>{payoutId}</bdi>
          </Link>
        )}
        {reason !== "" && <span className="text-small text-ink-2">{reason}</span>}
      </span>
    ),
  },
  { key: "line", header: "Line", align: "end", from: "md", cell: ({ line }) => line },
  {
    key: "result",
    header: "Result",
    align: "end",
    cell: ({ kind, result }) => (
      <Badge tone={TONES[kind]}>{`${result.charAt(0).toUpperCase()}${result.slice(1)}`}</Badge>
    ),
  },
];
