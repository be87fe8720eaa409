"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";

export type OwnTestMoneyProps = { owner: string; network: string };

/** On a devnet: test USDC for the owner's own wallet, from which a vault is funded. */
export function OwnTestMoney({ owner, network }: OwnTestMoneyProps) {
  const router = useRouter();
  const [state, setState] = useState<{ at: "idle" | "busy" | "done" } | { at: "failed"; reason: string }>({
    at: "idle",
  });

  async function mint() {
    setState({ at: "busy" });
    const answer = await callApi("POST", "/api/devnet/faucet", { address: owner, amount: AMOUNT, network });
    setState(answer.ok ? { at: "done" } : { at: "failed", reason: answer.message });
    router.refresh();
  }

  return (
    <div className="grid gap-2">
      <div>
        <Button size="small" busy={state.at === "busy"} onClick={mint}>
          Add 100 test USDC to your own wallet
        </Button>
      </div>
      {state.at === "done" && (
        <Note tone="good" live="polite">
          100.00 test USDC arrived in your own wallet.
        </Note>
      )}
      {state.at === "failed" && (
        <Note tone="bad" live="assertive" title="No test USDC arrived">
          {state.reason}
        </Note>
      )}
    </div>
  );
}

const AMOUNT = "100000000";
