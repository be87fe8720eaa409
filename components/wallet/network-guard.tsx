"use client";

import { type ReactNode, useState } from "react";
import { useConnection } from "wagmi";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { chainName, ensureChain, explain, isRejection, providerOf } from "./eip1193";

export type NetworkGuardProps = { chainId: number; children: ReactNode };

/** Shows `children` when the connected wallet is on `chainId` or no wallet is connected; otherwise offers to switch. */
export function NetworkGuard({ chainId, children }: NetworkGuardProps) {
  const { connector, chainId: current } = useConnection();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (!connector || current === chainId) return children;

  async function move() {
    if (!connector) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const isThere = await ensureChain(await providerOf(connector), chainId);
      if (!isThere) setProblem(`Your wallet did not switch. Switch it to ${chainName(chainId)} there.`);
    } catch (error) {
      setProblem(isRejection(error) ? "You kept the other network. Switch when you are ready." : explain(error));
    }
    setBusy(false);
  }

  return (
    <Note
      tone="warn"
      live="polite"
      title={`Your wallet is on ${current === undefined ? "another network" : chainName(current)}`}
      actions={
        <Button size="small" busy={isBusy} onClick={move}>
          Switch to {chainName(chainId)}
        </Button>
      }
    >
      {problem ?? "Nothing is lost. Switch, then continue here."}
    </Note>
  );
}
