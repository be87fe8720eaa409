"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useConnection } from "wagmi";
import { RejectButton } from "@/components/authorize/reject-button";
import { SwitchAccount } from "@/components/authorize/switch-account";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Note } from "@/components/ui/note";
import { shorten } from "@/components/ui/shorten";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { type TypedDataPayload, useTypedData } from "@/components/wallet/use-typed-data";
import { callApi } from "@/lib/http/client";
import { PayeeSwitch } from "./payee-switch";
import { type Careful, type Payees, sentenceFor } from "./words";

export type SignPanelProps = {
  mandateId: string;
  token: string | undefined;
  /** The signed-in owner, who must sign. */
  owner: string;
  chainId: number;
  /** The largest possible loss, as "25.00 USDC". */
  limit: string;
  /** The text that the person types to confirm. */
  careful: Careful | undefined;
  /** The switch that confirms new payees. */
  payees: Payees | undefined;
  /** The typed data that the page shows. The wallet signs exactly this. */
  shown: TypedDataPayload;
  rejectLabel?: string | undefined;
};

type Problem = { tone: "warn" | "bad"; title: string; text: string };

/** Buttons to sign in the wallet or to reject. */
export function SignPanel(props: SignPanelProps) {
  const { mandateId, token, owner, chainId, limit, careful, payees, shown, rejectLabel } = props;
  const { address } = useConnection();
  const [open, setOpen] = useState<"connect" | "confirm">();
  const { sign, isBusy, problem } = useSigning({ mandateId, owner, chainId, payees, shown });
  const close = () => setOpen(undefined);

  function start() {
    if (address === undefined) setOpen("connect");
    else if (careful) setOpen("confirm");
    else void sign();
  }

  return (
    <div className="grid gap-2.5">
      {payees && <PayeeSwitch mandateId={mandateId} isOn={payees.isOn} isDisabled={isBusy} />}
      {address !== undefined && address !== owner && (
        <WrongWallet address={address} owner={owner} onConnect={() => setOpen("connect")} />
      )}
      {problem && (
        <Note tone={problem.tone} live="assertive" title={problem.title}>
          {problem.text}
        </Note>
      )}
      <Button variant="primary" wide busy={isBusy} onClick={start}>
        Sign with your wallet: up to {limit}
      </Button>
      <RejectButton path={`/api/mandates/${mandateId}/reject`} token={token} label={rejectLabel} disabled={isBusy} />
      <p role="status" className="text-center text-small text-ink-2">
        {isBusy ? "Sign in your wallet. Compare its request with the data shown here." : "You only sign. No gas."}
      </p>
      <ConnectDialog
        open={open === "connect"}
        onOpenChange={(next) => !next && close()}
        onDone={() => {
          if (careful) setOpen("confirm");
          else void sign();
        }}
      />
      {careful && (
        <CarefulConfirm
          careful={careful}
          open={open === "confirm"}
          close={close}
          limit={limit}
          onConfirm={() => void sign()}
        />
      )}
    </div>
  );
}

function useSigning({
  mandateId,
  owner,
  chainId,
  payees,
  shown,
}: Pick<SignPanelProps, "mandateId" | "owner" | "chainId" | "payees" | "shown">) {
  const router = useRouter();
  const signTypedData = useTypedData();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  async function attempt(): Promise<Problem | undefined> {
    if (payees && !payees.isSaved) {
      const saved = await callApi("PATCH", `/api/mandates/${mandateId}`, { confirmPayees: payees.isOn });
      if (!saved.ok) return notSigned(sentenceFor(saved));
    }
    const typedData = await callApi<TypedDataPayload>("GET", `/api/mandates/${mandateId}/typed-data`);
    if (!typedData.ok) return notSigned(sentenceFor(typedData));
    // The wallet signs only what the person has read.
    if (JSON.stringify(typedData.data) !== JSON.stringify(shown)) {
      return { tone: "warn", title: "Read it again", text: "The mandate has changed since you opened this page." };
    }
    const result = await signTypedData({ owner, chainId, typedData: typedData.data });
    if (result.outcome === "rejected") {
      return { tone: "warn", title: "You did not sign", text: "Nothing is allowed and nothing was spent." };
    }
    if (result.outcome === "failed") return notSigned(result.reason);
    const { signature } = result;
    const answer = await callApi("POST", `/api/mandates/${mandateId}/signature`, { signature });
    if (answer.ok) return undefined;
    return answer.status === 0 ? UNKNOWN : notSigned(sentenceFor(answer));
  }

  async function sign() {
    setBusy(true);
    setProblem(undefined);
    const found = await attempt();
    setProblem(found);
    // On success it stays busy until the refreshed page shows the signed mandate.
    if (found) setBusy(false);
    router.refresh();
  }

  return { sign, isBusy, problem };
}

const notSigned = (text: string): Problem => ({ tone: "bad", title: "It is not signed", text });

const UNKNOWN: Problem = {
  tone: "warn",
  title: "We could not be reached",
  text: "Your signature may have arrived. Reload this page: it shows whether the mandate is signed.",
};

function WrongWallet({ address, owner, onConnect }: { address: string; owner: string; onConnect: () => void }) {
  return (
    <Note
      tone="warn"
      live="polite"
      title="Your wallet is on another account"
      actions={
        <>
          <Button size="small" onClick={onConnect}>
            Choose a wallet
          </Button>
          <SwitchAccount size="small" variant="quiet" />
        </>
      }
    >
      You are signed in as <span className="mono">{shorten(owner)}</span> and your wallet shows{" "}
      <span className="mono">{shorten(address)}</span>. Choose {shorten(owner)} in your wallet, then sign.
    </Note>
  );
}

type CarefulProps = { careful: Careful; open: boolean; close: () => void; limit: ReactNode; onConfirm: () => void };

function CarefulConfirm({ careful, open, close, limit, onConfirm }: CarefulProps) {
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => !next && close()}
      title={careful === "any host" ? "It may pay anyone" : "It may pay out to any address"}
      verb="Go on to the wallet"
      typed={careful}
      onConfirm={async () => {
        // Not awaited: the wallet opens after this dialog has closed.
        onConfirm();
        return undefined;
      }}
    >
      {careful === "any host"
        ? "This mandate names no hosts. The agent may pay every site that requests a payment, and pay out to any address, up to "
        : "This mandate lists payouts. The agent may send your money to whatever address it chooses, up to "}
      {limit} in total. If you know whom it has to pay, go back and narrow it.
    </Confirm>
  );
}
