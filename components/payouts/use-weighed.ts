"use client";

import { useEffect, useRef, useState } from "react";
import { callApi, type Failure } from "@/lib/http/client";
import type { WeighedAddress } from "@/lib/payouts/address-book/contract";

type Weighed = ReadonlyMap<string, WeighedAddress>;
export type Weighing = { type: "done"; known: Weighed } | { type: "failed"; failure: Failure };

const AT_ONCE = 100;

/** What is known of all `addresses`, or the reason why it could not be read. */
export async function weigh(addresses: readonly string[]): Promise<Weighing> {
  const found = new Map<string, WeighedAddress>();
  const distinct = [...new Set(addresses)];
  for (let at = 0; at < distinct.length; at += AT_ONCE) {
    const body = { addresses: distinct.slice(at, at + AT_ONCE) };
    const answer = await callApi<{ addresses: WeighedAddress[] }>("POST", "/api/wallet/addresses/weigh", body);
    if (!answer.ok) return { type: "failed", failure: answer };
    for (const each of answer.data.addresses) found.set(each.address, each);
  }
  return { type: "done", known: found };
}

/** The same while addresses are typed: each is requested once, a moment after the last key. */
export function useWeighed(addresses: readonly string[]): Weighed {
  const [known, setKnown] = useState<Weighed>(new Map());
  const requested = useRef(new Set<string>());
  const unknown = [...new Set(addresses)].filter((address) => !known.has(address)).join(" ");

  useEffect(() => {
    if (unknown === "") return;
    const timer = setTimeout(async () => {
      const next = unknown.split(" ").filter((address) => !requested.current.has(address));
      if (next.length === 0) return;
      for (const address of next) requested.current.add(address);
      const found = await weigh(next);
      // On failure, it is read again before anything is paid.
      if (found.type === "failed") return;
      setKnown((before) => new Map([...before, ...found.known]));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [unknown]);

  return known;
}

const PAUSE_MS = 300;
