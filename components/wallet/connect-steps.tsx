"use client";

import { ChevronRight, LoaderCircle } from "lucide-react";
import { signIn as openSession } from "next-auth/react";
import { useCallback, useRef, useState } from "react";
import { getAddress, stringToHex } from "viem";
import { base } from "viem/chains";
import { createSiweMessage } from "viem/siwe";
import { type Connector, useConfig, useConnection } from "wagmi";
import { connect, disconnect, getConnection } from "wagmi/actions";
import type { WalletTexts } from "@/components/texts/en/wallet";
import { fill } from "@/components/texts/template";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Note } from "@/components/ui/note";
import { shorten } from "@/components/ui/shorten";
import { Tile } from "@/components/ui/tile";
import { useWalletMode } from "./connection";
import { CHAINS, type Eip1193, explain, isRejection, providerOf, readChainId } from "./eip1193";
import { LEGACY_WALLET, useWallets } from "./legacy-wallet";
import { PASSKEY_WALLET } from "./passkey";
import { isOfUndeployed } from "./undeployed";
import { Wagmi } from "./wagmi";
import { useWalletWords } from "./words";

export type ConnectDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** "connect" ends when a wallet is connected; "sign-in" also signs the sign-in message and opens a session. */
  purpose?: "connect" | "sign-in" | undefined;
  onDone?: ((address: string) => void) | undefined;
};

export type ConnectStepsProps = Omit<ConnectDialogProps, "open">;

type Step =
  | { at: "choose" }
  | { at: "warning"; connector: Connector }
  | { at: "waiting"; connector: Connector; for: "connection" | "signature" }
  | { at: "rejected"; connector: Connector; what: "connection" | "signature" }
  | { at: "failed"; connector: Connector; reason: string }
  | { at: "done"; address: string };

/** Lists the wallets of this browser, connects one and, for `purpose` "sign-in", signs in with it. */
export const ConnectSteps = (props: ConnectStepsProps) => (
  <Wagmi>
    <Steps {...props} />
  </Wagmi>
);

function Steps({ onOpenChange, purpose = "connect", onDone }: ConnectStepsProps) {
  const { texts } = useWalletWords();
  const { step, go, choose } = useConnecting(purpose, (address) => {
    onOpenChange(false);
    onDone?.(address);
  });
  const isSigningIn = purpose === "sign-in";
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={isSigningIn ? texts.signInTitle : texts.connectTitle}
      description={isSigningIn ? texts.signInText : texts.connectText}
    >
      <StepView step={step} go={go} choose={choose} purpose={purpose} />
    </Dialog>
  );
}

function useConnecting(purpose: "connect" | "sign-in", onDone: (address: string) => void) {
  const config = useConfig();
  const mode = useWalletMode();
  const { texts } = useWalletWords();
  const signIn = useSignIn();
  const [step, setStep] = useState<Step>({ at: "choose" });
  // Counts attempts: a response that arrives after the person went back is ignored.
  const attempt = useRef(0);

  function go(next: Step) {
    attempt.current++;
    setStep(next);
  }

  async function proceed(connector: Connector) {
    const mine = ++attempt.current;
    const show = (next: Step) => mine === attempt.current && setStep(next);

    show({ at: "waiting", connector, for: "connection" });
    try {
      const connection = getConnection(config);
      if (connection.connector && connection.connector.uid !== connector.uid) await disconnect(config);
      if (getConnection(config).connector?.uid !== connector.uid) await connect(config, { connector });
    } catch (error) {
      show(
        isRejection(error)
          ? { at: "rejected", connector, what: "connection" }
          : { at: "failed", connector, reason: explain(error, texts) },
      );
      return;
    }
    if (mine !== attempt.current) return;

    const { address } = getConnection(config);
    if (purpose === "connect") {
      show(address ? { at: "done", address } : { at: "failed", connector, reason: texts.noAccount });
      if (address) onDone(address);
      return;
    }
    show({ at: "waiting", connector, for: "signature" });
    const result = await signIn();
    if (result.type === "done") {
      show({ at: "done", address: result.address });
      if (mine === attempt.current) onDone(result.address);
    } else if (result.type === "rejected") show({ at: "rejected", connector, what: "signature" });
    else show({ at: "failed", connector, reason: result.reason });
  }

  const choose = (connector: Connector, isWarned = false) =>
    mode === "devnet" && connector.id !== TEST_WALLET && !isWarned
      ? go({ at: "warning", connector })
      : proceed(connector);

  return { step, go, choose };
}

type StepViewProps = ReturnType<typeof useConnecting> & { purpose: "connect" | "sign-in" };

function StepView({ step, go, choose, purpose }: StepViewProps) {
  const { texts } = useWalletWords();
  const back = () => go({ at: "choose" });
  switch (step.at) {
    case "choose":
      return <WalletList choose={choose} purpose={purpose} />;
    case "warning":
      return <Warning connector={step.connector} choose={choose} />;
    case "waiting":
      return (
        <div role="status" className="grid justify-items-center gap-3 py-6 text-center">
          <LoaderCircle aria-hidden className="size-6 text-brand motion-safe:animate-spin" />
          <p>
            {fill(step.for === "connection" ? texts.waitingConnection : texts.waitingSignature, {
              wallet: nameOf(step.connector, texts),
            })}
          </p>
          <Button variant="quiet" size="small" onClick={back}>
            {texts.another}
          </Button>
        </div>
      );
    case "rejected":
      return (
        <Note
          live="assertive"
          tone="warn"
          title={step.what === "connection" ? texts.notConnectedTitle : texts.notSignedTitle}
          actions={<Retry back={back} again={() => choose(step.connector, true)} />}
        >
          {texts.rejectedText}
        </Note>
      );
    case "failed":
      return (
        <Note
          live="assertive"
          tone="bad"
          title={texts.failedTitle}
          actions={<Retry back={back} again={() => choose(step.connector, true)} />}
        >
          {step.reason}
        </Note>
      );
    case "done":
      return (
        <Note live="polite" tone="good">
          {fill(purpose === "sign-in" ? texts.signedInAs : texts.connectedAs, { address: shorten(step.address) })}
        </Note>
      );
    default:
      step satisfies never;
      return null;
  }
}

type Choose = ReturnType<typeof useConnecting>["choose"];

function WalletList({ choose, purpose }: { choose: Choose; purpose: "connect" | "sign-in" }) {
  const mode = useWalletMode();
  const current = useConnection();
  const { texts } = useWalletWords();
  const wallets = [...useWallets()].sort((a, b) => rank(a, mode) - rank(b, mode));
  if (wallets.length === 0) {
    return <EmptyState title={texts.noneTitle}>{texts.noneText}</EmptyState>;
  }
  return (
    <ul className="grid gap-2">
      {wallets.map((wallet) => (
        <li key={wallet.uid}>
          <button
            type="button"
            onClick={() => choose(wallet, current.connector?.uid === wallet.uid && purpose === "connect")}
            className="flex min-h-14 w-full items-center gap-3 rounded-control border border-line-2 px-3.5 py-2.5 text-start transition-colors hover:bg-sunk"
          >
            <WalletIcon wallet={wallet} />
            <span className="min-w-0 flex-1">
              <span className="block text-control font-medium">{nameOf(wallet, texts)}</span>
              {hintOf(wallet, texts) !== undefined && (
                <span className="block text-tiny text-ink-2">{hintOf(wallet, texts)}</span>
              )}
            </span>
            {current.connector?.uid === wallet.uid && <Badge tone="good">{texts.connected}</Badge>}
            <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-2 rtl:-scale-x-100" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Warning({ connector, choose }: { connector: Connector; choose: Choose }) {
  const { texts } = useWalletWords();
  const testWallet = useWallets().find(({ id }) => id === TEST_WALLET);
  return (
    <div className="grid gap-4">
      <Note tone="warn" live="assertive" title={texts.warningTitle}>
        {texts.warningText}
      </Note>
      <div className="grid gap-2.5">
        {testWallet && (
          <Button variant="primary" wide onClick={() => choose(testWallet)}>
            {texts.useTest}
          </Button>
        )}
        <Button variant="quiet" wide onClick={() => choose(connector, true)}>
          {fill(texts.useAnyway, { wallet: nameOf(connector, texts) })}
        </Button>
      </div>
    </div>
  );
}

function Retry({ again: onRetry, back }: { again: () => void; back: () => void }) {
  const { texts } = useWalletWords();
  return (
    <>
      <Button size="small" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
      <Button size="small" variant="quiet" onClick={back}>
        {texts.another}
      </Button>
    </>
  );
}

function WalletIcon({ wallet }: { wallet: Connector }) {
  // Only inline icons: a request to another host would disclose the visitor, and our policy blocks it.
  const icon = wallet.icon?.trim();
  if (!icon?.startsWith("data:image/")) return <Tile seed={wallet.id} size={32} />;
  // biome-ignore lint/performance/noImgElement: a data URI has nothing to optimise
  return <img src={icon} alt="" width={32} height={32} className="size-8 shrink-0 rounded-tile" />;
}

const rank = (wallet: Connector, mode: string) => (mode === "devnet" && wallet.id === TEST_WALLET ? 0 : 1);

// Repeated here rather than imported, to keep the test wallet's code out of production.
const TEST_WALLET = "dev.tessera.test-wallet";

/** Wallets name themselves. Those that are part of this page have a name in its language. */
const nameOf = ({ id, name }: Connector, texts: WalletTexts): string =>
  ({ [TEST_WALLET]: texts.testName, [PASSKEY_WALLET]: texts.passkeyName, [LEGACY_WALLET]: texts.legacyName })[id] ??
  name;

const hintOf = ({ id }: Connector, texts: WalletTexts): string | undefined =>
  ({ [TEST_WALLET]: texts.testHint, [PASSKEY_WALLET]: texts.passkeyHint })[id];

type SignInResult = { type: "done"; address: string } | { type: "rejected" } | { type: "failed"; reason: string };

/** Signs in with the connected wallet. Never throws: rejections and failures are results. */
function useSignIn(): () => Promise<SignInResult> {
  const config = useConfig();
  const { texts } = useWalletWords();
  return useCallback(async () => {
    const { address, connector } = getConnection(config);
    if (!address || !connector) return { type: "failed", reason: "Connect a wallet first." };
    const proof = await signProof(await providerOf(connector), getAddress(address), texts);
    if (proof.type !== "signed") return proof;
    const response = await openSession("siwe", { ...proof.fields, redirect: false }).catch(() => undefined);
    return response?.ok
      ? { type: "done", address }
      : { type: "failed", reason: "Sign-in did not go through. Nothing was spent. Try again." };
  }, [config, texts]);
}

type Proof =
  | { type: "signed"; fields: { message: string; signature: string } }
  | Exclude<SignInResult, { type: "done" }>;

async function signProof(wallet: Eip1193, address: `0x${string}`, texts: WalletTexts): Promise<Proof> {
  const nonce = await fetchNonce();
  if (nonce === undefined) return { type: "failed", reason: "We could not be reached. Try again in a moment." };
  try {
    const message = writeMessage(address, await readChainId(wallet), nonce);
    const signature = await wallet.request({ method: "personal_sign", params: [stringToHex(message), address] });
    if (isOfUndeployed(signature)) return { type: "failed", reason: texts.undeployed };
    return { type: "signed", fields: { message, signature: String(signature) } };
  } catch (error) {
    return isRejection(error) ? { type: "rejected" } : { type: "failed", reason: explain(error, texts) };
  }
}

async function fetchNonce(): Promise<string | undefined> {
  try {
    const response = await fetch("/api/siwe/nonce", { cache: "no-store" });
    if (!response.ok) return undefined;
    const body: { nonce?: unknown } = await response.json();
    return typeof body.nonce === "string" ? body.nonce : undefined;
  } catch {
    return undefined;
  }
}

function writeMessage(address: `0x${string}`, walletChainId: number, nonce: string): string {
  const issuedAt = new Date();
  return createSiweMessage({
    domain: window.location.host,
    uri: window.location.origin,
    address,
    // A wallet on another chain can sign in too: a session identifies an account, not a chain.
    chainId: CHAINS.some(({ id }) => id === walletChainId) ? walletChainId : base.id,
    version: "1",
    statement: "Sign in to Tessera.",
    nonce,
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + 10 * 60_000),
  });
}
