"use client";

import { WifiOff } from "lucide-react";
import { useOffline } from "next/offline";
import { useEffect, useState } from "react";
import { SESSION_ENDED } from "@/lib/http/client";
import { usePath, useQuery } from "./location";

/** A navigation that takes longer is shown. */
const SLOW_MS = 200;
/** A click that leads nowhere must not leave the bar. */
const PATIENCE_MS = 30_000;

/** Shows that a page is being loaded, and that the server cannot be reached. Next repeats requests when it can be reached again. */
export function Connection() {
  const isOffline = useOffline();
  const place = `${usePath()}?${useQuery()}`;
  /** The page from which the pending navigation began. */
  const [left, setLeft] = useState<string>();
  const [hasEnded, setEnded] = useState(false);

  useEffect(() => {
    const end = () => setEnded(true);
    window.addEventListener(SESSION_ENDED, end);
    return () => window.removeEventListener(SESSION_ENDED, end);
  }, []);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const go = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        setLeft(place);
        timer = setTimeout(() => setLeft(undefined), PATIENCE_MS);
      }, SLOW_MS);
    };
    // On `window` in the bubble phase: React's handlers have run, and Next has prevented the default of what it loads itself.
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
      if (!link || link.origin !== location.origin || link.target === "_blank") return;
      const isElsewhere = link.pathname !== location.pathname || link.search !== location.search;
      if (event.defaultPrevented && isElsewhere) go();
      // The browser would replace this page by its error page.
      if (!event.defaultPrevented && isElsewhere && isOffline) event.preventDefault();
    };
    const onSubmit = (event: SubmitEvent) => {
      const isSearch = event.target instanceof HTMLFormElement && event.target.hasAttribute("action");
      if (event.defaultPrevented && isSearch) go();
    };
    window.addEventListener("click", onClick);
    window.addEventListener("submit", onSubmit);
    window.addEventListener(EVENT, go);
    return () => {
      clearTimeout(timer);
      // Or the bar would be back as soon as the person returns to this page.
      setLeft(undefined);
      window.removeEventListener("click", onClick);
      window.removeEventListener("submit", onSubmit);
      window.removeEventListener(EVENT, go);
    };
  }, [place, isOffline]);

  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-4 z-60 flex justify-center px-4">
      {left === place && (
        <div
          role="progressbar"
          aria-label="Loading the page"
          className="fixed inset-x-0 top-0 z-60 h-0.75 overflow-hidden bg-brand-soft"
        >
          <div className="h-full w-1/3 animate-progress bg-brand motion-reduce:w-full" />
        </div>
      )}
      {hasEnded && (
        <p className="pointer-events-auto rounded-control border bg-card px-4 py-2.5 text-small shadow-lift">
          This page’s session has ended. {/* Loads the page anew: nothing of the ended session stays. */}
          <a
            href={`/sign-in?callbackUrl=${encodeURIComponent(place)}`}
            className="font-medium text-brand underline underline-offset-4"
          >
            Sign in again
          </a>
        </p>
      )}
      {isOffline && (
        <p className="flex items-center gap-2.5 rounded-control border bg-card px-4 py-2.5 text-small shadow-lift">
          <WifiOff aria-hidden className="size-4 shrink-0 text-warn" />
          <span>
            You are offline, or we cannot be reached. Pages load once you are back; what you submit now is not sent.
          </span>
        </p>
      )}
    </div>
  );
}

/** For navigation that no link starts. */
const EVENT = "tessera:navigation";

export const announceNavigation = (): boolean => window.dispatchEvent(new Event(EVENT));

/** In place of a page whose session has ended since its layout was loaded. Loading it anew brings the layout's sign-in. */
export function SessionOver() {
  useEffect(() => location.reload(), []);
  return null;
}
