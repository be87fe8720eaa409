"use client";

import { useRef } from "react";
import { Tabs } from "@/components/ui/tabs";
import { GALLERY } from "./gallery";
import { isScanner, type Offers, SCANNERS, type Scanner } from "./scanners";
import { useEngine } from "./use-engine";
import { type Picked, Workbench } from "./workbench";

export type PlaygroundProps = {
  offers: Offers;
  baseUrl: string;
  tab: Scanner;
  /** The examples of the open tab, from the URL. */
  picked: Picked;
};

const LABELS: Record<Scanner, string> = {
  transaction: "Transaction",
  x402: "Payment requirement",
  prompt: "Prompt",
};

/** The three scanners, each in its tab. */
export function Playground({ offers, baseUrl, tab, picked }: PlaygroundProps) {
  const engine = useEngine();
  const open = useRef<Scanner>(tab);
  const links = useRef<Partial<Record<Scanner, Picked>>>({ [tab]: picked });

  function rewrite() {
    const { example = null, other: otherExample = null } = links.current[open.current] ?? {};
    const query = new URLSearchParams({ tab: open.current });
    if (example !== null) query.set("example", example);
    if (otherExample !== null) query.set("with", otherExample);
    // Not with the router: that would request the page from the server again.
    if (window.location.search !== `?${query}`) window.history.replaceState(null, "", `?${query}`);
  }

  return (
    <Tabs
      label="Scanners"
      initial={tab}
      onOpen={(value) => {
        if (!isScanner(value)) return;
        open.current = value;
        rewrite();
      }}
      tabs={SCANNERS.map((scanner) => ({
        value: scanner,
        label: LABELS[scanner],
        isKept: true,
        content: (
          <Workbench
            scanner={scanner}
            offer={offers[scanner]}
            baseUrl={baseUrl}
            engine={engine}
            initial={scanner === tab && picked.example !== null ? picked : FIRST[scanner]}
            onPicked={(selection) => {
              links.current[scanner] = selection;
              rewrite();
            }}
          />
        ),
      }))}
    />
  );
}

/** Without an example in the URL, the first one is opened, so that the page shows a verdict at once. */
const FIRST: Record<Scanner, Picked> = {
  transaction: { example: GALLERY.transaction[0]?.id ?? null, other: null },
  x402: { example: GALLERY.x402[0]?.id ?? null, other: null },
  prompt: { example: GALLERY.prompt[0]?.id ?? null, other: null },
};
