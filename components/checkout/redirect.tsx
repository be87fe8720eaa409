"use client";

import { useEffect, useState } from "react";
import { usePayment } from "@/components/texts/context";
import { filled } from "@/components/texts/filled";
import { fill, fillCount } from "@/components/texts/template";
import { Button, buttonClass } from "@/components/ui/button";
import { useIsFramed } from "./frame-context";

export type RedirectProps = { to: string; settlementId: string };

const SECONDS = 5;

/**
 * Redirects the buyer to the seller after a countdown, unless they choose to stay. In a frame, only a link is shown. The server has
 * validated the URL.
 */
export function Redirect({ to, settlementId }: RedirectProps) {
  const {
    language,
    texts: { redirect: texts },
  } = usePayment();
  const [secondsLeft, setLeft] = useState(SECONDS);
  const isFramed = useIsFramed();
  const [isStaying, setStaying] = useState(isFramed);
  const target = withReceipt(to, settlementId);
  const host = new URL(to).host;

  useEffect(() => {
    if (isStaying) return;
    if (secondsLeft === 0) return window.location.assign(target);
    const timer = setTimeout(() => setLeft(secondsLeft - 1), 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft, isStaying, target]);

  return (
    <div className="grid gap-2.5 rounded-control bg-sunk px-3.5 py-3">
      <p role="status" className="sr-only">
        {isStaying ? texts.stay : fillCount(language, texts.soon, SECONDS, { host })}
      </p>
      <p aria-hidden className="[overflow-wrap:anywhere]">
        {isStaying
          ? fill(texts.staying, { host })
          : filled(texts.left, { host, count: <span className="num">{secondsLeft}</span> })}
      </p>
      <div className="flex flex-wrap gap-2.5">
        {!isStaying && (
          <Button size="small" onClick={() => setStaying(true)}>
            {texts.stayHere}
          </Button>
        )}
        <a
          href={target}
          target={isFramed ? "_top" : undefined}
          className={buttonClass({ size: "small", variant: isStaying ? "secondary" : "quiet" })}
        >
          {fill(isStaying ? texts.go : texts.goNow, { host })}
        </a>
      </div>
    </div>
  );
}

/** The seller receives the id of the payment, but no key to the purchased content. */
function withReceipt(to: string, settlementId: string): string {
  const url = new URL(to);
  url.searchParams.set("receiptId", settlementId);
  return url.href;
}
