"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { CANCELS } from "@/components/ui/dialog-focus";
import { Note } from "@/components/ui/note";
import { ConnectDialog } from "@/components/wallet/connect-dialog";
import { useConnected } from "@/components/wallet/connection";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { useTypedData } from "@/components/wallet/use-typed-data";
import { callApi, isUnknown } from "@/lib/http/client";
import type { Problem } from "./signing";
import type { VaultView } from "./vaults/types";
import { sentenceFor } from "./words";

export type ControlsProps = {
  mandateId: string;
  isEnabled: boolean;
  /** False once the mandate has ended. */
  canPause: boolean;
  /** The pending amount, for example "1.00 USDC"; null if nothing is pending. */
  underway: string | null;
  /** For a mandate with a vault: a button that empties the vault, shown instead of the plain revocation. */
  takeBack?: ReactNode;
};

/** The buttons that stop a mandate, for the header of its page. */
export function Controls({ mandateId, isEnabled, canPause, underway, takeBack }: ControlsProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isRevoking, setRevoking] = useState(false);
  const { post, dialog } = useConfirmed();

  async function allow(next: boolean) {
    setBusy(true);
    setProblem(undefined);
    const response = await post(`/api/mandates/${mandateId}/enabled`, { isEnabled: next });
    if (!response.ok) setProblem(sentenceFor(response));
    setBusy(false);
    router.refresh();
  }

  async function revoke() {
    const response = await callApi("POST", `/api/mandates/${mandateId}/revoke`);
    router.refresh();
    return response.ok ? undefined : sentenceFor(response);
  }

  return (
    <>
      {canPause && (
        <Button busy={isBusy} onClick={() => void allow(!isEnabled)}>
          {isEnabled ? "Pause mandate" : "Resume mandate"}
        </Button>
      )}
      {takeBack ?? <Button onClick={() => setRevoking(true)}>Revoke mandate</Button>}
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="The change was not confirmed" className="w-full">
          {problem}
        </Note>
      )}
      <Confirm
        open={isRevoking}
        onOpenChange={setRevoking}
        title="Revoke this mandate for good?"
        verb="Revoke mandate"
        onConfirm={revoke}
      >
        The agent can no longer pay under it. This cannot be undone. The agent can ask you for a new mandate.
        {underway !== null && (
          <> {underway} is already signed. It may still be paid, or returns to the budget when the signatures expire.</>
        )}
      </Confirm>
      {dialog}
    </>
  );
}

type TakeBackProps = {
  mandateId: string;
  /** The address of the vault: the verifying contract of the signature. */
  vault: string;
  mandateHash: string | null;
  funding: VaultView["funding"];
  owner: string;
  chainId: number;
  /** The pending amount, for example "1.00 USDC"; null if nothing is pending. */
  underway: string | null;
  /** True if the service has revoked the mandate: the chain enforces the revocation only with the owner's signature. */
  isRevoked: boolean;
};

type Way = "signed" | "unsigned";

/** Ends a mandate with a vault and returns its money to the owner: by the owner's signature, or by the service alone. */
export function TakeBack(props: TakeBackProps) {
  const [isOpen, setOpen] = useState(false);
  const [isSigned, setSigned] = useState(false);
  if (isSigned && props.isRevoked) {
    return (
      <>
        <p role="status">Your signature is on its way to the chain.</p>
        <LiveRefresh news="" isExpecting />
      </>
    );
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        {props.isRevoked ? "Sign the revocation as well" : "Take back everything now"}
      </Button>
      {isOpen && <TakeBackDialog {...props} close={() => setOpen(false)} onSigned={() => setSigned(true)} />}
    </>
  );
}

type TakeBackDialogProps = TakeBackProps & { close: () => void; onSigned: () => void };

function TakeBackDialog({ funding, underway, isRevoked, close, onSigned, ...request }: TakeBackDialogProps) {
  const { find, isFinding } = useConnected();
  const [isConnecting, setConnecting] = useState(false);
  const {
    takeBack,
    way: pendingMethod,
    problem,
  } = useTakeBack(request, (method) => {
    if (method === "signed") onSigned();
    close();
  });
  const isBusy = pendingMethod !== undefined || isFinding;
  const signed = async () => ((await find()) === undefined ? setConnecting(true) : takeBack("signed"));
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isBusy && close()}
      title={isRevoked ? "Sign the revocation as well?" : "Take back everything now?"}
      footer={
        <>
          {isRevoked ? (
            <Button {...CANCELS} onClick={close} disabled={isBusy}>
              Go back
            </Button>
          ) : (
            <Button
              busy={pendingMethod === "unsigned"}
              disabled={pendingMethod === "signed" || isFinding}
              onClick={() => void takeBack("unsigned")}
            >
              Take back without signing
            </Button>
          )}
          <Button
            variant="danger"
            busy={pendingMethod === "signed" || isFinding}
            disabled={pendingMethod === "unsigned"}
            onClick={() => void signed()}
          >
            {isRevoked ? "Sign the revocation" : "Sign and take back"}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-ink-2">
        <p>
          {isRevoked
            ? "We have stopped signing payments under this mandate. With your signature the contract stops them too."
            : "The agent can make no more payments under this mandate, and the vault's money goes to your own wallet. This cannot be undone."}
          {underway !== null && ` ${underway} is already signed and may still be paid, if it arrives first.`}
        </p>
        <Ways funding={funding} isRevoked={isRevoked} />
        {pendingMethod === "signed" && (
          <p role="status" className="text-small">
            Sign the revocation in your wallet.
          </p>
        )}
        {problem !== undefined && (
          <Note tone={problem.tone} live="assertive" title={problem.title}>
            {problem.text}
          </Note>
        )}
      </div>
      <ConnectDialog open={isConnecting} onOpenChange={setConnecting} onDone={() => void takeBack("signed")} />
    </Dialog>
  );
}

/** Explains what the owner's signature adds. */
const Ways = ({ funding, isRevoked }: Pick<TakeBackProps, "funding" | "isRevoked">) => (
  <dl className="grid gap-3">
    <div>
      <dt className="font-medium text-ink">With your signature</dt>
      <dd>
        The contract itself ends the mandate and sends you its money. After that, payments from the vault and draws into
        it are impossible, even for us or a thief with our keys. No gas.
      </dd>
    </div>
    <div>
      <dt className="font-medium text-ink">Without it</dt>
      <dd>
        {!isRevoked && "We stop signing payments and send the vault’s money to your wallet. "}
        {funding === "permit"
          ? "The vault’s permission to draw from your wallet stays until the mandate ends: a thief with our keys could use it."
          : "The contract does not change until the mandate ends: you rely on us to send the money."}
      </dd>
    </div>
  </dl>
);

type Request = Pick<TakeBackProps, "mandateId" | "vault" | "mandateHash" | "owner" | "chainId">;

type Signature = { type: "signed"; body: { vaultSignature: string } } | { type: "failed"; problem: Problem };
const UNSIGNED = { type: "unsigned", body: {} } as const;

function useTakeBack({ mandateId, vault, mandateHash, owner, chainId }: Request, onDone: (method: Way) => void) {
  const router = useRouter();
  const signTypedData = useTypedData();
  const [pendingMethod, setWay] = useState<Way>();
  const [problem, setProblem] = useState<Problem>();

  async function signature(): Promise<Signature> {
    const prepared = await callApi<TypedDataPayload>("GET", `/api/mandates/${mandateId}/revocation`);
    if (!prepared.ok) return { type: "failed", problem: failed(sentenceFor(prepared)) };
    const { domain, message } = prepared.data;
    if (domain.verifyingContract !== vault || message.mandate !== mandateHash)
      return {
        type: "failed",
        problem: failed("This transaction was prepared for a different vault. Reload the page and try again."),
      };
    const result = await signTypedData({ owner, chainId, typedData: prepared.data });
    if (result.type === "signed") return { type: "signed", body: { vaultSignature: result.signature } };
    return { type: "failed", problem: result.type === "rejected" ? REJECTED : failed(result.reason) };
  }

  async function attempt(method: Way): Promise<Problem | undefined> {
    const request = method === "signed" ? await signature() : UNSIGNED;
    if (request.type === "failed") return request.problem;
    const response = await callApi("POST", `/api/mandates/${mandateId}/revoke`, request.body);
    if (response.ok) return undefined;
    return isUnknown(response) ? UNKNOWN : failed(sentenceFor(response));
  }

  async function takeBack(method: Way) {
    setWay(method);
    setProblem(undefined);
    const newProblem = await attempt(method);
    setWay(undefined);
    setProblem(newProblem);
    if (newProblem === undefined) onDone(method);
    router.refresh();
  }

  return { takeBack, way: pendingMethod, problem };
}

const failed = (text: string): Problem => ({ tone: "bad", title: "Nothing was taken back", text });

const REJECTED: Problem = { tone: "warn", title: "You did not sign", text: "The mandate is unchanged." };

const UNKNOWN: Problem = {
  tone: "warn",
  title: "We do not know yet",
  text: "The result is unknown. Reload this page to see whether the mandate is revoked.",
};
