"use client";

import { type ReactNode, useId, useState } from "react";
import { Copy } from "@/components/ui/copy";
import { CallTree, type CallTreeProps, callOf } from "./call-tree";
import type { Report } from "./engine";
import { FindingList } from "./finding-list";
import { byCode } from "./findings";
import { MarkedText } from "./marked-text";
import { cellOf, OptionsTable } from "./options-table";
import { Redaction } from "./redaction";
import { Signals } from "./signals";
import { VerdictHead } from "./verdict-head";

export type ResultProps = {
  report: Report;
  /** Distinguishes it from another result on the page: "input A". */
  of: string;
};

/** One verdict with its findings, each shown at its place in the input. */
export function Result({ report, of: inputLabel }: ResultProps) {
  const id = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const { findings, limitations, rulesetVersion } = report.scan;
  const codes = byCode(report);
  const buttonId = (index: number) => `${id}-finding-${index}`;
  const placeId = (place: string | number) => `${id}-place-${place}`;
  const places = findings.map((_, index) => placeFor(report, index));
  const listed = new Set(
    codes.flatMap(({ entries }) => entries.flatMap((entry) => entry.places.map((place) => place.index))),
  );
  return (
    <div className="grid min-w-0 gap-5">
      <VerdictHead report={report} />
      {codes.length > 0 && (
        <FindingList
          found={codes}
          idOf={buttonId}
          isShown={(index) => places[index] !== null}
          onPoint={setPointed}
          onVisit={(index) => visit(placeId(places[index] ?? ""), report.scanner)}
        />
      )}
      <Seen of={inputLabel} report={report} listed={listed} pointed={pointed} placeId={placeId} buttonId={buttonId} />
      <Part title="Limits of this scan">
        <p className="text-small text-ink-2">{limitations}</p>
      </Part>
      <p className="flex flex-wrap items-center gap-x-2 text-small text-ink-2">
        Ruleset
        <span className="inline-flex min-w-0 items-center gap-1">
          <code className="text-tiny text-ink [overflow-wrap:anywhere]">{rulesetVersion}</code>
          <Copy value={rulesetVersion} label="Copy ruleset version" iconOnly className="max-sm:-my-3" />
        </span>
      </p>
    </div>
  );
}

type SeenProps = ResultProps & {
  /** The findings that have a button; only the first of duplicates. */
  listed: ReadonlySet<number>;
  pointed: number | null;
  placeId: (place: string | number) => string;
  buttonId: (index: number) => string;
};

/** The input as the scanner understood it. */
function Seen({ report, of: inputLabel, listed, pointed, placeId, buttonId }: SeenProps) {
  switch (report.scanner) {
    case "prompt":
      return (
        <>
          <Part title="Where it was found">
            <MarkedText
              label={`The text of ${inputLabel} with its findings`}
              text={report.text}
              findings={report.scan.findings}
              spans={report.scan.findings.map(({ span }, index) => (listed.has(index) ? span : undefined))}
              pointed={pointed}
              idOf={placeId}
              backTo={buttonId}
            />
          </Part>
          {report.scan.signals.length > 0 && (
            <Part title="Wording that resembles attacks, by its weight">
              <Signals text={report.text} signals={report.scan.signals} />
            </Part>
          )}
          <Part title="Secrets">
            <Redaction text={report.text} scan={report.scan} />
          </Part>
        </>
      );
    case "transaction":
      return (
        <Part title="What it calls">
          <CallsOrNone
            calls={report.scan.normalized.calls}
            findings={report.scan.findings}
            pointed={pointed}
            idOf={placeId}
          />
        </Part>
      );
    case "x402":
      return report.scan.normalized.length === 0 ? null : (
        <Part title="Payment options">
          <OptionsTable
            label={`Payment options of ${inputLabel}`}
            options={report.scan.normalized}
            findings={report.scan.findings}
            pointed={pointed}
            idOf={placeId}
          />
        </Part>
      );
    default:
      return report satisfies never;
  }
}

function CallsOrNone(props: CallTreeProps) {
  if (props.calls.length > 0) return <CallTree {...props} />;
  return <p className="text-control text-ink-2">Nothing: without a destination it creates a contract.</p>;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 gap-2.5">
      <h3 className="text-small font-medium text-ink-2">{title}</h3>
      {children}
    </section>
  );
}

/** Where the page shows a finding: the index of a mark, or the path of a call or cell; null if nowhere. */
function placeFor(report: Report, index: number): string | number | null {
  const finding = report.scan.findings[index];
  if (!finding) return null;
  switch (report.scanner) {
    case "prompt":
      return finding.span && finding.span.end > finding.span.start ? index : null;
    case "transaction":
      return callOf(finding);
    case "x402":
      return cellOf(finding);
    default:
      return report satisfies never;
  }
}

/** A mark's link is a sibling of the element with the id, because one link may belong to several findings. */
function visit(id: string, scanner: Report["scanner"]): void {
  const place = document.getElementById(id);
  const target = scanner === "prompt" ? place?.closest("mark")?.querySelector("a") : place;
  target?.focus();
}
