"use client";

import { Columns2, X } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cx } from "@/components/ui/cx";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { Comparison } from "./comparison";
import { buildRefusal, type Draft, EMPTY, type Reading, readDraft, type ScanRequest } from "./drafts";
import { Editor, ExamplePicker } from "./editor";
import { exampleOf, firstOf } from "./gallery";
import type { Judged, Report } from "./judge";
import { Result } from "./result";
import { isScanner, type Offer, type Offers, SCANNERS, type Scanner } from "./scanners";
import { snippetsFor } from "./snippets";
import { countText, VERDICTS } from "./verdict-words";

export type PlaygroundProps = {
  offers: Offers;
  baseUrl: string;
  tab: Scanner;
  /** The examples of the open tab, from the URL. */
  picked: Picked;
  /** The verdicts on the examples that the page opens with. Anything else loads the engine. */
  prepared: Readonly<Record<Scanner, Prepared>>;
};

/** By the ids of the examples. */
type Prepared = Readonly<Record<string, Report>>;

const LABELS: Record<Scanner, string> = {
  transaction: "Transaction",
  x402: "Payment requirement",
  prompt: "Prompt",
};

/** The three scanners, each in its tab. */
export function Playground({ offers, baseUrl, tab, picked, prepared }: PlaygroundProps) {
  const engine = useEngine();
  const open = useRef<Scanner>(tab);
  const links = useRef<Partial<Record<Scanner, Picked>>>({ [tab]: picked });

  function rewrite() {
    const { example = null, other: otherExample = null } = links.current[open.current] ?? {};
    const query = new URLSearchParams({ tab: open.current });
    if (example !== null) query.set("example", example);
    if (otherExample !== null) query.set("with", otherExample);
    // Not with the router: that would request the page from the server again.
    if (window.location.search !== `?${query}`) window.history.replaceState(null, "", `?${query}`);
  }

  return (
    <Tabs
      label="Scanners"
      initial={tab}
      onOpen={(value) => {
        if (!isScanner(value)) return;
        open.current = value;
        rewrite();
      }}
      tabs={SCANNERS.map((scanner) => ({
        value: scanner,
        label: LABELS[scanner],
        isKept: true,
        content: (
          <Workbench
            scanner={scanner}
            offer={offers[scanner]}
            baseUrl={baseUrl}
            engine={engine}
            prepared={prepared[scanner]}
            initial={
              scanner === tab && picked.example !== null
                ? picked
                : { example: firstOf(scanner)?.id ?? null, other: null }
            }
            onPicked={(selection) => {
              links.current[scanner] = selection;
              rewrite();
            }}
          />
        ),
      }))}
    />
  );
}

/** The unedited examples in the editors. A link to this page contains nothing else. */
type Picked = { example: string | null; other: string | null };

type WorkbenchProps = {
  scanner: Scanner;
  offer: Offer;
  baseUrl: string;
  initial: Picked;
  engine: EngineState;
  prepared: Prepared;
  onPicked: (picked: Picked) => void;
};

type Slot = { draft: Draft; example: string | null };
type Side = "a" | "b";

/** One scanner: examples, the input, its verdict, and an optional second input for comparison. */
function Workbench({ scanner, offer, baseUrl, initial, engine, prepared, onPicked }: WorkbenchProps) {
  const [a, setA] = useState<Slot>(() => slotOf(scanner, initial.example));
  const [b, setB] = useState<Slot | null>(() => (initial.other === null ? null : slotOf(scanner, initial.other)));
  const [side, setSide] = useState<Side>("a");
  const [readA, readB] = [useVerdict(a, offer, engine, prepared), useVerdict(b, offer, engine, prepared)];

  function updateSlot(targetSide: Side, slot: Slot) {
    if (targetSide === "a") setA(slot);
    else setB(slot);
    setSide(targetSide);
    onPicked({
      example: targetSide === "a" ? slot.example : a.example,
      other: targetSide === "b" ? slot.example : (b?.example ?? null),
    });
  }

  function compare() {
    const twin = exampleOf(scanner, a.example)?.twin ?? null;
    updateSlot("b", slotOf(scanner, twin));
  }

  function stop() {
    setB(null);
    setSide("a");
    onPicked({ example: a.example, other: null });
  }

  const id = useId();
  const outcomeId = (inputSide: Side) => `${id}-outcome-${inputSide}`;
  const activeReport = side === "b" && b ? readB.report : readA.report;
  const pick = (example: string) => updateSlot(side, slotOf(scanner, example));
  const sides = b ? ([["a", a, readA] as const, ["b", b, readB] as const] as const) : ([["a", a, readA]] as const);
  return (
    <div className="grid grid-cols-1 gap-5">
      <Card
        title="Examples"
        onFocus={engine.load}
        className="grid gap-4 [&>header]:mb-0"
        actions={b && <Target side={side} onTurn={setSide} />}
      >
        <ExamplePicker scanner={scanner} picked={(side === "b" ? b : a)?.example ?? null} onPick={pick} />
        {activeReport && (
          <Glance report={activeReport} onVisit={() => document.getElementById(outcomeId(side))?.focus()} />
        )}
      </Card>
      {b && <Comparison a={readA.report} b={readB.report} />}
      <div className={cx("grid grid-cols-1 items-start gap-5", b && "lg:grid-cols-2")}>
        {sides.map(([inputSide, slot, { reading, report }]) => (
          <div key={inputSide} className={cx("grid grid-cols-1 items-start gap-5", !b && "lg:grid-cols-2")}>
            <Card
              title={b ? `Input ${inputSide.toUpperCase()}` : "Input"}
              onFocus={() => {
                setSide(inputSide);
                // The engine is on its way by the time that the reader has typed something.
                engine.load();
              }}
              className={cx(!b && "lg:sticky lg:top-5")}
              actions={
                <div className="flex flex-wrap gap-2">
                  <Button
                    size="small"
                    variant="quiet"
                    onClick={() => updateSlot(inputSide, { draft: EMPTY[scanner], example: null })}
                  >
                    Clear
                  </Button>
                  {b === null && (
                    <Button size="small" onClick={compare}>
                      <Columns2 aria-hidden />
                      Compare
                    </Button>
                  )}
                  {inputSide === "b" && (
                    <Button size="small" onClick={stop}>
                      <X aria-hidden />
                      Stop comparing
                    </Button>
                  )}
                </div>
              }
            >
              <Editor
                draft={slot.draft}
                faults={reading.type === "invalid" ? reading.faults : {}}
                onChange={(draft) => updateSlot(inputSide, { draft, example: null })}
              />
            </Card>
            <Outcome
              id={outcomeId(inputSide)}
              title={b ? `Verdict on ${inputSide.toUpperCase()}` : "Verdict"}
              of={b ? `input ${inputSide.toUpperCase()}` : "the input"}
              reading={reading}
              report={report}
              engine={engine}
            />
          </div>
        ))}
      </div>
      <Announcement a={readA.report} b={b ? readB.report : null} />
      <UseIt offer={offer} baseUrl={baseUrl} request={readA.reading.type === "valid" ? readA.reading.request : null} />
    </div>
  );
}

/** On narrow screens, where the verdict is far below: the verdict and a button that scrolls to it. */
function Glance({ report: { scan }, onVisit }: { report: Report; onVisit: () => void }) {
  const { Icon, label, colour } = VERDICTS[scan.verdict];
  return (
    <button
      type="button"
      onClick={onVisit}
      className="flex min-h-11 items-center justify-between gap-3 rounded-control border px-3.5 text-left text-control hover:bg-sunk lg:hidden"
    >
      <span className={cx("flex items-center gap-2 font-medium", colour)}>
        <Icon aria-hidden className="size-4.5 shrink-0" />
        {label} <span className="text-ink num">{scan.riskScore}</span>
      </span>
      <span className="text-small text-ink-2">See why</span>
    </button>
  );
}

/** Selects the editor that receives an example. */
function Target({ side, onTurn }: { side: Side; onTurn: (side: Side) => void }) {
  return (
    <fieldset className="flex gap-1 rounded-[11px] bg-sunk p-1">
      <legend className="sr-only">Examples go to</legend>
      {(["a", "b"] as const).map((sideOption) => (
        <button
          key={sideOption}
          type="button"
          aria-pressed={side === sideOption}
          onClick={() => onTurn(sideOption)}
          className="min-h-7 rounded-tile px-3 text-small font-medium text-ink-2 aria-pressed:bg-card aria-pressed:text-ink aria-pressed:ring-1 aria-pressed:ring-line max-sm:min-h-11"
        >
          Into {sideOption.toUpperCase()}
        </button>
      ))}
    </fieldset>
  );
}

/** The verdict in a sentence, for screen readers, after typing has paused. */
function Announcement({ a, b }: { a: Report | null; b: Report | null }) {
  const announcement = b ? [a && `A: ${spoken(a)}`, `B: ${spoken(b)}`].filter(Boolean).join(" ") : a ? spoken(a) : "";
  return (
    <p role="status" className="sr-only">
      {useSettled(announcement, SPEAK_AFTER_MS)}
    </p>
  );
}

function spoken({ scan }: Report): string {
  const { length: count } = scan.findings;
  const findings = count === 0 ? "no known signal matched" : countText(count);
  return `${VERDICTS[scan.verdict].label}, risk score ${scan.riskScore}, ${findings}.`;
}

const SCAN_AFTER_MS = 120;
const SPEAK_AFTER_MS = 700;

function useVerdict(slot: Slot | null, { bodyBytesMax }: Offer, { judge, load }: EngineState, prepared: Prepared) {
  const settled = useSettled(slot, SCAN_AFTER_MS);
  const verdict = useMemo(() => {
    const reading: Reading = settled === null ? { type: "empty" } : readDraft(settled.draft, bodyBytesMax);
    if (settled === null || reading.type !== "valid") return { reading, report: null };
    const preparedReport = settled.example === null ? undefined : prepared[settled.example];
    if (preparedReport) return { reading, report: preparedReport };
    if (judge === null) return { reading, report: null };
    const judged = judge(reading.request);
    return judged.type === "valid"
      ? { reading, report: judged.report }
      : { reading: buildRefusal(settled.draft, judged.refusal), report: null };
  }, [settled, bodyBytesMax, judge, prepared]);
  const isMissingEngine = verdict.reading.type === "valid" && verdict.report === null;
  useEffect(() => {
    if (isMissingEngine) load();
  }, [isMissingEngine, load]);
  return verdict;
}

/** Follows `value` once it is unchanged for `ms`, so that not every key press is scanned or announced. */
function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

function slotOf(scanner: Scanner, id: string | null): Slot {
  const example = exampleOf(scanner, id);
  return example ? { draft: example.draft, example: example.id } : { draft: EMPTY[scanner], example: null };
}

type OutcomeProps = {
  id: string;
  title: string;
  of: string;
  reading: Reading;
  report: Report | null;
  engine: EngineState;
};

/** The verdict, or the reason why there is none. */
function Outcome({ id, title, ...contentProps }: OutcomeProps) {
  return (
    <Card title={title} id={id} tabIndex={-1} lift className="scroll-mt-5">
      <Inside {...contentProps} />
    </Card>
  );
}

function Inside({ of: inputLabel, reading, report, engine }: Omit<OutcomeProps, "id" | "title">) {
  if (report) return <Result report={report} of={inputLabel} />;
  if (reading.type === "empty") {
    return (
      <p className="rounded-control border border-dashed border-line-2 px-6 py-10 text-center text-control text-ink-2">
        Nothing to scan yet. Pick an example, or enter your own input.
      </p>
    );
  }
  if (reading.type === "invalid") {
    return (
      <Note tone="warn" title="Not scanned">
        {Object.values(reading.faults).join(" ")}
      </Note>
    );
  }
  if (engine.state === "failed") {
    return (
      <Note
        tone="bad"
        live="assertive"
        title="The scanner could not be loaded"
        actions={
          <Button size="small" onClick={engine.load}>
            Try again
          </Button>
        }
      >
        There is no verdict yet. Your input is still here. Check your connection.
      </Note>
    );
  }
  return (
    <div className="grid gap-5">
      <p role="status" className="sr-only">
        Loading the scanner
      </p>
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}

type UseItProps = { offer: Offer; baseUrl: string; request: ScanRequest | null };

/** Code does not wrap, so the copy button is in a separate row above it. */
const CODE =
  "rounded-control bg-sunk pt-10 max-sm:pt-14 [&_pre]:pt-0 [&_pre]:pr-4 [&_pre]:whitespace-pre [&_section]:max-h-100";

/** The request in the editor as code, with its price. */
function UseIt({ offer, baseUrl, request }: UseItProps) {
  if (offer.price === null) return null;
  return (
    <Card title="Scan from your agent" className="grid gap-4 [&>header]:mb-0">
      <p className="measure text-control text-ink-2">
        Your agent gets the same verdict from the service, for <Amount value={offer.price} unit={offer.currency} /> a
        scan, paid by x402 under a mandate that you signed. A rejected request costs nothing.
      </p>
      {request ? (
        <Tabs
          label="Code examples"
          tabs={snippetsFor(offer.url, baseUrl, request).map(({ value, label, needs, code }) => ({
            value,
            label,
            content: (
              <div className="grid gap-3">
                <p className="text-small text-ink-2">{needs}</p>
                <JsonView value={code} label={`as ${label}`} className={CODE} />
              </div>
            ),
          }))}
        />
      ) : (
        <p className="text-control text-ink-2">Code to copy appears here when the input is valid.</p>
      )}
    </Card>
  );
}

type EngineState = {
  state: "idle" | "loading" | "failed" | "ready";
  judge: ((request: ScanRequest) => Judged) | null;
  /** Loads the engine, also again after a failure. */
  load: () => void;
};

/** The engine, once it is needed. No other page loads it: its model and word lists are large. */
function useEngine(): EngineState {
  const [engine, setEngine] = useState<Pick<EngineState, "state" | "judge">>({ state: "idle", judge: null });
  const isRequested = useRef(false);
  const [load] = useState(() => () => {
    if (isRequested.current) return;
    isRequested.current = true;
    setEngine({ state: "loading", judge: null });
    import("./engine").then(
      ({ judge }) => setEngine({ state: "ready", judge }),
      () => {
        isRequested.current = false;
        setEngine({ state: "failed", judge: null });
      },
    );
  });
  return { ...engine, load };
}
