"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { CANCELS } from "@/components/ui/dialog-focus";
import { Fact, Facts } from "@/components/ui/facts";
import { Note } from "@/components/ui/note";
import { shorten } from "@/components/ui/shorten";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { useConnected } from "@/components/wallet/connection";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { type MessageName, wordsOf } from "@/lib/clear-signing/words";

/** A challenge in readable form, for comparison with what the wallet shows. */
type Decoded = {
  title: string;
  facts: { label: string; value: string; isCode?: boolean }[];
  recipients: { to: string; amount: string }[];
};

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

function recipientsIn(value: unknown): Decoded["recipients"] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((recipient: unknown) => {
    const { to, amount } = (recipient ?? {}) as Record<string, unknown>;
    return typeof to === "string" && typeof amount === "string" ? [{ to, amount }] : [];
  });
}

/** `SHOWN`: the members on the page, in order. `CODES`: the members shown as code. */
const SHOWN: Partial<Record<MessageName, readonly string[]>> = {
  NewPayout: ["total", "network", "payoutId"],
  PayoutApproval: ["total", "network", "payoutRecordId", "requestedBy"],
  PayoutBatch: ["payouts", "recipients", "totalOnBase", "totalOnBaseSepolia", "batchHash"],
  PayoutApprovals: ["payouts", "totalOnBase", "totalOnBaseSepolia"],
  NewAddress: ["name", "account"],
  ApprovalLimit: ["limit"],
  PaymentApproval: ["amount", "network", "resource", "approvalId", "requestedBy"],
  PaymentApprovals: ["payments", "totalOnBase", "totalOnBaseSepolia"],
  ReceivingAddress: ["agent", "agentId", "receivingAddress"],
  AgentToken: ["agent", "agentId", "oldToken"],
  AppConnection: ["agent", "agentId", "app", "returnsTo"],
  PaymentScan: ["agent", "agentId", "paymentScan"],
  AgentSettings: ["agent", "agentId", "receivingAddress", "paymentScan"],
  MandateResumption: ["agent", "limit", "mandateId", "agentId"],
  SpendingCap: ["agent", "per24Hours", "per30Days", "above", "network", "agentId"],
  PayeeLists: ["list", "added", "removed", "allowList"],
  PayeeConfirmation: ["host", "network", "payTo"],
  WebhookReceiver: ["host", "url", "events"],
  WebhookSecret: ["url", "webhookId"],
  CreditPurchase: ["amount"],
  Recovery: ["network", "asset", "from", "to"],
};
const CODES = new Set(
  "payoutId payoutRecordId requestedBy batchHash account approvalId agentId receivingAddress mandateId payTo url webhookId asset from to".split(
    " ",
  ),
);

/** Throws for an unknown action, so that no person signs an action that the page cannot show. */
function decode({ primaryType, message }: TypedDataPayload): Decoded {
  const wording = wordsOf(primaryType);
  const memberNames = SHOWN[primaryType as MessageName];
  if (!wording || !memberNames) throw new Error(`unknown confirmation: ${primaryType}`);
  const facts = memberNames.map((name) => ({
    label: wording.members[name]?.label ?? name,
    value: text(message[name]),
    isCode: CODES.has(name),
  }));
  return {
    title: wording.intent,
    facts: facts.filter(({ value }) => value !== ""),
    recipients:
      primaryType === "PaymentApproval"
        ? [{ to: text(message.to), amount: text(message.amount) }]
        : recipientsIn(message.recipients),
  };
}

export type Challenge = { typedData: TypedDataPayload; expiresAt: string; reason: string };

export type ConfirmationDialogProps = {
  first: Challenge;
  /** Sends the signature. Resolves to a new challenge, or to undefined when the call has completed. */
  sign: (signature: string) => Promise<Challenge | undefined>;
  close: () => void;
};

type Problem = { tone: "warn" | "bad"; title: string; text: string };

/** Shows the decoded challenge, and a button that requests the signature. */
export function ConfirmationDialog({ first, sign, close }: ConfirmationDialogProps) {
  const { address, find } = useConnected();
  const signTypedData = useTypedData();
  const [challenge, setChallenge] = useState(first);
  const [isConnecting, setConnecting] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { typedData } = challenge;
  const owner = String(typedData.message.owner);
  const { title, facts, recipients } = decode(typedData);
  const gas = typedData.primaryType === "Recovery" ? "Gas is paid from the ETH that is there." : "No gas.";

  async function attempt(): Promise<Problem | undefined> {
    const chainId = Number(typedData.domain.chainId);
    const result = await signTypedData({ owner, chainId, typedData });
    if (result.type === "rejected") return DECLINED;
    if (result.type === "failed") return { tone: "bad", title: "It is not signed", text: result.reason };
    const nextChallenge = await sign(result.signature);
    if (!nextChallenge) return undefined;
    setChallenge(nextChallenge);
    return nextChallenge.reason === "invalid" ? INVALID : OUTDATED;
  }

  async function start() {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    if ((await find()) === undefined) {
      setBusy(false);
      return setConnecting(true);
    }
    const nextProblem = await attempt();
    // On success, the caller closes this dialog.
    if (!nextProblem) return;
    setProblem(nextProblem);
    setBusy(false);
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isBusy && close()}
      title={`${title}: sign with your wallet`}
      description="This needs a signature by your wallet. Your wallet shows the same data: compare the two, then sign there."
      footer={
        <>
          <Button {...CANCELS} onClick={close} disabled={isBusy}>
            Do not sign
          </Button>
          <Button variant="primary" busy={isBusy} onClick={() => void start()}>
            Sign with your wallet
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Facts>
          {facts.map(({ label, value, isCode }) => (
            <Fact key={label} label={label}>
              <bdi className={isCode ? "mono [overflow-wrap:anywhere]" : "[overflow-wrap:anywhere]"}>{value}</bdi>
            </Fact>
          ))}
          <Fact label="Signed by">
            <span className="mono">{shorten(owner)}</span>
          </Fact>
        </Facts>
        {recipients.length > 0 && <Recipients recipients={recipients} />}
        {address !== undefined && address.toLowerCase() !== owner.toLowerCase() && (
          <Note tone="warn" live="polite" title="Your wallet is on another account">
            It shows <span className="mono">{shorten(address)}</span>. Choose{" "}
            <span className="mono">{shorten(owner)}</span> in your wallet, then sign.
          </Note>
        )}
        {problem && (
          <Note tone={problem.tone} live="assertive" title={problem.title}>
            {problem.text}
          </Note>
        )}
        <p role="status" className="text-small text-ink-2">
          {isBusy ? "Waiting for your wallet." : `You only sign. ${gas} The signature is valid once, for this only.`}
        </p>
      </div>
      <ConnectDialog open={isConnecting} onOpenChange={setConnecting} onDone={() => setConnecting(false)} />
    </Dialog>
  );
}

function Recipients({ recipients }: Pick<Decoded, "recipients">) {
  return (
    <section
      aria-label="Recipients in the signature"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
      tabIndex={0}
      className="max-h-64 overflow-y-auto rounded-control border"
    >
      <ul className="divide-y">
        {recipients.map(({ to, amount }) => (
          <li key={to} className="grid gap-0.5 px-3.5 py-2.5">
            <span className="font-medium">{amount}</span>
            <span className="mono text-small [overflow-wrap:anywhere]">{to}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const DECLINED: Problem = { tone: "warn", title: "You did not sign", text: "Nothing was done and nothing moved." };
const INVALID: Problem = {
  tone: "bad",
  title: "This is not your account's signature",
  text: "Nothing was done. Choose the account you are signed in with in your wallet, then sign again.",
};
const OUTDATED: Problem = {
  tone: "warn",
  title: "That took too long",
  text: "A signature is valid once, for ten minutes. Nothing was done. Read it again and sign again.",
};
