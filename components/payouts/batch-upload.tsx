"use client";

import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, TextArea } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { saveCsv } from "@/components/ui/save-file";
import type { PayoutBalance } from "./balances";
import { type Checked, FILE_BYTES_MAX, readBatch, TEMPLATE } from "./batch";
import { BatchPreview } from "./batch-preview";
import { BatchResults } from "./batch-results";
import { refusalText } from "./split-editor";
import { useBatch } from "./use-batch";
import { weigh } from "./use-weighed";
import { sentenceFor } from "./words";

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
        {checked && `${checked.rows.length} rows can be paid, ${checked.faults.length} faults`}
      </p>
      {checked && (
        <BatchPreview checked={checked} balances={balances} names={names} pay={() => void send(checked.rows)} />
      )}
    </>
  );
}
