"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useConnection } from "wagmi";
import { usePayment } from "@/components/texts/context";
import { fill } from "@/components/texts/template";
import { AddressTag } from "@/components/ui/address-tag";
import { Button } from "@/components/ui/button";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { chainName, ensureChain, explain, isRejection, providerOf } from "@/components/wallet/eip1193";
import { useWallets } from "@/components/wallet/legacy-wallet";
import { PASSKEY_WALLET } from "@/components/wallet/passkey";
import { Providers } from "@/components/wallet/providers";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { useWalletWords } from "@/components/wallet/words";
import { toUsdc, type Usdc } from "@/lib/core/usdc";
import { callApi, callPublicly } from "@/lib/http/client";
import type { NetworkName } from "@/lib/x402/networks";
import { useIsFramed } from "./frame-context";
import type { Kept } from "./memory";
import type { Order } from "./order";
import { OnlySign, type Payable, type WalletMode } from "./paying";
import { Shortage } from "./shortage";
import { type Signed, type SignedPayment, signPayment } from "./sign-payment";
import type { PaymentFlow } from "./use-payment";
import { reportVisit } from "./visit";
import { WalletApps } from "./wallet-apps";

export type WalletPanelProps = {
  view: Payable;
  sum: Order["sum"];
  mode: WalletMode;
  flow: PaymentFlow;
  /** Returns whether the order is valid. If not, shows its faults. */
  check: () => boolean;
  onrampUrl: string | null;
  /** The person pressed the button; otherwise the panel only checks whether a wallet is connected. */
  isAsking: boolean;
};

/** Pays with a wallet in this browser: choose one, check its balance, sign. */
export function WalletPanel(props: WalletPanelProps) {
  return (
    <Providers mode={props.mode}>
      <Panel {...props} />
    </Providers>
  );
}

function Panel({ isAsking, ...props }: WalletPanelProps) {
  const { view, mode } = props;
  const { panel } = usePayment().texts;
  const { address } = useConnection();
  const [isChoosing, setChoosing] = useState(isAsking);
  const isReady = useIsReady(mode);
  const hasWallet = useWallets().length > 0;
  // The pressed button disappears when a wallet connects: keep the focus in the panel.
  const box = useRef<HTMLDivElement>(null);
  const wasChoosing = useRef(isAsking);
  useEffect(() => {
    if (isChoosing) wasChoosing.current = true;
    else if (wasChoosing.current) {
      wasChoosing.current = false;
      box.current?.focus();
    }
  }, [isChoosing]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div ref={box} role="group" aria-label={panel.label} tabIndex={-1} className="grid gap-3">
      {address === undefined ? (
        <>
          <Button variant="primary" wide busy={isChoosing && !isReady} onClick={() => setChoosing(true)}>
            {panel.connect}
          </Button>
          {isChoosing && isReady && !hasWallet && <NoWallet url={view.url} />}
          <OnlySign />
        </>
      ) : (
        <Account {...props} address={address} change={() => setChoosing(true)} />
      )}
      <ConnectDialog open={isChoosing && isReady && hasWallet} onOpenChange={setChoosing} />
    </div>
  );
}

/** Wallets announce themselves asynchronously (EIP-6963), shortly after the request. */
function useIsReady(mode: WalletMode): boolean {
  const [isOver, setOver] = useState(false);
  const isEarly = useWallets().length > 0;
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), mode === "devnet" ? 3_000 : 600);
    return () => clearTimeout(timer);
  }, [mode]);
  return isOver || isEarly;
}

function NoWallet({ url }: { url: string }) {
  const { panel } = usePayment().texts;
  const isFramed = useIsFramed();
  return (
    <Note tone="info" live="polite" title={panel.noWalletTitle}>
      <p>{panel.noWalletText}</p>
      <WalletApps url={url} opensTab={isFramed} className="mt-3" />
    </Note>
  );
}

type AccountProps = Omit<WalletPanelProps, "isAsking"> & { address: string; change: () => void };

function Account({ view, sum, mode, flow, check, onrampUrl, address, change }: AccountProps) {
  const { panel } = usePayment().texts;
  const price = toUsdc(BigInt(view.amount));
  const balance = useHeld(view.network, address, price);
  const isUndeployed = useUndeployed(view.network, address);
  const { step, pay, cancel } = usePaying({ view, address, flow, check });
  const payButton = useRef<HTMLButtonElement>(null);
  const payText = sum === null ? panel.payUnknown : fill(panel.pay, { sum });
  const isBusy = step.at === "signing" || flow.payment.type === "submitting";
  const short = balance.amount !== null && balance.amount < price;
  useEffect(() => reportVisit(view.linkId, { step: "connected" }), [view.linkId]);

  // The balance from before a failed payment is stale.
  const recheck = useEffectEvent(balance.recheck);
  const isIdle = flow.payment.type === "idle";
  useEffect(() => {
    if (isIdle) recheck();
  }, [isIdle]);

  return (
    <>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-control border px-3.5 py-2.5">
        <AddressTag address={address} tileSize={28} />
        <Holding held={balance} />
      </div>
      <NetworkGuard chainId={view.chainId}>
        {isUndeployed && !isBusy && <UndeployedNote networkLabel={view.networkLabel} />}
        {short && !isBusy && balance.amount !== null && (
          <Shortage {...{ view, mode, address, onrampUrl }} held={balance.amount} recheck={balance.recheck} />
        )}
        <p role="status" className="sr-only">
          {balance.isFilled && panel.enough}
        </p>
        <Button
          ref={payButton}
          variant="primary"
          wide
          busy={isBusy}
          disabled={(short || isUndeployed) && !isBusy}
          onClick={() => void pay()}
        >
          {step.at === "signing" ? panel.waiting : isBusy ? panel.paying : payText}
        </Button>
      </NetworkGuard>
      <Said
        step={step}
        payText={payText}
        isSubmitting={flow.payment.type === "submitting"}
        cancel={() => {
          cancel();
          // The pressed button is gone.
          payButton.current?.focus();
        }}
      />
      {!isBusy && (
        <Button variant="quiet" size="small" onClick={change} className="justify-self-center">
          {panel.another}
        </Button>
      )}
    </>
  );
}

function Holding({ held: balance }: { held: Held }) {
  const {
    language,
    texts: { panel },
  } = usePayment();
  if (balance.isLoading) return <span className="text-small text-ink-2">{panel.balanceLoading}</span>;
  if (balance.amount === null) return <span className="text-small text-ink-2">{panel.balanceUnknown}</span>;
  return <span className="text-small text-ink-2 num">{usdcText(balance.amount, language)}</span>;
}

type Step =
  | { at: "idle" | "signing" | "cancelled" | "rejected" | "changed" | "unreached" }
  /** The wallet signed after the payer had cancelled. The signature exists only in this state, and was not sent. */
  | { at: "late"; signed: SignedPayment }
  | { at: "failed"; reason: string };

/** One request for a signature. Another order can be requested before the wallet has answered it. */
type Attempt = { query: string; amount: string; payer: string; stop: AbortController };

function usePaying({ view, address, flow, check }: Pick<AccountProps, "view" | "address" | "flow" | "check">) {
  const router = useRouter();
  const sign = useTypedData();
  const [step, setStep] = useState<Step>({ at: "idle" });
  // Null while the page waits for no signature. A ref, because a second click may come before the state is updated.
  const attempt = useRef<Attempt>(null);
  // What a wallet signs minutes later is for the page as it is then.
  const latestFlow = useRef(flow);
  useEffect(() => {
    latestFlow.current = flow;
  });
  const order = { query: view.query, amount: view.amount, payer: address };

  async function pay() {
    if (attempt.current || flow.payment.type === "submitting" || flow.resume(address) || !check()) return;
    if (step.at === "late" && isSameOrder(step.signed.kept, order)) return finish(step.signed);
    const mine: Attempt = { ...order, stop: new AbortController() };
    attempt.current = mine;
    flow.setSigning(true);
    setStep({ at: "signing" });
    const result = await signPayment(view, address, sign, mine.stop.signal);
    if (attempt.current === mine) return finish(result);
    if (result.type === "signed") receiveLate(result);
  }

  /** Stops waiting. The wallet keeps the request: no wallet lets a page withdraw one. */
  function cancel() {
    attempt.current?.stop.abort();
    attempt.current = null;
    flow.setSigning(false);
    setStep({ at: "cancelled" });
  }

  /**
   * A signature for a cancelled request. Wallets show requests one after the other: if the payer has asked again for the same order, it is
   * their answer. Otherwise it is shown, and sent only if they press the button.
   */
  function receiveLate(signed: SignedPayment) {
    if (attempt.current === null) {
      if (latestFlow.current.payment.type === "idle") setStep({ at: "late", signed });
    } else if (isSameOrder(signed.kept, attempt.current)) {
      attempt.current.stop.abort();
      void finish(signed);
    }
  }

  async function finish(result: Signed) {
    attempt.current = null;
    const { setSigning, resume, submit } = latestFlow.current;
    setSigning(false);
    if (result.type === "changed") router.refresh();
    setStep(result.type === "failed" ? { at: "failed", reason: result.reason } : { at: STEPS[result.type] });
    if (result.type !== "signed") return;
    const { payer } = result.kept;
    reportVisit(view.linkId, { step: "signed", payer, nonce: result.nonce });
    // Another tab may have signed in the meantime: pay with the earlier signature.
    if (!resume(payer)) await submit(result.kept);
  }

  const isStale = step.at === "late" && !isSameOrder(step.signed.kept, order);
  return { step: isStale ? IDLE : step, pay, cancel };
}

const IDLE: Step = { at: "idle" };

const isSameOrder = (
  { query = "", amount, payer }: Pick<Kept, "query" | "amount" | "payer">,
  order: Omit<Attempt, "stop">,
): boolean => query === order.query && amount === order.amount && payer === order.payer;

const STEPS = { signed: "idle", rejected: "rejected", changed: "changed", unreached: "unreached" } as const;

type SaidProps = { step: Step; payText: string; isSubmitting: boolean; cancel: () => void };

function Said({ step, payText, isSubmitting, cancel }: SaidProps): ReactNode {
  const { panel } = usePayment().texts;
  if (isSubmitting) {
    return (
      <Note tone="info" title={panel.signedTitle}>
        {panel.signedText}
      </Note>
    );
  }
  switch (step.at) {
    case "idle":
      return <OnlySign />;
    case "signing":
      return <Waiting cancel={cancel} />;
    case "cancelled":
      return (
        <Note tone="info" live="polite" title={panel.cancelledTitle}>
          {panel.cancelledText}
        </Note>
      );
    case "late":
      return (
        <Note tone="warn" live="assertive" title={panel.lateTitle}>
          {fill(panel.lateText, { pay: payText })}
        </Note>
      );
    case "rejected":
      return (
        <Note tone="warn" live="assertive" title={panel.rejectedTitle}>
          {panel.rejectedText}
        </Note>
      );
    case "changed":
      return (
        <Note tone="warn" live="assertive" title={panel.changedTitle}>
          {panel.changedText}
        </Note>
      );
    case "unreached":
    case "failed":
      return (
        <Note tone="bad" live="assertive" title={panel.failedTitle}>
          {step.at === "failed" ? step.reason : panel.unreached}
        </Note>
      );
    default:
      step satisfies never;
      return null;
  }
}

/** After this, the wallet's window may be hidden, or the wallet may never answer. */
const SILENT_MS = 10_000;

function Waiting({ cancel }: { cancel: () => void }) {
  const { panel } = usePayment().texts;
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSilent(true), SILENT_MS);
    return () => clearTimeout(timer);
  }, []);
  const action = (
    <Button size="small" onClick={cancel}>
      {panel.cancel}
    </Button>
  );
  return (
    <Note tone="info" live="polite" title={panel.signTitle} actions={isSilent ? action : undefined}>
      {panel.signText} {isSilent && panel.noWindow}
    </Note>
  );
}

const DEPLOYED_AGAIN_MS = 5_000;

/**
 * True if the connected account is a smart account that is not deployed on the network yet, and the service does not deploy payers. Polls
 * until it is.
 */
function useUndeployed(network: NetworkName, address: string): boolean {
  const isSmart = useConnection().connector?.id === PASSKEY_WALLET;
  const query = useQuery({
    queryKey: ["code", network, address],
    queryFn: () => readCanSign(network, address),
    enabled: isSmart,
    refetchInterval: ({ state }) => (state.data === false ? DEPLOYED_AGAIN_MS : false),
    retry: false,
  });
  return isSmart && query.data === false;
}

/** Null while it is not known. */
async function readCanSign(network: NetworkName, address: string): Promise<boolean | null> {
  const path = `/api/networks/${network}/balances/${address}?code=true` as const;
  const response = await callApi<{ hasCode?: boolean | null; takesUndeployed?: boolean }>("GET", path);
  if (!response.ok) return null;
  return response.data.takesUndeployed === true || (response.data.hasCode ?? null);
}

function UndeployedNote({ networkLabel }: { networkLabel: string }) {
  const { panel } = usePayment().texts;
  return (
    <Note tone="warn" live="polite" title={fill(panel.undeployedTitle, { network: networkLabel })}>
      {panel.undeployedText}
    </Note>
  );
}

type Held = {
  /** Null while unknown. */
  amount: Usdc | null;
  isLoading: boolean;
  /** The balance was too low before, and is enough now. */
  isFilled: boolean;
  recheck: () => void;
};

/** The balance of `address`, polled until it is at least `needed`. */
function useHeld(network: NetworkName, address: string, needed: Usdc): Held {
  const [wasShort, setWasShort] = useState(false);
  const query = useQuery({
    queryKey: ["balance", network, address],
    queryFn: () => readBalance(network, address),
    refetchInterval: ({ state }) => (state.data != null && state.data >= needed ? false : HELD_AGAIN_MS),
    retry: false,
  });
  const amount = query.data ?? null;
  const isShort = amount !== null && amount < needed;
  if (isShort && !wasShort) setWasShort(true);
  return {
    amount,
    isLoading: query.isPending,
    isFilled: wasShort && amount !== null && !isShort,
    recheck: () => void query.refetch(),
  };
}

const HELD_AGAIN_MS = 3_000;

async function readBalance(network: NetworkName, address: string): Promise<Usdc | null> {
  const response = await callPublicly<{ balance: string | null }>(
    "GET",
    `/api/networks/${network}/balances/${address}`,
  );
  return response.ok && response.data.balance !== null ? toUsdc(BigInt(response.data.balance)) : null;
}

type NetworkGuardProps = { chainId: number; children: ReactNode };

/** Shows `children` when the connected wallet is on `chainId` or no wallet is connected; otherwise offers to switch. */
function NetworkGuard({ chainId, children }: NetworkGuardProps) {
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
