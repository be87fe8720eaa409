"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";

export type OwnTestMoneyProps = { owner: string; network: string; isNeeded: boolean };

/** Adds test USDC to the owner's own wallet, which funds vaults. Devnet only. */
export function OwnTestMoney({ owner, network, isNeeded }: OwnTestMoneyProps) {
  const router = useRouter();
  const [state, setState] = useState<"idle" | "busy" | "done">("idle");
  const [problem, setProblem] = useState<string>();
  const news = useRef<HTMLDivElement>(null);
  // Busy until the page has read the new balance: the signature is still checked against the old one.
  const [isReading, startReading] = useTransition();
  const hasArrived = state === "done" && !isReading;

  // The focused button has disappeared.
  useEffect(() => {
    if (hasArrived) news.current?.focus();
  }, [hasArrived]);

  async function mint() {
    setState("busy");
    const response = await callApi("POST", "/api/devnet/faucet", { address: owner, amount: AMOUNT, network });
    setState(response.ok ? "done" : "idle");
    setProblem(response.ok ? undefined : response.message);
    startReading(() => router.refresh());
  }

  if (hasArrived) {
    return (
      <div ref={news} tabIndex={-1}>
        <Note tone="good" live="polite">
          100.00 test USDC arrived in your own wallet.
        </Note>
      </div>
    );
  }
  if (!isNeeded && state === "idle") return null;
  return (
    <div className="grid justify-items-start gap-2">
      <Button size="small" busy={state !== "idle"} onClick={mint}>
        Add 100 test USDC to your own wallet
      </Button>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="No test USDC arrived">
          {problem}
        </Note>
      )}
    </div>
  );
}

const AMOUNT = "100000000";
