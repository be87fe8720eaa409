"use client";

import { useSyncExternalStore } from "react";
import { useLanguage } from "@/components/texts/context";
import { type Language, UNIT_SPACES } from "@/lib/core/language";
import { cx } from "./cx";
import { formatClock, formatDay, formatRelative } from "./format-time";

export type TimeProps = {
  /** A Date or an ISO 8601 string. */
  at: Date | string;
  show?: "both" | "absolute" | "relative" | undefined;
  /** "short" fits a table cell: 3 Dec 2026, 14:05. */
  form?: "long" | "short" | undefined;
  className?: string | undefined;
};

/** A moment. The server renders UTC; the browser then shows local time and the distance from now, and updates it. */
export function Time({ at: moment, show = "both", form = "long", className }: TimeProps) {
  const currentTime = useSyncExternalStore(subscribe, readClock, () => null);
  const language = useLanguage();
  const date = new Date(moment);
  const absolute =
    currentTime === null
      ? `${write(date, form, language, "UTC")}${UNIT_SPACES[language]}UTC`
      : write(date, form, language);
  const relative = currentTime === null ? null : formatRelative(date, currentTime, language);
  return (
    <time
      dateTime={date.toISOString()}
      title={`${write(date, "long", language, "UTC")} UTC`}
      className={cx("num", className)}
    >
      {show === "relative" ? (relative ?? absolute) : absolute}
      {show === "both" && relative !== null && <span className="text-ink-2 print:hidden"> · {relative}</span>}
    </time>
  );
}

function write(date: Date, form: "long" | "short", language: Language, timeZone?: string) {
  const zone = timeZone === undefined ? {} : { timeZone };
  return `${formatDay(date, { language, month: form, ...zone })}, ${formatClock(date, { language, ...zone })}`;
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
