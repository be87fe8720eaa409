"use client";

import { useSyncExternalStore } from "react";
import { cx } from "./cx";
import { formatRelative } from "./format-time";

export type TimeProps = {
  /** A Date or an ISO 8601 string. */
  at: Date | string;
  show?: "both" | "absolute" | "relative" | undefined;
  /** "short" fits a table cell: 3 Dec 2026, 14:05. */
  form?: "long" | "short" | undefined;
  className?: string | undefined;
};

/** A moment. The server renders UTC; the browser then shows local time and the distance from now, and updates it. */
export function Time({ at, show = "both", form = "long", className }: TimeProps) {
  const now = useSyncExternalStore(subscribe, readClock, () => null);
  const date = new Date(at);
  const absolute = now === null ? `${write(date, form, "UTC")} UTC` : write(date, form);
  const relative = now === null ? null : formatRelative(date, now);
  return (
    <time dateTime={date.toISOString()} title={`${write(date, "long", "UTC")} UTC`} className={cx("num", className)}>
      {show === "relative" ? (relative ?? absolute) : absolute}
      {show === "both" && relative !== null && <span className="text-ink-2 print:hidden"> · {relative}</span>}
    </time>
  );
}

function write(date: Date, form: "long" | "short", timeZone?: string) {
  const zone = timeZone === undefined ? {} : { timeZone };
  const month = form === "long" ? "long" : "short";
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month, year: "numeric", ...zone }).format(date);
  const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", ...zone }).format(date);
  return `${day}, ${clock}`;
}

// One timer for every Time on the page.
const listeners = new Set<() => void>();
let clock = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

const readClock = () => clock;

function subscribe(listener: () => void) {
  listeners.add(listener);
  clock = Date.now();
  timer ??= setInterval(() => {
    clock = Date.now();
    for (const notify of listeners) notify();
  }, 10_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
