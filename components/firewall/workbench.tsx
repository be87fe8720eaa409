"use client";

import { Columns2, X } from "lucide-react";
import { useEffect, useId, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { cx } from "@/components/ui/cx";
import { Comparison } from "./comparison";
import { buildRefusal, type Draft, EMPTY, type Reading, readDraft } from "./drafts";
import { Editor } from "./editor";
import type { Report } from "./engine";
import { ExamplePicker } from "./example-picker";
import { exampleOf } from "./gallery";
import { Outcome } from "./outcome";
import type { Offer, Scanner } from "./scanners";
import type { EngineState } from "./use-engine";
import { UseIt } from "./use-it";
import { countText, VERDICTS } from "./verdict-words";

/** The unedited examples in the editors. A link to this page contains nothing else. */
export type Picked = { example: string | null; other: string | null };

export type WorkbenchProps = {
  scanner: Scanner;
  offer: Offer;
  baseUrl: string;
  initial: Picked;
  engine: EngineState;
  onPicked: (picked: Picked) => void;
};

type Slot = { draft: Draft; example: string | null };
type Side = "a" | "b";

/** One scanner: examples, the input, its verdict, and an optional second input for comparison. */
export function Workbench({ scanner, offer, baseUrl, initial, engine, onPicked }: WorkbenchProps) {
  const [a, setA] = useState<Slot>(() => slotOf(scanner, initial.example));
  const [b, setB] = useState<Slot | null>(() => (initial.other === null ? null : slotOf(scanner, initial.other)));
  const [side, setSide] = useState<Side>("a");
  const [readA, readB] = [useVerdict(a.draft, offer, engine), useVerdict(b?.draft ?? null, offer, engine)];

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
              onFocus={() => setSide(inputSide)}
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

function useVerdict(draft: Draft | null, { bodyBytesMax }: Offer, { judge }: EngineState) {
  const settled = useSettled(draft, SCAN_AFTER_MS);
  return useMemo(() => {
    const reading: Reading = settled === null ? { type: "empty" } : readDraft(settled, bodyBytesMax);
    if (settled === null || judge === null || reading.type !== "valid") return { reading, report: null };
    const judged = judge(reading.request);
    return judged.type === "valid"
      ? { reading, report: judged.report }
      : { reading: buildRefusal(settled, judged.refusal), report: null };
  }, [settled, bodyBytesMax, judge]);
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
