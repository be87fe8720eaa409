"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";

export type FaucetProps = { network: NetworkName; wallet: string; owner: string };

type Target = "spending" | "own";
type State = { target: Target; at: "minting" | "done" } | { target: Target; at: "failed"; reason: string };

/** Adds worthless test USDC on the local chains. */
export function Faucet({ network, wallet, owner }: FaucetProps) {
  const router = useRouter();
  const [state, setState] = useState<State>();

  async function mint(target: Target) {
    setState({ target, at: "minting" });
    const address = target === "spending" ? wallet : owner;
    const response = await callApi("POST", "/api/devnet/faucet", { address, amount: AMOUNT, network });
    setState(response.ok ? { target, at: "done" } : { target, at: "failed", reason: response.message });
    router.refresh();
  }

  const isBusy = (target: Target) => state?.at === "minting" && state.target === target;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2.5">
        <Button busy={isBusy("own")} disabled={isBusy("spending")} onClick={() => mint("own")}>
          Add 100 test USDC to your own wallet
        </Button>
        <Button busy={isBusy("spending")} disabled={isBusy("own")} onClick={() => mint("spending")}>
          Add 100 test USDC to your spending wallet
        </Button>
      </div>
      {state?.at === "done" && (
        <Note tone="good" live="polite">
          100.00 test USDC arrived in your {WORDS[state.target]}.
        </Note>
      )}
      {state?.at === "failed" && (
        <Note tone="bad" live="assertive" title="No test USDC arrived">
          {state.reason}
        </Note>
      )}
    </div>
  );
}

const AMOUNT = "100000000";
const WORDS = { own: "own wallet", spending: "spending wallet" } satisfies Record<Target, string>;
