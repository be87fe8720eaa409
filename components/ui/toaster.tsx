"use client";

import { useEffect, useSyncExternalStore } from "react";
import { forget, type News, waitingNews } from "./toast";
import { useLoaded } from "./use-loaded";

/** Mounted once, in the layout. Only for messages that may be missed: facts about money are also shown on the page. */
export function Toaster() {
  const news = useSyncExternalStore(waitingNews.subscribe, waitingNews.get, () => NONE);
  const Toasts = useLoaded(loadToasts, news.length > 0);
  if (Toasts) return <Toasts news={news} />;
  return Toasts === null && <PlainToasts news={news} />;
}

/** Shown while the toast library is not loaded. The next message loads it again. */
function PlainToasts({ news }: { news: readonly News[] }) {
  useEffect(() => {
    const timer = setTimeout(() => forget(news), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [news]);
  return (
    <div
      role="alert"
      className="pointer-events-none fixed right-4 bottom-4 z-60 grid gap-1 rounded-control border bg-card px-4 py-3 text-control shadow-lift"
    >
      {[...new Set(news.map(({ text }) => text))].map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

const SHOWN_MS = 6_000;

const NONE: readonly News[] = [];
const loadToasts = () => import("./toasts").then((module) => module.Toasts);
