"use client";

import { useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { callApi } from "@/lib/http/client";
import type { Payable, WalletMode } from "./paying";

export type ShortageProps = { view: Payable; mode: WalletMode; address: string; held: Usdc; recheck: () => void };

/** Not enough USDC: the missing amount, and ways to get it. The pay button enables itself when the money arrives. */
export function Shortage({ view, mode, address, held, recheck }: ShortageProps) {
  const needed = toUsdc(BigInt(view.amount));
  return (
    <Note tone="warn" live="polite" title="Not enough USDC in this wallet">
      <Facts className="mt-2 max-w-64 text-small">
        <Fact label="You have">
          <span className="num">{usdcText(held)}</span>
        </Fact>
        <Fact label="You need">
          <span className="num">{usdcText(needed)}</span>
        </Fact>
        <Fact label="Short by">
          <strong className="num">{usdcText(toUsdc(needed - held))}</strong>
        </Fact>
      </Facts>
      <p className="mt-3">
        {mode === "devnet"
          ? "Get test USDC, which is worth nothing."
          : `Send USDC on ${view.networkLabel} to your address: on another network it would not count.`}{" "}
        We check every few seconds: you can pay as soon as it has arrived.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {mode === "devnet" && (
          <Faucet view={view} address={address} missing={toUsdc(needed - held)} onMinted={recheck} />
        )}
        {mode === "production" && view.network === "base-sepolia" && (
          <a
            href="https://faucet.circle.com"
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ size: "small" })}
          >
            Get test USDC from Circle
          </a>
        )}
        <Copy value={address} label="Copy your address" />
      </div>
    </Note>
  );
}

const HUNDRED = toUsdc(100_000_000n);

type FaucetProps = { view: Payable; address: string; missing: Usdc; onMinted: () => void };

function Faucet({ view, address, missing, onMinted }: FaucetProps) {
  const [state, setState] = useState<"idle" | "minting" | { failed: string }>("idle");
  const amount = missing > HUNDRED ? missing : HUNDRED;

  async function mint() {
    setState("minting");
    const body = { address, amount: String(amount), network: view.network };
    const answer = await callApi("POST", "/api/devnet/faucet", body);
    setState(answer.ok ? "idle" : { failed: answer.message });
    if (answer.ok) onMinted();
  }

  return (
    <>
      <Button size="small" busy={state === "minting"} onClick={mint}>
        Get test USDC
      </Button>
      {typeof state === "object" && (
        <p role="alert" className="basis-full text-bad">
          {state.failed}
        </p>
      )}
    </>
  );
}
