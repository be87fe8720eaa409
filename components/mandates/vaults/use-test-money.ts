"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { formatAmount } from "@/components/ui/format";
import { formatUsdc, toUsdc } from "@/lib/core/usdc";
import { callApi } from "@/lib/http/client";

type TestMoneyProps = {
  owner: string;
  /** The network of the test USDC faucet; undefined if there is none. */
  network: string | undefined;
};

const USUAL = 100_000_000n;

/** What the faucet gives to somebody who lacks `missing`. */
const sumFor = (missing: bigint): bigint => (missing > USUAL ? missing : USUAL);

const testUsdcText = (amount: bigint): string => `${formatAmount(formatUsdc(toUsdc(amount)))} test USDC`;

/** Adds test USDC to the owner's own wallet, which funds vaults. Devnet only. */
export function useTestMoney({ owner, network }: TestMoneyProps) {
  const router = useRouter();
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState<bigint>();
  const [problem, setProblem] = useState<string>();
  // Busy until the page has read the new balance: the signature is still checked against the old one.
  const [isReading, startReading] = useTransition();

  async function add(missing: bigint) {
    const amount = sumFor(missing);
    setAdding(true);
    setProblem(undefined);
    const response = await callApi("POST", "/api/devnet/faucet", { address: owner, amount: String(amount), network });
    setAdding(false);
    if (response.ok) setAdded(amount);
    else setProblem(response.message);
    startReading(() => router.refresh());
  }

  const news = added === undefined || isReading ? undefined : `${testUsdcText(added)} arrived in your own wallet.`;
  return {
    isOffered: network !== undefined,
    label: (missing: bigint) => `Add ${testUsdcText(sumFor(missing))}`,
    add,
    isBusy: isAdding || isReading,
    news,
    problem,
  };
}
