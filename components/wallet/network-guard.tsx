"use client";

import { type ReactNode, useState } from "react";
import { useConnection } from "wagmi";
import { fill } from "@/components/texts/template";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { chainName, ensureChain, explain, isRejection, providerOf } from "./eip1193";
import { useWalletWords } from "./words";

export type NetworkGuardProps = { chainId: number; children: ReactNode };

/** Shows `children` when the connected wallet is on `chainId` or no wallet is connected; otherwise offers to switch. */
export function NetworkGuard({ chainId, children }: NetworkGuardProps) {
  const { connector, chainId: current } = useConnection();
  const { texts } = useWalletWords();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  if (!connector || current === chainId) return children;

  async function move() {
    if (!connector) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const isThere = await ensureChain(await providerOf(connector), chainId);
      if (!isThere) setProblem(fill(texts.notSwitched, { network: chainName(chainId, texts) }));
    } catch (error) {
      setProblem(isRejection(error) ? texts.keptNetwork : explain(error, texts));
    }
    setBusy(false);
  }

  return (
    <Note
      tone="warn"
      live="polite"
      title={current === undefined ? texts.onOther : fill(texts.onNetwork, { network: chainName(current, texts) })}
      actions={
        <Button size="small" busy={isBusy} onClick={move}>
          {fill(texts.switchTo, { network: chainName(chainId, texts) })}
        </Button>
      }
    >
      {problem ?? texts.nothingLost}
    </Note>
  );
}
