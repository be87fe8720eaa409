"use client";

import { type ReactNode, useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { useLoaded } from "@/components/ui/use-loaded";
import { formatUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import { callPublicly } from "@/lib/http/client";
import type { Payable, WalletMode } from "./paying";
import { type Missing, onrampOf } from "./top-up";

export type ShortageProps = {
  view: Payable;
  mode: WalletMode;
  address: string;
  onrampUrl: string | null;
  held: Usdc;
  recheck: () => void;
};

/** Not enough USDC: the missing amount, and the steps to get it. The pay button enables itself when the money arrives. */
export function Shortage({ view, mode, address, onrampUrl, held, recheck }: ShortageProps) {
  const needed = toUsdc(BigInt(view.amount));
  const missing: Missing = { network: view.network, address, amount: toUsdc(needed - held) };
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
          <strong className="num">{usdcText(missing.amount)}</strong>
        </Fact>
      </Facts>
      <ol className="mt-3 grid list-decimal gap-3 pl-5">
        <li>
          Copy your own address and the amount.
          <span className="mt-1.5 flex flex-wrap gap-2">
            <Copy value={address} label="Copy your address" className="min-h-11" />
            <Copy value={formatUsdc(missing.amount)} label="Copy the missing amount" className="min-h-11" />
          </span>
        </li>
        <li>
          <Source {...{ view, mode, missing, onrampUrl, recheck }} />
        </li>
        <li>Come back here. We check every few seconds: you can pay as soon as it has arrived.</li>
      </ol>
      {mode === "production" && <FromAnotherWallet missing={missing} />}
    </Note>
  );
}

type SourceProps = Pick<ShortageProps, "view" | "mode" | "onrampUrl" | "recheck"> & { missing: Missing };

/** Where USDC comes from on this network. */
function Source({ view, mode, missing, onrampUrl, recheck }: SourceProps): ReactNode {
  if (mode === "devnet") {
    return (
      <>
        Get test USDC, which is worth nothing.
        <Faucet missing={missing} onMinted={recheck} />
      </>
    );
  }
  if (view.network === "base-sepolia") {
    return (
      <>
        Get test USDC from Circle: choose Base Sepolia there, and paste your address.
        <Outward href="https://faucet.circle.com">Get test USDC from Circle</Outward>
      </>
    );
  }
  const onramp = onrampUrl === null ? null : onrampOf(onrampUrl, missing);
  return (
    <>
      {onramp
        ? "Buy USDC, or send it from another wallet or an exchange: "
        : "Send USDC from another wallet or an exchange: "}
      choose the network {view.networkLabel}, and paste your address. On another network it would not count.
      {onramp && <Outward href={onramp}>Buy USDC at {new URL(onramp).host}</Outward>}
    </>
  );
}

const Outward = ({ href, children }: { href: string; children: ReactNode }) => (
  <span className="mt-1.5 block">
    <a href={href} target="_blank" rel="noreferrer" className={`${buttonClass({ size: "small" })} min-h-11`}>
      {children}
    </a>
  </span>
);

/** A code that fills this buyer's own wallet. The code is drawn on demand. */
function FromAnotherWallet({ missing }: { missing: Missing }) {
  const [isOpen, setOpen] = useState(false);
  const TopUpCode = useLoaded(loadCode, isOpen);
  return (
    <details className="mt-3" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer py-2.5 underline decoration-line-2 underline-offset-4">
        Fill it from a wallet on your phone
      </summary>
      {isOpen && TopUpCode === null && <p>Reload this page to see the code.</p>}
      {isOpen && TopUpCode && <TopUpCode {...missing} />}
    </details>
  );
}

const loadCode = () => import("./top-up-code").then((module) => module.TopUpCode);

const HUNDRED = toUsdc(100_000_000n);

function Faucet({ missing, onMinted }: { missing: Missing; onMinted: () => void }) {
  const [state, setState] = useState<"idle" | "minting" | { failed: string }>("idle");
  const { amount: needed, network, address } = missing;
  const isLarge = needed > HUNDRED;
  const amount = isLarge ? needed : HUNDRED;

  async function mint() {
    setState("minting");
    const answer = await callPublicly("POST", "/api/devnet/faucet", { address, amount: String(amount), network });
    setState(answer.ok ? "idle" : { failed: answer.message });
    if (answer.ok) onMinted();
  }

  return (
    <span className="mt-1.5 block">
      <Button size="small" className="min-h-11" busy={state === "minting"} onClick={mint}>
        Get test USDC
      </Button>
      {typeof state === "object" && (
        <span role="alert" className="block text-bad">
          {state.failed}
        </span>
      )}
    </span>
  );
}
