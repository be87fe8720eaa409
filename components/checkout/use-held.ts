"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toUsdc, type Usdc } from "@/lib/core/usdc";
import { callPublicly } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";

export type Held = {
  /** Null while unknown. */
  amount: Usdc | null;
  isLoading: boolean;
  /** The balance was too low before, and is enough now. */
  isFilled: boolean;
  recheck: () => void;
};

/** The balance of `address`, polled until it is at least `needed`. */
export function useHeld(network: NetworkName, address: string, needed: Usdc): Held {
  const [wasShort, setWasShort] = useState(false);
  const query = useQuery({
    queryKey: ["balance", network, address],
    queryFn: () => readBalance(network, address),
    refetchInterval: ({ state }) => (state.data != null && state.data >= needed ? false : AGAIN_MS),
    retry: false,
  });
  const amount = query.data ?? null;
  const isShort = amount !== null && amount < needed;
  if (isShort && !wasShort) setWasShort(true);
  return {
    amount,
    isLoading: query.isPending,
    isFilled: wasShort && amount !== null && !isShort,
    recheck: () => void query.refetch(),
  };
}

const AGAIN_MS = 3_000;

async function readBalance(network: NetworkName, address: string): Promise<Usdc | null> {
  const response = await callPublicly<{ balance: string | null }>(
    "GET",
    `/api/networks/${network}/balances/${address}`,
  );
  return response.ok && response.data.balance !== null ? toUsdc(BigInt(response.data.balance)) : null;
}
