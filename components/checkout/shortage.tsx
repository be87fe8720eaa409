"use client";

import { type ReactNode, useState } from "react";
import { usePayment } from "@/components/texts/context";
import { fill } from "@/components/texts/template";
import { Button, buttonClass } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { useLoaded } from "@/components/ui/use-loaded";
import { formatUsdc, toUsdc, type Usdc } from "@/lib/core/usdc";
import { callPublicly, type Failure } from "@/lib/http/client";
import { NETWORKS } from "@/lib/x402/networks";
import { ApiError } from "./api-error";
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
export function Shortage({ view, mode, address, onrampUrl, held: balance, recheck }: ShortageProps) {
  const {
    language,
    texts: { shortage: texts },
  } = usePayment();
  const needed = toUsdc(BigInt(view.amount));
  const missing: Missing = { network: view.network, address, amount: toUsdc(needed - balance) };
  return (
    <Note tone="warn" live="polite" title={texts.title}>
      <Facts className="mt-2 max-w-64 text-small">
        <Fact label={texts.have}>
          <span className="num">{usdcText(balance, language)}</span>
        </Fact>
        <Fact label={texts.need}>
          <span className="num">{usdcText(needed, language)}</span>
        </Fact>
        <Fact label={texts.short}>
          <strong className="num">{usdcText(missing.amount, language)}</strong>
        </Fact>
      </Facts>
      <ol className="mt-3 grid list-decimal gap-3 ps-5">
        {mode !== "devnet" && (
          <li>
            {texts.copyBoth}
            <span className="mt-1.5 flex flex-wrap gap-2">
              <Copy value={address} label={texts.copyAddress} className="min-h-11" />
              <Copy value={formatUsdc(missing.amount)} label={texts.copyAmount} className="min-h-11" />
            </span>
          </li>
        )}
        <li>
          <Source {...{ view, mode, missing, onrampUrl, recheck }} />
        </li>
        <li>{texts.comeBack}</li>
      </ol>
      {mode === "production" && <FromAnotherWallet missing={missing} />}
    </Note>
  );
}

type SourceProps = Pick<ShortageProps, "view" | "mode" | "onrampUrl" | "recheck"> & { missing: Missing };

/** How to get USDC on this network. */
function Source({ view, mode, missing, onrampUrl, recheck }: SourceProps): ReactNode {
  const texts = usePayment().texts.shortage;
  if (mode === "devnet") {
    return (
      <>
        {texts.test}
        <Faucet missing={missing} onMinted={recheck} />
      </>
    );
  }
  if (NETWORKS[view.network].isTestnet) {
    return (
      <>
        {texts.circle}
        <Outward href="https://faucet.circle.com">{texts.circleLink}</Outward>
      </>
    );
  }
  const onramp = onrampUrl === null ? null : onrampOf(onrampUrl, missing);
  return (
    <>
      {fill(onramp ? texts.buy : texts.send, { network: view.networkLabel })}
      {onramp && <Outward href={onramp}>{fill(texts.buyAt, { host: new URL(onramp).host })}</Outward>}
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

/** A QR code for topping up the buyer's own wallet, rendered on demand. */
function FromAnotherWallet({ missing }: { missing: Missing }) {
  const texts = usePayment().texts.shortage;
  const [isOpen, setOpen] = useState(false);
  const TopUpCode = useLoaded(loadCode, isOpen);
  return (
    <details className="mt-3" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer py-2.5 underline decoration-line-2 underline-offset-4">
        {texts.fromPhone}
      </summary>
      {isOpen && TopUpCode === null && <p>{texts.reload}</p>}
      {isOpen && TopUpCode && <TopUpCode {...missing} />}
    </details>
  );
}

const loadCode = () => import("./top-up-code").then((module) => module.TopUpCode);

const HUNDRED = toUsdc(100_000_000n);

function Faucet({ missing, onMinted }: { missing: Missing; onMinted: () => void }) {
  const [state, setState] = useState<"idle" | "minting" | Failure>("idle");
  const { shortage } = usePayment().texts;
  const { amount: needed, network, address } = missing;
  const isLarge = needed > HUNDRED;
  const amount = isLarge ? needed : HUNDRED;

  async function mint() {
    setState("minting");
    const response = await callPublicly("POST", "/api/devnet/faucet", { address, amount: String(amount), network });
    setState(response.ok ? "idle" : response);
    if (response.ok) onMinted();
  }

  return (
    <span className="mt-1.5 block">
      <Button size="small" className="min-h-11" busy={state === "minting"} onClick={mint}>
        {shortage.getTest}
      </Button>
      {typeof state === "object" && (
        <span role="alert" className="block text-bad">
          <ApiError failure={state} />
        </span>
      )}
    </span>
  );
}
