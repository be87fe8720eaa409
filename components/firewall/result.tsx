"use client";

import type { PromptScan, Signal } from "@tessera/firewall";
import { blockFrom, reviewFrom, scoreMax } from "@tessera/firewall/verdict";
import { Minus, Plus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Copy } from "@/components/ui/copy";
import { cx } from "@/components/ui/cx";
import { Disclosure } from "@/components/ui/disclosure";
import { CallTree, type CallTreeProps, callOf } from "./call-tree";
import { byCode, type FoundCode, type Place } from "./findings";
import type { Report } from "./judge";
import { MarkedText, PlainText } from "./marked-text";
import { cellOf, OptionsTable } from "./options-table";
import { type Part as RedactionPart, replacements } from "./pieces";
import { meaningOf, SEVERITY_TONES, VERDICTS } from "./verdict-words";

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

/** The verdict in a word and a sentence, and the score on a scale with the thresholds. */
function VerdictHead({ report }: { report: Report }) {
  const { verdict, riskScore } = report.scan;
  const { Icon, label, colour, ground } = VERDICTS[verdict];
  return (
    <div className={cx("grid gap-4 rounded-control px-4 py-4 sm:px-5", ground)}>
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className={cx("flex items-center gap-2 text-mid font-bold", colour)}>
            <Icon aria-hidden className="size-6 shrink-0" />
            {label}
          </p>
          <p className="mt-1 text-control">{meaningOf(report.scanner, report.scan)}</p>
        </div>
        <p className="shrink-0 text-right">
          <span className="text-mid font-bold num">{riskScore}</span>
          <span className="block text-tiny text-ink-2">of {scoreMax}</span>
        </p>
      </div>
      <Scale report={report} />
    </div>
  );
}

function Scale({ report: { scan } }: { report: Report }) {
  const { verdict, riskScore } = scan;
  return (
    <div>
      <meter className="sr-only" aria-label="Risk score" min={0} max={scoreMax} value={riskScore}>
        {riskScore} of {scoreMax}: review from {reviewFrom}, block from {blockFrom}
      </meter>
      <div aria-hidden className="relative h-2 rounded-full bg-card ring-1 ring-line-2">
        <span
          className={cx("absolute inset-y-0 left-0 rounded-full", VERDICTS[verdict].bar)}
          style={{ width: `${(riskScore / scoreMax) * 100}%` }}
        />
        {[reviewFrom, blockFrom].map((index) => (
          <span
            key={index}
            className="absolute -inset-y-1 w-px bg-ink-2"
            style={{ left: `${(index / scoreMax) * 100}%` }}
          />
        ))}
      </div>
      <div aria-hidden className="relative mt-1.5 h-4 text-tiny text-ink-2">
        <span className="absolute -translate-x-1/2" style={{ left: `${(reviewFrom / scoreMax) * 100}%` }}>
          Review {reviewFrom}
        </span>
        <span className="absolute -translate-x-1/2" style={{ left: `${(blockFrom / scoreMax) * 100}%` }}>
          Block {blockFrom}
        </span>
      </div>
    </div>
  );
}

/** The parts of the text that made the statistical model suspicious, heaviest first. */
function Signals({ text, signals }: { text: string; signals: readonly Signal[] }) {
  return (
    <ol aria-label="Wording that weighed most" className="grid divide-y overflow-hidden rounded-control border">
      {signals.map(({ start, end, share }) => (
        <li key={`${start} ${end}`} className="flex items-start justify-between gap-4 px-3.5 py-2">
          <q className="min-w-0 text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
            <PlainText text={text.slice(start, end)} />
          </q>
          <span className="text-small whitespace-nowrap text-ink-2 num">{share} %</span>
        </li>
      ))}
    </ol>
  );
}

/** The redacted lines: the original, and the version in `redactedPreview`. */
function Redaction({ text, scan }: { text: string; scan: PromptScan }) {
  const secrets = scan.findings.flatMap(({ code, span }) => (code === "SECRET_PATTERN" && span ? [span] : []));
  const replaced = replacements(text, secrets);
  return (
    <div className="grid gap-3">
      {replaced.length === 0 ? (
        <p className="text-control text-ink-2">
          Nothing was replaced. The reply’s preview is the beginning of the text as it came.
        </p>
      ) : (
        <ul aria-label="Replaced" className="grid divide-y overflow-hidden rounded-control border">
          {replaced.map(({ line, before: originalParts, after: redactedParts }) => (
            <li key={line} className="grid">
              <p className="px-3.5 pt-2 pb-1 text-tiny text-ink-2">Line {line}</p>
              <Line kind="before" parts={originalParts} />
              <Line kind="after" parts={redactedParts} />
            </li>
          ))}
        </ul>
      )}
      <Disclosure summary="redactedPreview in full">
        <p className="text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
          <PlainText text={scan.redactedPreview} />
        </p>
      </Disclosure>
    </div>
  );
}

function Line({ kind, parts }: { kind: "before" | "after"; parts: readonly RedactionPart[] }) {
  const { Icon, Tag, word: label, ground, sign } = KINDS[kind];
  return (
    <div className={cx("flex gap-2.5 px-3.5 py-2", ground)}>
      <Icon aria-hidden className={cx("mt-1 size-3.5 shrink-0", sign)} />
      <p className="min-w-0 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
        <span className="sr-only">{label}: </span>
        {parts.map((part, index) => {
          const key = `${index} ${part.text.length}`;
          return part.isSecret ? (
            <Tag key={key} className="font-medium no-underline ring-1 ring-current/30">
              <PlainText text={part.text} />
            </Tag>
          ) : (
            <PlainText key={key} text={part.text} />
          );
        })}
      </p>
    </div>
  );
}

const KINDS = {
  before: { Icon: Minus, Tag: "del", word: "Original", ground: "bg-bad-soft", sign: "text-bad" },
  after: { Icon: Plus, Tag: "ins", word: "In the reply", ground: "bg-good-soft", sign: "text-good" },
} as const;

type FindingListProps = {
  found: readonly FoundCode[];
  /** The id of a place's button, the target of the link in its mark. */
  idOf: (index: number) => string;
  /** Whether this finding's place is shown on the page. */
  isShown: (index: number) => boolean;
  onPoint: (index: number | null) => void;
  /** Moves the focus to the place. */
  onVisit: (index: number) => void;
};

/** The findings with severity and part of the score. Pointing at a place highlights it in the scanned text. */
function FindingList({ found: codes, ...placeProps }: FindingListProps) {
  return (
    <ul aria-label="Findings" className="grid divide-y rounded-control border">
      {codes.map(({ code, severity, share, entries }) => (
        <li key={code} className="grid gap-2 px-4 py-3.5">
          <div className="flex items-start justify-between gap-4">
            <p className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1.5">
              <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
              <code className="text-small font-medium [overflow-wrap:anywhere]">{code}</code>
            </p>
            <p className="py-0.5 text-small whitespace-nowrap text-ink-2 num">
              {share > 0 ? `+${share}` : "0"} <span className="sr-only">of the score</span>
            </p>
          </div>
          {entries.map(({ message, places }) => (
            <div key={message} className="grid gap-1">
              <p className="text-control text-ink-2">{message}</p>
              {places.length > 0 && <Places places={places} code={code} {...placeProps} />}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

type PlacesProps = Omit<FindingListProps, "found"> & { places: readonly Place[]; code: string };

function Places({ places, code, idOf, isShown, onPoint, onVisit }: PlacesProps) {
  return (
    <p className="-ml-1.5 flex flex-wrap gap-x-1 gap-y-1">
      {places.map(({ index, label }) =>
        isShown(index) ? (
          <button
            key={index}
            id={idOf(index)}
            type="button"
            onFocus={() => onPoint(index)}
            onBlur={() => onPoint(null)}
            onMouseEnter={() => onPoint(index)}
            onMouseLeave={() => onPoint(null)}
            onClick={() => onVisit(index)}
            className="min-h-7 rounded-tile px-1.5 text-left text-tiny text-ink-2 underline decoration-line-2 underline-offset-4 [overflow-wrap:anywhere] hover:bg-sunk hover:text-ink max-sm:min-h-11"
          >
            <span className="sr-only">Show {code}, </span>
            <PlainText text={label} />
          </button>
        ) : (
          <code key={index} className="px-1.5 py-1 text-tiny text-ink-2 [overflow-wrap:anywhere]">
            <PlainText text={label} />
          </code>
        ),
      )}
    </p>
  );
}
