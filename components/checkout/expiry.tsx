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
  const [left, setLeft] = useState(secondsTo(until, servedAt));
  const [said, setSaid] = useState<keyof ExpiryTexts["calls"]>();

  const tick = useEffectEvent((now: number) => {
    const next = secondsTo(until, now);
    const passed = CALLS.find(({ at }) => left > at && next <= at && next > 0);
    if (passed) setSaid(passed.name);
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
        <span className="num">
          {left === 0 ? texts.expired : fill(texts.expiresIn, { time: formatCountdown(left, texts.units) })}
        </span>
      </Badge>
      <span role="status" className="sr-only">
        {said && fill(texts.stillPayable, { time: texts.calls[said] })}
      </span>
    </>
  );
}

const CALLS = [
  { at: 300, name: "fiveMinutes" },
  { at: 60, name: "oneMinute" },
  { at: 10, name: "tenSeconds" },
] as const;

const secondsTo = (until: number, now: number) => Math.max(0, Math.ceil((until - now) / 1000));
