"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";

export type ExpiryProps = { expiresAt: string; servedAt: number };

/** How long a link can still be paid, by the server's clock. Read aloud three times only. */
export function Expiry({ expiresAt, servedAt }: ExpiryProps) {
  const router = useRouter();
  const until = new Date(expiresAt).getTime();
  const [left, setLeft] = useState(secondsTo(until, servedAt));
  const [said, setSaid] = useState("");

  const tick = useEffectEvent((now: number) => {
    const next = secondsTo(until, now);
    const passed = CALLS.find(({ at }) => left > at && next <= at && next > 0);
    if (passed) setSaid(`This link can be paid for ${passed.words} more. A payment made in time counts.`);
    if (left > 0 && next === 0) router.refresh();
    setLeft(next);
  });

  useEffect(() => {
    const ahead = servedAt - Date.now();
    const timer = setInterval(() => tick(Date.now() + ahead), 1_000);
    return () => clearInterval(timer);
  }, [servedAt]);

  return (
    <>
      <Badge tone={left <= CALLS[0].at ? "warn" : "plain"}>
        <span className="num">{left === 0 ? "Expired" : `Expires in ${spoken(left)}`}</span>
      </Badge>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}

const CALLS = [
  { at: 300, words: "5 minutes" },
  { at: 60, words: "1 minute" },
  { at: 10, words: "10 seconds" },
] as const;

const secondsTo = (until: number, now: number) => Math.max(0, Math.ceil((until - now) / 1000));

/** The two largest units: more would only flicker. */
function spoken(seconds: number): string {
  const parts = UNITS.map(([unit, size], index) => {
    const larger = UNITS[index - 1]?.[1] ?? Number.POSITIVE_INFINITY;
    return [Math.floor((seconds % larger) / size), unit] as const;
  });
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;
