"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useRef, useState, useTransition } from "react";
import { usePath, useQuery } from "@/components/site/location";
import { Link } from "@/components/ui/link";
import { CardSkeleton, Skeleton } from "@/components/ui/skeleton";

export type PanesProps = {
  /** Names the second pane: "The chosen payment". */
  label: string;
  /** The list. Links that can be shown beside it have the attribute `data-opens`, and their paths end with the item's id. */
  children: ReactNode;
  /** Details of the selected item; null if none is selected. */
  detail: ReactNode | null;
};

/** The width from which list and details fit side by side. Repeated in the classes below and in the dashboard's layout. */
const WIDE = "(min-width: 90rem)";
const PARAMETER = "show";

/**
 * On wide screens, a list beside the details of the selected item. The URL holds the selection. Arrow keys move between links, Enter opens
 * one, Escape closes the details. On narrow screens, links lead to the items' own pages.
 */
export function Panes({ label, children, detail }: PanesProps) {
  const router = useRouter();
  const path = usePath();
  const query = useQuery().toString();
  const box = useRef<HTMLDivElement>(null);
  const openedLink = useRef<HTMLElement | null>(null);
  const [isGoing, startGoing] = useTransition();
  /** The selection while a navigation is pending: the new item's id, or null when closing. Ignored otherwise. */
  const [next, setNext] = useState<string | null>(null);
  const isOpen = isGoing ? next !== null : detail !== null;

  const hrefOf = useCallback(
    (id: string | null) => {
      const search = new URLSearchParams(query);
      if (id === null) search.delete(PARAMETER);
      else search.set(PARAMETER, id);
      return search.size > 0 ? `${path}?${search}` : path;
    },
    [path, query],
  );

  const show = useCallback(
    (id: string | null) => {
      setNext(id);
      startGoing(() => router.push(hrefOf(id), { scroll: false }));
    },
    [router, hrefOf],
  );

  useEffect(() => {
    const list = box.current;
    if (!list) return;
    const links = () => [...list.querySelectorAll<HTMLAnchorElement>("a[data-opens]")];
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-opens]");
      const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!link || !isPlain || !matchMedia(WIDE).matches) return;
      // Runs in the capture phase. The link's own handler ignores an event whose default is prevented.
      event.preventDefault();
      openedLink.current = link;
      show(new URL(link.href).pathname.split("/").at(-1) ?? null);
    };
    const onKey = (event: KeyboardEvent) => {
      const index = links().findIndex((link) => link.contains(document.activeElement));
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (index === -1 || event.metaKey || event.ctrlKey || event.altKey) return;
      if (step !== undefined) {
        event.preventDefault();
        links()[index + step]?.focus();
      } else if (event.key === "Escape" && isOpen) show(null);
    };
    list.addEventListener("click", onClick, true);
    list.addEventListener("keydown", onKey);
    return () => {
      list.removeEventListener("click", onClick, true);
      list.removeEventListener("keydown", onKey);
    };
  }, [show, isOpen]);

  useEffect(() => {
    if (isOpen || !openedLink.current) return;
    if (document.activeElement === document.body && openedLink.current.isConnected) openedLink.current.focus();
    openedLink.current = null;
  }, [isOpen]);

  return (
    <div
      data-panes={isOpen ? "open" : "closed"}
      className="grid min-w-0 grid-cols-1 items-start gap-5 min-[90rem]:data-[panes=open]:grid-cols-[minmax(0,1fr)_minmax(0,31rem)]"
    >
      <div ref={box} className="grid min-w-0 grid-cols-1 content-start gap-5">
        {children}
      </div>
      {isOpen && (
        <section
          aria-label={label}
          aria-busy={isGoing}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard
          tabIndex={0}
          className="sticky top-4 max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-card border bg-paper p-5 max-[90rem]:hidden"
        >
          <div className="-mt-2.5 -mr-2.5 flex justify-end">
            <Link
              href={hrefOf(null)}
              scroll={false}
              aria-label="Close the details"
              title="Close the details"
              className="grid size-9 place-items-center rounded-control text-ink-2 hover:bg-sunk hover:text-ink"
            >
              <X aria-hidden className="size-4.5" />
            </Link>
          </div>
          <div className="@container grid grid-cols-1 gap-5">{isGoing ? <Waiting /> : detail}</div>
        </section>
      )}
      <p role="status" className="sr-only">
        {isOpen && (isGoing ? "Loading" : `${label} is shown beside the list`)}
      </p>
    </div>
  );
}

const Waiting = () => (
  <>
    <Skeleton className="h-7 w-44" />
    <CardSkeleton />
    <CardSkeleton />
  </>
);
