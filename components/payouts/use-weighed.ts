"use client";

import { useEffect, useRef, useState } from "react";
import { callApi, type Failure } from "@/lib/http/client";
import type { WeighedAddress } from "@/lib/payouts/address-book/contract";
import { WEIGHED_MAX } from "@/lib/payouts/rules";

type Weighed = ReadonlyMap<string, WeighedAddress>;
export type Weighing = { type: "done"; known: Weighed } | { type: "failed"; failure: Failure };

/** Reads facts about all `addresses` from the service; `failed` if a request fails. */
export async function weigh(addresses: readonly string[]): Promise<Weighing> {
  const weighedAddresses = new Map<string, WeighedAddress>();
  const distinct = [...new Set(addresses)];
  for (let index = 0; index < distinct.length; index += WEIGHED_MAX) {
    const body = { addresses: distinct.slice(index, index + WEIGHED_MAX) };
    const response = await callApi<{ addresses: WeighedAddress[] }>("POST", "/api/wallet/addresses/weigh", body);
    if (!response.ok) return { type: "failed", failure: response };
    for (const weighedAddress of response.data.addresses) weighedAddresses.set(weighedAddress.address, weighedAddress);
  }
  return { type: "done", known: weighedAddresses };
}

/** Reads facts about addresses while they are typed. Each address is requested once, after typing pauses. */
export function useWeighed(addresses: readonly string[]): Weighed {
  const [weighedAddresses, setKnown] = useState<Weighed>(new Map());
  const requested = useRef(new Set<string>());
  const unknown = [...new Set(addresses)].filter((address) => !weighedAddresses.has(address)).join(" ");

  useEffect(() => {
    if (unknown === "") return;
    const timer = setTimeout(async () => {
      const next = unknown.split(" ").filter((address) => !requested.current.has(address));
      if (next.length === 0) return;
      for (const address of next) requested.current.add(address);
      const weighing = await weigh(next);
      // The facts only help while typing: the review reads them again before the payout is paid.
      if (weighing.type === "failed") return;
      setKnown((previousAddresses) => new Map([...previousAddresses, ...weighing.known]));
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [unknown]);

  return weighedAddresses;
}

const PAUSE_MS = 300;
