"use client";

import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { cx } from "./cx";
import { useEarlyClick } from "./use-early-click";

export type TabsProps = {
  /** Names the group for screen readers: "Ways to pay". */
  label: string;
  /** A tab with `isKept` stays mounted while others are open, for a step that must not restart. */
  tabs: readonly { value: string; label: ReactNode; content: ReactNode; isKept?: boolean | undefined }[];
  initial?: string | undefined;
  onOpen?: ((value: string) => void) | undefined;
  className?: string | undefined;
};

/** The tabs pattern of the ARIA guide: Tab moves to the open tab, the arrow keys open the others. */
export function Tabs({ label, tabs, initial, onOpen, className }: TabsProps) {
  const id = useId();
  const list = useEarlyClick<HTMLDivElement>();
  const [open, setOpen] = useState(initial ?? tabs[0]?.value);

  function show(value: string) {
    setOpen(value);
    onOpen?.(value);
  }

  function move(event: KeyboardEvent) {
    // With a modifier, arrow keys belong to the browser, for example to go back.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = tabs.findIndex(({ value }) => value === open);
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    const next = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (!next) return;
    event.preventDefault();
    show(next.value);
    list.ref.current?.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus();
  }

  return (
    <div className={className}>
      <div
        {...list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="flex gap-1 rounded-[11px] bg-sunk p-1"
      >
        {tabs.map(({ value, label: name }) => (
          <button
            key={value}
            type="button"
            role="tab"
            id={`${id}-tab-${value}`}
            aria-controls={`${id}-panel-${value}`}
            aria-selected={value === open}
            tabIndex={value === open ? 0 : -1}
            onClick={() => show(value)}
            className={cx(
              "min-h-9 flex-1 rounded-tile px-3 text-small font-medium text-ink-2 transition-colors hover:text-ink max-sm:min-h-11",
              "aria-selected:bg-card aria-selected:text-ink aria-selected:ring-1 aria-selected:ring-line",
            )}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ value, content, isKept }) => (
        <div
          key={value}
          role="tabpanel"
          id={`${id}-panel-${value}`}
          aria-labelledby={`${id}-tab-${value}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may hold nothing else for the keyboard
          tabIndex={0}
          hidden={value !== open}
          className="mt-4 rounded-control"
        >
          {(value === open || isKept) && content}
        </div>
      ))}
    </div>
  );
}
