"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { announceNavigation } from "@/components/site/connection";
import { ALL_PAGES } from "@/components/site/sections";
import { cx } from "@/components/ui/cx";
import { Dialog } from "@/components/ui/dialog";
import { usdcText } from "@/components/ui/format";
import { callApi } from "@/lib/http/client";
import { QUERY_MAX, QUERY_MIN, type SearchResult } from "@/lib/search/limits";

export type PaletteProps = { close: () => void };

/** Searches the owner's data and the dashboard's pages. A combobox: the focus stays in the field, and the arrow keys select. */
export function Palette({ close }: PaletteProps) {
  const id = useId();
  const router = useRouter();
  const [text, setText] = useState("");
  const [position, setAt] = useState(0);
  const search = useSearch(text);
  const results = search.state === "found" ? search.results.map(resultEntry) : [];
  const entries = [...results, ...pageEntries(text)];
  const chosen = Math.min(position, entries.length - 1);
  const optionId = (index: number) => `${id}-option-${index}`;

  function open(entry: Entry | undefined) {
    if (!entry) return;
    close();
    announceNavigation();
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
  if (entries === 0) return "No results";
  return `${results} ${results === 1 ? "result" : "results"}`;
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

type Found =
  | { state: "idle" | "searching" }
  | { state: "found"; results: SearchResult[] }
  | { state: "failed"; why: string };

const PAUSE_MS = 200;

/** Search results for `text` after typing has paused. Drops the response to an older text. */
function useSearch(text: string): Found {
  const [lastSearch, setAnswer] = useState<{ to: string; found: Found }>();
  const query = text.trim();
  const isAsked = query.length >= QUERY_MIN;
  useEffect(() => {
    if (!isAsked) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const path = `/api/search?${new URLSearchParams({ query })}` as const;
      const response = await callApi<{ results: SearchResult[] }>("GET", path);
      if (isOver) return;
      const search: Found = response.ok
        ? { state: "found", results: response.data.results }
        : { state: "failed", why: response.code === "rate_limited" ? LIMITED : FAILED };
      setAnswer({ to: query, found: search });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query, isAsked]);
  if (!isAsked) return { state: "idle" };
  return lastSearch?.to === query ? lastSearch.found : { state: "searching" };
}

const LIMITED = "You searched very often. Wait a minute and try again.";
const FAILED = "The search could not be reached. Pages are listed all the same.";

type Entry = { key: string; href: string; kind: string; title: string; detail: string };

/** Pages whose name contains the text; without a text, all of them. */
const pageEntries = (text: string): Entry[] =>
  ALL_PAGES.filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase())).map(({ href, label }) => ({
    key: `page ${href}`,
    href,
    kind: "Page",
    title: label,
    detail: "",
  }));

/** `title` and `detail` are untrusted texts of agents and sellers. */
function resultEntry({ kind, id, title, detail }: SearchResult, index: number): Entry {
  const path = encodeURIComponent(id);
  const key = `${kind} ${id} ${index}`;
  switch (kind) {
    case "agent":
      return { key, kind: "Agent", title, detail, href: `/dashboard/agents#${path}` };
    case "mandate":
      return { key, kind: "Mandate", title, detail: STATES[detail] ?? "", href: `/mandates/${path}` };
    case "link":
      return { key, kind: "Link", title: title || id, detail, href: `/dashboard/links/${path}` };
    case "payment":
      return {
        key,
        kind: "Payment made",
        title,
        detail: usdcText(BigInt(detail)),
        href: `/dashboard/payments/${path}`,
      };
    case "sale":
      return {
        key,
        kind: "Payment received",
        title: title || "Payment",
        detail: usdcText(BigInt(detail)),
        href: `/dashboard/payments/${path}`,
      };
    default:
      return kind satisfies never;
  }
}

const STATES: Record<string, string> = {
  draft: "not signed",
  pending_signature: "waiting for you",
  signed: "signed",
  rejected: "rejected",
  revoked: "revoked",
};
