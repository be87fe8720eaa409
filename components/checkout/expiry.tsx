"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { formatCountdown } from "@/components/ui/format-time";

export type ExpiryProps = { expiresAt: string; servedAt: number };

/** The time left to pay a link, by the server's clock. Read aloud only three times. */
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
        <span className="num">{left === 0 ? "Expired" : `Expires in ${formatCountdown(left)}`}</span>
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
