import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Note } from "@/components/ui/note";
import { Skeleton } from "@/components/ui/skeleton";
import type { Reading } from "./drafts";
import type { Report } from "./engine";
import { Result } from "./result";
import type { EngineState } from "./use-engine";

export type OutcomeProps = {
  id: string;
  title: string;
  of: string;
  reading: Reading;
  report: Report | null;
  engine: EngineState;
};

/** The verdict, or the reason why there is none. */
export function Outcome({ id, title, ...contentProps }: OutcomeProps) {
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
        Nothing to scan yet. Pick an example, or put in something of your own.
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
          <Button size="small" onClick={engine.retry}>
            Try again
          </Button>
        }
      >
        So there is no verdict. What you typed is still here; see whether you are online.
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
