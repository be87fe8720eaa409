"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";

export type FundProps = {
  wallet: string;
  network: string;
  /** The amount by which the mandate's limit exceeds the wallet's balance, in atomic units; zero or less if the balance suffices. */
  missing: bigint;
  /** The formatted balance: "0.00 USDC". */
  holds: string;
  isDevnet: boolean;
};

/** Shown when the wallet holds less than the mandate allows: payments beyond the balance would fail. */
export function Fund({ wallet, network, missing, holds, isDevnet }: FundProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [hasAsked, setAsked] = useState(false);
  const news = useRef<HTMLDivElement>(null);
  const hasArrived = hasAsked && missing <= 0n;

  // The focused button has disappeared.
  useEffect(() => {
    if (hasArrived) news.current?.focus();
  }, [hasArrived]);

  async function mint() {
    setBusy(true);
    const amount = String(missing > USUAL ? (missing > MOST ? MOST : missing) : USUAL);
    const response = await callApi("POST", "/api/devnet/faucet", { address: wallet, amount, network });
    setBusy(false);
    setProblem(response.ok ? undefined : response.message);
    setAsked(response.ok);
    router.refresh();
  }

  if (hasArrived) {
    return (
      <div ref={news} tabIndex={-1}>
        <Note tone="good" live="polite" title="The test USDC has arrived">
          Your spending wallet holds {holds} and covers the mandate.
        </Note>
      </div>
    );
  }
  if (missing <= 0n) return null;
  return (
    <Note
      tone="warn"
      title={`Your spending wallet holds ${holds}`}
      actions={
        <>
          {isDevnet && (
            <Button size="small" variant="primary" busy={isBusy} onClick={mint}>
              Get test USDC
            </Button>
          )}
          <ButtonLink size="small" href="/dashboard/wallet">
            Add money
          </ButtonLink>
        </>
      }
    >
      <p>That is less than the mandate allows. Payments that it cannot cover will fail, and no money moves.</p>
      {problem !== undefined && (
        <p role="alert" className="mt-1 font-medium">
          No test USDC arrived: {problem}
        </p>
      )}
    </Note>
  );
}

const USUAL = 100_000_000n;
/** The faucet's limit for one call. */
const MOST = 1_000_000_000_000n;
