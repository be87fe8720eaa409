"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { fill, type Template } from "@/components/texts/template";
import { Badge } from "@/components/ui/badge";
import { type CountdownUnits, formatCountdown } from "@/components/ui/format-time";

export type ExpiryTexts = {
  expired: string;
  expiresIn: Template<"time">;
  stillPayable: Template<"time">;
  units: CountdownUnits;
  calls: Record<(typeof CALLS)[number]["name"], string>;
};

export type ExpiryProps = { expiresAt: string; servedAt: number; texts: ExpiryTexts };

/** The time left to pay a link, by the server's clock. Read aloud only three times. */
export function Expiry({ expiresAt, servedAt, texts }: ExpiryProps) {
  const router = useRouter();
  const until = new Date(expiresAt).getTime();
  const [secondsLeft, setLeft] = useState(secondsTo(until, servedAt));
  const [callName, setSaid] = useState<keyof ExpiryTexts["calls"]>();

  const tick = useEffectEvent((timestamp: number) => {
    const next = secondsTo(until, timestamp);
    const passed = CALLS.find(({ at: threshold }) => secondsLeft > threshold && next <= threshold && next > 0);
    if (passed) setSaid(passed.name);
    if (secondsLeft > 0 && next === 0) router.refresh();
    setLeft(next);
  });

  useEffect(() => {
    const ahead = servedAt - Date.now();
    const timer = setInterval(() => tick(Date.now() + ahead), 1_000);
    return () => clearInterval(timer);
  }, [servedAt]);

  return (
    <>
      <Badge tone={secondsLeft <= CALLS[0].at ? "warn" : "plain"}>
        <span className="num">
          {secondsLeft === 0
            ? texts.expired
            : fill(texts.expiresIn, { time: formatCountdown(secondsLeft, texts.units) })}
        </span>
      </Badge>
      <span role="status" className="sr-only">
        {callName && fill(texts.stillPayable, { time: texts.calls[callName] })}
      </span>
    </>
  );
}

const CALLS = [
  { at: 300, name: "fiveMinutes" },
  { at: 60, name: "oneMinute" },
  { at: 10, name: "tenSeconds" },
] as const;

const secondsTo = (until: number, timestamp: number) => Math.max(0, Math.ceil((until - timestamp) / 1000));
