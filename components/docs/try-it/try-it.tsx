"use client";

import { ChevronDown, Play } from "lucide-react";
import { type ComponentType, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Note } from "@/components/ui/note";
import { Skeleton } from "@/components/ui/skeleton";
import type { Call } from "@/lib/docs/calls";
import type { TryFormProps } from "./try-form";

type Form = ComponentType<TryFormProps>;
type Loaded = { state: "idle" | "loading" | "failed" } | { state: "ready"; Form: Form };

/** A form that sends one request of the reference. Its code is loaded when it is first opened, and closing keeps its values. */
export function TryIt({ call }: { call: Call }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [loaded, setLoaded] = useState<Loaded>({ state: "idle" });

  function load() {
    setLoaded({ state: "loading" });
    import("./try-form").then(
      ({ TryForm }) => setLoaded({ state: "ready", Form: TryForm }),
      () => setLoaded({ state: "failed" }),
    );
  }

  function toggle() {
    if (!isOpen && (loaded.state === "idle" || loaded.state === "failed")) load();
    setOpen(!isOpen);
  }

  const name = `${call.method} ${call.path}`;
  return (
    <div className="mb-4" data-print="no">
      <Button size="small" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
        <Play aria-hidden />
        Try it
        <span className="sr-only">{name}</span>
        <ChevronDown aria-hidden className={cx("transition-transform", isOpen && "rotate-180")} />
      </Button>
      <section id={id} hidden={!isOpen} aria-label={`Try ${name}`} className="mt-3 rounded-card border bg-card p-4.5">
        {loaded.state === "loading" && <Loading />}
        {loaded.state === "failed" && (
          <Note
            tone="bad"
            live="assertive"
            title="The form could not be loaded"
            actions={
              <Button size="small" onClick={load}>
                Try again
              </Button>
            }
          >
            Check your connection.
          </Note>
        )}
        {loaded.state === "ready" && <loaded.Form call={call} />}
      </section>
    </div>
  );
}

const Loading = () => (
  <div className="grid gap-3">
    <p role="status" className="sr-only">
      Loading the form
    </p>
    <Skeleton className="h-3.5 w-32" />
    <Skeleton className="h-11 w-full" />
  </div>
);
