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
  /** The list. Its links that can be shown beside it have `data-opens`; their paths end with the id. */
  children: ReactNode;
  /** Details of the chosen thing; null if none is chosen. */
  detail: ReactNode | null;
};

/** From this width on, both fit. Also in the classes below and in the dashboard's frame. */
const WIDE = "(min-width: 90rem)";
const PARAMETER = "show";

/**
 * A list and the chosen thing beside it, on wide screens. The URL holds the choice. Arrow keys move between the list's links, Enter
 * opens one, Escape closes it. On other screens the links lead to the things' own pages.
 */
export function Panes({ label, children, detail }: PanesProps) {
  const router = useRouter();
  const path = usePath();
  const query = useQuery().toString();
  const box = useRef<HTMLDivElement>(null);
  const openedLink = useRef<HTMLElement | null>(null);
  const [isGoing, startGoing] = useTransition();
  /** What was chosen last, or null if it was closed; counts until the server has sent it. */
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
      // Before the link's own handler, which then leaves it to this one.
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
