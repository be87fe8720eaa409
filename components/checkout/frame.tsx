"use client";

import { type ReactNode, useEffect, useState } from "react";
import { type Frame, FrameContext } from "./frame-context";
import { type FrameNews, newsOf, receiversOf } from "./frame-news";

export type FramedProps = {
  linkId: string;
  /** The origins whose pages may frame this one. */
  origins: readonly string[];
  children: ReactNode;
};

/** A checkout in a frame on another site. Reports the payment's state to the parent page and accepts no messages from it. */
export function Framed({ linkId, origins, children }: FramedProps) {
  const [frame] = useState(() => frameOf(linkId, origins));
  useEffect(() => {
    frame.open();
    // Registered for the capture phase: a dialog closes on Escape and would be gone by the bubble phase.
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape" && !document.querySelector("[role=dialog], dialog[open]")) frame.close();
    };
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [frame]);
  return <FrameContext value={frame}>{children}</FrameContext>;
}

function frameOf(linkId: string, origins: readonly string[]): Frame {
  let settlementId: string | null = null;
  const say = (news: FrameNews) => {
    if (window.parent === window) return;
    const parent = window.location.ancestorOrigins?.[0] ?? document.referrer;
    for (const origin of receiversOf(origins, parent)) window.parent.postMessage(news, origin);
  };
  return {
    open: () => say({ source: "tessera", type: "tessera.ready", linkId }),
    report: (payment) => {
      const news = newsOf(linkId, payment);
      settlementId = news?.settlementId ?? null;
      if (news) say(news);
    },
    close: () => say({ source: "tessera", type: "tessera.payment", status: "closed", linkId, settlementId }),
  };
}
