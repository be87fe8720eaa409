"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { cx } from "@/components/ui/cx";
import { Dialog } from "@/components/ui/dialog";
import { QUERY_MAX } from "@/lib/search/limits";
import { type Entry, pageEntries, resultEntry } from "./entries";
import { type Found, useSearch } from "./use-search";

export type PaletteProps = { pages: readonly { href: string; label: string }[]; close: () => void };

/** Finds the owner's own things and pages. A combobox: the focus stays in the field, the arrow keys choose. */
export function Palette({ pages, close }: PaletteProps) {
  const id = useId();
  const router = useRouter();
  const [text, setText] = useState("");
  const [position, setAt] = useState(0);
  const search = useSearch(text);
  const results = search.state === "found" ? search.results.map(resultEntry) : [];
  const entries = [...results, ...pageEntries(pages, text)];
  const chosen = Math.min(position, entries.length - 1);
  const optionId = (index: number) => `${id}-option-${index}`;

  function open(entry: Entry | undefined) {
    if (!entry) return;
    close();
    router.push(entry.href);
  }

  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (event.key === "Enter") open(entries[chosen]);
    else if (to === undefined || entries.length === 0) return;
    else setAt((to + entries.length) % entries.length);
    event.preventDefault();
  }

  return (
    <Dialog open hasKeys onOpenChange={(next) => !next && close()} title="Search">
      <div className="grid gap-3">
        <input
          type="text"
          role="combobox"
          aria-label="Search agents, mandates, links, payments and pages"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          {...(entries.length > 0 && { "aria-activedescendant": optionId(chosen) })}
          placeholder="An agent, a mandate, a link, a payment, a page"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          maxLength={QUERY_MAX}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
          className="block min-h-11 w-full rounded-control border border-field bg-card px-3 text-control text-ink placeholder:text-ink-3 max-sm:text-[1rem]"
        />
        <p role="status" className={cx("text-small", search.state === "failed" ? "text-bad" : "text-ink-2")}>
          {describeSearch(search, results.length, entries.length)}
        </p>
        <div role="listbox" id={`${id}-list`} aria-label="Found" className="grid gap-0.5">
          {entries.map((entry, index) => (
            <Option
              key={entry.key}
              id={optionId(index)}
              entry={entry}
              isChosen={index === chosen}
              choose={() => setAt(index)}
              open={() => open(entry)}
            />
          ))}
        </div>
      </div>
    </Dialog>
  );
}

function describeSearch(search: Found, results: number, entries: number): string {
  if (search.state === "failed") return search.why;
  if (search.state === "searching") return "Searching";
  if (search.state === "idle") return "Type two letters or more, or choose a page.";
  return entries === 0 ? "Nothing found." : `${results === 0 ? "Nothing of yours" : results} found.`;
}

type OptionProps = { id: string; entry: Entry; isChosen: boolean; choose: () => void; open: () => void };

function Option({ id, entry: { kind, title, detail }, isChosen, choose, open }: OptionProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) box.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
    <div
      ref={box}
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={open}
      onPointerMove={choose}
      className={cx(
        "flex min-h-11 cursor-pointer items-center gap-3 rounded-tile px-3 py-1.5 text-control",
        isChosen && "bg-sunk",
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 [overflow-wrap:anywhere]">
          <bdi>{title}</bdi>
        </span>
        {detail !== "" && <span className="block text-tiny text-ink-2 [overflow-wrap:anywhere]">{detail}</span>}
      </span>
      <span className="shrink-0 text-tiny text-ink-2">{kind}</span>
    </div>
  );
}
