"use client";

import { useSyncExternalStore } from "react";
import { type News, waitingNews } from "./toast";
import { useLoaded } from "./use-loaded";

/** Mounted once, in the layout. Only for news that may be missed: facts about money are also shown on the page. */
export function Toaster() {
  const news = useSyncExternalStore(waitingNews.subscribe, waitingNews.get, () => NONE);
  const Toasts = useLoaded(loadToasts, news.length > 0);
  if (Toasts) return <Toasts news={news} />;
  if (Toasts !== null) return null;
  return (
    <p
      role="alert"
      className="fixed right-4 bottom-4 z-50 rounded-control border bg-card px-4 py-3 text-control shadow-lift"
    >
      {news.at(-1)?.text}
    </p>
  );
}

const NONE: readonly News[] = [];
const loadToasts = () => import("./toasts").then((module) => module.Toasts);
