import { useEffect, useState } from "react";
import { callApi } from "@/lib/http/client";
import { QUERY_MIN, type Result } from "@/lib/search/limits";

export type Found =
  | { state: "idle" | "searching" }
  | { state: "found"; results: Result[] }
  | { state: "failed"; why: string };

const PAUSE_MS = 200;

/** The owner's own data that mentions `text`, once typing has paused. An answer to an older text is dropped. */
export function useSearch(text: string): Found {
  const [lastSearch, setAnswer] = useState<{ to: string; found: Found }>();
  const query = text.trim();
  const isAsked = query.length >= QUERY_MIN;
  useEffect(() => {
    if (!isAsked) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const path = `/api/search?${new URLSearchParams({ query })}` as const;
      const response = await callApi<{ results: Result[] }>("GET", path);
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
