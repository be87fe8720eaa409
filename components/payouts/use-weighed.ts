"use client";

import { useEffect, useRef, useState } from "react";
import { type Answer, callApi } from "@/lib/http/client";
import type { WeighedAddress } from "@/lib/payouts/address-book/contract";

type Weighed = ReadonlyMap<string, WeighedAddress>;
type Reply = { addresses: WeighedAddress[] };

const AT_ONCE = 100;

/** What is known of all `addresses`, or the reason why it could not be read. */
export async function weigh(addresses: readonly string[]): Promise<Weighed | Extract<Answer<Reply>, { ok: false }>> {
  const found = new Map<string, WeighedAddress>();
  const distinct = [...new Set(addresses)];
  for (let at = 0; at < distinct.length; at += AT_ONCE) {
    const body = { addresses: distinct.slice(at, at + AT_ONCE) };
    const answer = await callApi<Reply>("POST", "/api/wallet/addresses/weigh", body);
    if (!answer.ok) return answer;
    for (const each of answer.data.addresses) found.set(each.address, each);
  }
  return found;
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
      if ("ok" in found) return;
      setKnown((before) => new Map([...before, ...found]));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [unknown]);

  return known;
}

const PAUSE_MS = 300;
