"use client";

import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Amount } from "@/components/ui/amount";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { CheckboxField, Field, TextArea } from "@/components/ui/field";
import { usdcText } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { saveCsv } from "@/components/ui/save-file";
import { type Column, Table } from "@/components/ui/table";
import { NETWORKS } from "@/lib/x402/networks";
import type { PayoutBalance } from "./balances";
import {
  type BatchFault,
  type BatchRow,
  type Checked,
  FILE_BYTES_MAX,
  type RowResult,
  readBatch,
  resultFile,
  TEMPLATE,
  totalsOf,
} from "./batch";
import { Lookalike } from "./lookalike";
import { Payee } from "./payee";
import { refusalText } from "./split-editor";
import { type Sent, useBatch } from "./use-batch";
import { weigh } from "./use-weighed";
import { payoutHref, sentenceFor } from "./words";

export type BatchUploadProps = {
  balances: readonly PayoutBalance[];
  /** The owner's names by address. */
  names: ReadonlyMap<string, string>;
};

/** Pays a file: parsed in the browser, reviewed, and sent a hundred rows at a time. */
export function BatchUpload({ balances, names }: BatchUploadProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [checked, setChecked] = useState<Checked>();
  const { progress, send, dialog } = useBatch();

  async function check(source: string) {
    setProblem(undefined);
    setChecked(undefined);
    setBusy(true);
    const batch = readBatch(source);
    const weighed = await weigh(batch.rows.map(({ toAddress }) => toAddress));
    setBusy(false);
    if (weighed.type === "failed") return setProblem(sentenceFor(weighed.failure));
    const { known: weighedAddresses } = weighed;
    const refusals = batch.rows.flatMap(({ line, toAddress }) => {
      const refusal = weighedAddresses.get(toAddress)?.refusal;
      return refusal == null ? [] : [{ line, field: "to_address" as const, reason: refusalText(refusal) }];
    });
    const lines = new Set(refusals.map(({ line }) => line));
    setChecked({
      rows: batch.rows.filter(({ line }) => !lines.has(line)),
      faults: [...batch.faults, ...refusals].sort((a, b) => a.line - b.line),
      known: weighedAddresses,
    });
  }

  async function readFile(file: File) {
    setChecked(undefined);
    if (file.size > FILE_BYTES_MAX) return setProblem("This file is larger than 2 MB. Split it in two.");
    const source = await file.text();
    setText(source);
    await check(source);
  }

  // A file chosen before hydration fired no event.
  const box = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page has come to life
  useEffect(() => {
    const [file] = box.current?.files ?? [];
    if (file) void readFile(file);
  }, []);

  if (progress && checked) {
    return (
      <>
        <BatchResults {...progress} checked={checked} again={(rows) => void send(rows)} />
        {dialog}
      </>
    );
  }
  return (
    <>
      <Card title="Your file" className="grid gap-4 [&>header]:mb-0">
        <p className="measure text-small text-ink-2">
          CSV with a first line that names the columns: <span className="mono">payout_id</span>,{" "}
          <span className="mono">to_address</span>, <span className="mono">amount</span>, and if you like{" "}
          <span className="mono">network</span>, <span className="mono">description</span>,{" "}
          <span className="mono">biz_id</span>. Each row is a payout of its own. Its{" "}
          <span className="mono">payout_id</span> is yours to choose. It is paid only once, so the same file can be sent
          again.
        </p>
        <div>
          <Button size="small" onClick={() => saveCsv("payouts-template.csv", TEMPLATE)}>
            <Download aria-hidden />
            Download a template
          </Button>
        </div>
        <Field label="Choose a file">
          {(wiring) => (
            <input
              {...wiring}
              ref={box}
              type="file"
              accept=".csv,text/csv"
              // Allows choosing the same file again after it was edited.
              onClick={(event) => {
                event.currentTarget.value = "";
              }}
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                if (file) void readFile(file);
              }}
              className="block min-h-11 w-full text-small text-ink-2 file:mr-3 file:min-h-11 file:rounded-control file:border file:border-line-2 file:bg-card file:px-4 file:text-control file:font-medium file:text-ink"
            />
          )}
        </Field>
        <TextArea
          label="Or paste it here"
          rows={5}
          spellCheck={false}
          className="[&_textarea]:font-mono"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChecked(undefined);
          }}
          placeholder="payout_id,to_address,amount"
        />
        {problem !== undefined && (
          <Note tone="bad" live="assertive">
            {problem}
          </Note>
        )}
        {!checked && (
          <div>
            <Button busy={isBusy} disabled={text.trim() === ""} onClick={() => void check(text)}>
              Check the rows
            </Button>
          </div>
        )}
      </Card>
      <p role="status" className="sr-only">
        {checked &&
          `${checked.rows.length} ${checked.rows.length === 1 ? "row" : "rows"} can be paid, ${checked.faults.length} ${checked.faults.length === 1 ? "problem" : "problems"}`}
      </p>
      {checked && (
        <BatchPreview checked={checked} balances={balances} names={names} pay={() => void send(checked.rows)} />
      )}
    </>
  );
}

type BatchPreviewProps = {
  checked: Checked;
  balances: readonly PayoutBalance[];
  names: ReadonlyMap<string, string>;
  pay: () => void;
};

const SHOWN_MAX = 200;

/** Totals, faults and rows of a file before it is paid. */
function BatchPreview({ checked: { rows, faults, known: weighedAddresses }, balances, names, pay }: BatchPreviewProps) {
  const [isAsking, setAsking] = useState(false);
  const [hasCompared, setCompared] = useState(false);
  const totals = totalsOf(rows);
  const sums = totals.map(({ network, sum }) => `${usdcText(sum)} on ${NETWORKS[network].label}`).join(" and ");
  const payouts = `${rows.length} ${rows.length === 1 ? "payout" : "payouts"}`;
  const alike = [...new Set(rows.map(({ toAddress }) => toAddress))].flatMap((address) => {
    const looksLike = weighedAddresses.get(address)?.looksLike;
    return looksLike ? [{ address, looksLike }] : [];
  });
  return (
    <>
      <Faults faults={faults} isAnyLeft={rows.length > 0} />
      {rows.length > 0 && (
        <Card title={payouts} className="grid gap-4 [&>header]:mb-0" aria-label="Totals of the file">
          <dl className="flex flex-wrap gap-x-10 gap-y-3">
            {totals.map(({ network, sum, count }) => (
              <div key={network}>
                <dt className="text-small text-ink-2">
                  {NETWORKS[network].label}, {count} {count === 1 ? "row" : "rows"}
                </dt>
                <dd>
                  <Amount atomic={sum} size="mid" />
                </dd>
              </div>
            ))}
          </dl>
          {totals.map(({ network, sum }) => {
            const available = balances.find((balance) => balance.network === network)?.available;
            return available != null && sum > available ? (
              <Note key={network} tone="warn" title={`More than is available on ${NETWORKS[network].label}`}>
                It is short by <Amount atomic={sum - available} />. Rows are paid from the top; those that the balance
                does not cover are refused, and can be sent again later.
              </Note>
            ) : null;
          })}
          {alike.map(({ address, looksLike }) => (
            <Lookalike key={address} address={address} known={looksLike} />
          ))}
          <Table
            caption="Rows that can be paid"
            columns={columnsFor(names, weighedAddresses)}
            rows={rows.slice(0, SHOWN_MAX)}
            rowKey={({ line }) => String(line)}
          />
          {rows.length > SHOWN_MAX && (
            <p className="text-small text-ink-2">
              The first {SHOWN_MAX} are shown. {rows.length - SHOWN_MAX} more are paid with them.
            </p>
          )}
          {alike.length > 0 && (
            <CheckboxField
              label="I have compared the lookalike addresses letter by letter, and this file's are the right ones"
              checked={hasCompared}
              onChange={(event) => setCompared(event.target.checked)}
            />
          )}
          <Button variant="primary" wide disabled={alike.length > 0 && !hasCompared} onClick={() => setAsking(true)}>
            Pay {payouts}
          </Button>
        </Card>
      )}
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        tone="primary"
        title={`Pay ${payouts}`}
        verb={`Pay ${payouts}`}
        onConfirm={async () => {
          // Not awaited: the page shows the progress.
          pay();
          return undefined;
        }}
      >
        Together {sums}, to {new Set(rows.map(({ toAddress }) => toAddress)).size} addresses. What is paid cannot be
        taken back. Rows that were paid before are not paid again.
      </Confirm>
    </>
  );
}

function Faults({ faults, isAnyLeft }: { faults: readonly BatchFault[]; isAnyLeft: boolean }) {
  if (faults.length === 0) return null;
  const lines = new Set(faults.map(({ line }) => line)).size;
  return (
    <Note tone="bad" live="assertive" title={lines === 1 ? "A line cannot be paid" : `${lines} lines cannot be paid`}>
      <ul className="grid gap-1">
        {faults.slice(0, SHOWN_MAX).map(({ line, field, reason }) => (
          <li key={`${line} ${field}`}>
            Line {line}
            {field !== null && (
              <>
                , <span className="mono">{field}</span>
              </>
            )}
            : <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
      {isAnyLeft && <p className="mt-2">The other rows can be paid without them.</p>}
    </Note>
  );
}

const columnsFor = (
  names: ReadonlyMap<string, string>,
  weighedAddresses: Checked["known"],
): readonly Column<BatchRow>[] => [
  {
    key: "to",
    header: "To",
    cell: ({ toAddress, payoutId, description, amount, network }) => (
      <Payee address={toAddress} name={names.get(toAddress)}>
        <span className="sm:hidden">
          <Amount atomic={amount} wraps className="font-medium" />
          {NETWORKS[network].isTestnet && <span className="text-tiny text-ink-2"> {NETWORKS[network].label}</span>}
        </span>
        {weighedAddresses.get(toAddress)?.isFirst && <Badge tone="warn">First payment to this address</Badge>}
        <span className="text-small text-ink-2 [overflow-wrap:anywhere]">
          <bdi className="mono">{payoutId}</bdi>
          {description !== "" && (
            <>
              {" "}
              <bdi>{description}</bdi>
            </>
          )}
        </span>
      </Payee>
    ),
  },
  { key: "line", header: "Line", align: "end", from: "md", cell: ({ line }) => line },
  {
    key: "amount",
    header: "USDC",
    align: "end",
    from: "sm",
    cell: ({ amount, network }) => (
      <span className="grid justify-items-end gap-0.5">
        <Amount atomic={amount} unit={null} className="font-medium" />
        {NETWORKS[network].isTestnet && <span className="text-tiny text-ink-2">{NETWORKS[network].label}</span>}
      </span>
    ),
  },
];

type BatchResultsProps = {
  isRunning: boolean;
  results: readonly Sent[];
  total: number;
  checked: Checked;
  again: (rows: readonly BatchRow[]) => void;
};

/** The result of each row, during and after sending. */
function BatchResults({ isRunning, results, total, checked, again: onResend }: BatchResultsProps) {
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
