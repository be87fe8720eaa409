"use client";

import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { usePath } from "@/components/site/location";
import { Link } from "@/components/ui/link";
import type { Hit } from "@/lib/docs/search";
import { callPublicly } from "@/lib/http/client";

const SEARCH_AFTER_MS = 120;
const SHOWN_MAX = 8;

type Found = { query: string; hits: readonly Hit[] };

/** Shows hits while one types. Enter opens the page of all results, also before the script is there: it is a plain GET form. */
export function DocsSearch({ charactersMax }: { charactersMax: number }) {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Found | null>(null);
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const path = usePath();
  const trimmed = query.trim();

  useEffect(() => {
    if (trimmed === "") return setFound(null);
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const response = await callPublicly<readonly Hit[]>("GET", `/docs/search.json?q=${encodeURIComponent(trimmed)}`);
      // Without hits while typing, Enter still works.
      if (isCurrent && response.ok) setFound({ query: trimmed, hits: response.data });
    }, SEARCH_AFTER_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [trimmed]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a reader who has gone to another page has chosen
  useEffect(() => setOpen(false), [path]);

  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      // The form is there twice, for phones and for wide screens.
      if (!isSearchKey(event) || !input.current?.checkVisibility()) return;
      event.preventDefault();
      input.current.focus();
      input.current.select();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);

  function move(event: KeyboardEvent) {
    if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      input.current?.focus();
      return setOpen(false);
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops: (HTMLElement | null)[] = [input.current, ...(root.current?.querySelectorAll("a") ?? [])];
    const index = stops.findIndex((stop) => stop?.matches(":focus"));
    const next = stops[index + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  const hits = found?.hits ?? [];
  const isShown = isOpen && found !== null && trimmed !== "";
  return (
    <search
      ref={root}
      className="relative block"
      onKeyDown={move}
      onFocus={() => setOpen(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <form action="/docs/search" className="relative" onSubmit={() => setOpen(false)}>
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3"
        />
        <input
          ref={input}
          type="search"
          name="q"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setOpen(true);
          }}
          maxLength={charactersMax}
          autoComplete="off"
          aria-label="Search the documentation"
          aria-keyshortcuts="/ Control+K Meta+K"
          placeholder="Search"
          className="min-h-10 w-full rounded-control border border-field bg-card pr-9 pl-9 text-control placeholder:text-ink-3 max-md:min-h-11"
        />
        {query === "" && (
          <kbd
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 rounded-tile border px-1.5 text-tiny text-ink-3 max-md:hidden"
          >
            /
          </kbd>
        )}
      </form>
      <p role="status" className="sr-only">
        {isShown && (hits.length === 0 ? NOTHING : `${hits.length} ${hits.length === 1 ? "result" : "results"}`)}
      </p>
      {isShown && (
        <div className="absolute inset-x-0 top-full z-40 mt-1.5 max-h-[min(28rem,70dvh)] overflow-y-auto rounded-card border bg-card p-1.5 shadow-lift md:left-auto md:w-[26rem]">
          {hits.length === 0 && <p className="px-3 py-2.5 text-control text-ink-2">{NOTHING}</p>}
          <ul>
            {hits.slice(0, SHOWN_MAX).map(({ href, page, heading }) => (
              <li key={href}>
                <Link href={href} prefetch={false} onClick={() => setOpen(false)} className={HIT}>
                  <span className="block text-control font-medium text-ink [overflow-wrap:anywhere]">{heading}</span>
                  {page !== heading && <span className="block text-tiny text-ink-3">{page}</span>}
                </Link>
              </li>
            ))}
          </ul>
          {hits.length > SHOWN_MAX && (
            <Link
              href={`/docs/search?q=${encodeURIComponent(found.query)}`}
              prefetch={false}
              onClick={() => setOpen(false)}
              className={`${HIT} text-small text-ink-2`}
            >
              All {hits.length} results
            </Link>
          )}
        </div>
      )}
    </search>
  );
}

const NOTHING = "No page has all of these words.";
const HIT =
  "flex min-h-11 flex-col justify-center rounded-tile px-3 py-1.5 no-underline hover:bg-sunk focus-visible:bg-sunk";

/** "/" outside of fields, and Ctrl or Cmd with K anywhere. */
function isSearchKey({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  isComposing,
  target,
}: globalThis.KeyboardEvent): boolean {
  if (altKey || isComposing || document.querySelector("[role=dialog]") !== null) return false;
  if (key.toLowerCase() === "k") return (ctrlKey || metaKey) && !shiftKey;
  return key === "/" && !ctrlKey && !metaKey && !isTyping(target);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
