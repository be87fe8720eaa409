"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { PAYMENT_SCAN_WORDS, sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Copy } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { CheckboxField, TextField } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { NameDialog } from "@/components/ui/name-dialog";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import { toast } from "@/components/ui/toast";
import { type Address, isAddressText, toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { PAYMENT_SCANS, type PaymentScan } from "@/lib/core/scans";
import { callApi } from "@/lib/http/client";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";

export type AgentActionsProps = {
  agentId: string;
  name: string;
  receivingAddress: Address | null;
  /** The owner's spending wallet on Base. */
  wallet: Address;
  owner: Address;
  paymentScan: PaymentScan;
  /** True once the owner has signed for the agent. Until then, only the agent can change its token. */
  isBound: boolean;
  /** False: the agent is only unlinked. */
  isDeleted: boolean;
};

export function AgentActions({
  agentId,
  name,
  receivingAddress,
  wallet,
  owner,
  paymentScan,
  isBound,
  isDeleted,
}: AgentActionsProps) {
  const [open, setOpen] = useState<"rename" | "receiving" | "scan" | "token" | "delete">();
  const close = () => setOpen(undefined);
  const ofAgent = { agentId, name };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setOpen("rename")}>
          Rename
        </Button>
        <Button size="small" onClick={() => setOpen("receiving")}>
          Change address
        </Button>
        <Button size="small" onClick={() => setOpen("scan")}>
          Scan payments
        </Button>
        {isBound && (
          <Button size="small" onClick={() => setOpen("token")}>
            New token
          </Button>
        )}
        <Button size="small" variant="quiet" className="text-bad! hover:text-bad-2!" onClick={() => setOpen("delete")}>
          {isDeleted ? "Delete" : "Unlink"}
        </Button>
      </div>
      {open === "rename" && <Rename {...ofAgent} close={close} />}
      {open === "receiving" && (
        <ReceivingDialog {...ofAgent} current={receivingAddress} wallet={wallet} owner={owner} close={close} />
      )}
      {open === "scan" && <PaymentScanDialog {...ofAgent} current={paymentScan} close={close} />}
      {open === "token" && <TokenDialog {...ofAgent} close={close} />}
      <DeleteConfirm {...ofAgent} isDeleted={isDeleted} open={open === "delete"} close={close} />
    </>
  );
}

function Rename({ agentId, name, close }: { agentId: string; name: string; close: () => void }) {
  const { save, isBusy, failure } = useAgentChange(agentId, "Agent renamed", close);
  return (
    <NameDialog
      title="Rename agent"
      description="Others see the name too, on its payment link and on receipts."
      name={name}
      save={(newName) => save({ name: newName })}
      isBusy={isBusy}
      failure={failure}
      close={close}
    />
  );
}

function DeleteConfirm({
  agentId,
  name,
  isDeleted,
  open,
  close,
}: {
  agentId: string;
  name: string;
  isDeleted: boolean;
  open: boolean;
  close: () => void;
}) {
  const router = useRouter();

  async function remove(): Promise<string | undefined> {
    const response = await callApi("DELETE", `/api/agents/${agentId}`);
    if (!response.ok) return sentenceFor(response);
    toast.success(isDeleted ? "Agent deleted" : "Agent unlinked");
    router.refresh();
    return undefined;
  }

  if (!isDeleted) {
    return (
      <Confirm
        open={open}
        onOpenChange={(next) => !next && close()}
        title={
          <>
            Unlink <bdi>{name}</bdi>
          </>
        }
        verb="Unlink agent"
        onConfirm={remove}
      >
        You have signed nothing for this agent yet. It stays registered and can be linked again, by you or by somebody
        else. Mandates that wait for your signature are rejected.
      </Confirm>
    );
  }
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => !next && close()}
      title={
        <>
          Delete <bdi>{name}</bdi>
        </>
      }
      verb="Delete agent"
      typed={typedFor(name, agentId)}
      onConfirm={remove}
    >
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>Its payment link stops: payers get “not found”.</li>
        <li>Its tokens stop working, so it can neither request mandates nor pay.</li>
        <li>Payments that are already signed can still settle until they expire.</li>
        <li>Its history stays in your records. Deleting cannot be undone.</li>
      </ul>
    </Confirm>
  );
}

/** The text that confirms a deletion: the name, or the first characters of the id when the name is hard to type. */
const typedFor = (name: string, agentId: string): string =>
  /^[\p{L}\p{N}\p{P}\p{S}]+( [\p{L}\p{N}\p{P}\p{S}]+)*$/u.test(name) && name.length <= 40 ? name : agentId.slice(0, 8);

type TokenDialogProps = { agentId: string; name: string; close: () => void };

export function TokenDialog({ agentId, name, close }: TokenDialogProps) {
  const group = useId();
  const router = useRouter();
  const [revokeOld, setRevokeOld] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [token, setToken] = useState<string>();
  const { post, dialog } = useConfirmed();

  async function rotate() {
    setBusy(true);
    setFailure(undefined);
    const response = await post<{ token: string }>(`/api/agents/${agentId}/token`, { revokeOld });
    setBusy(false);
    if (!response.ok) return setFailure(sentenceFor(response));
    setToken(response.data.token);
    router.refresh();
  }

  if (token !== undefined) {
    return (
      <Dialog
        open
        mustAnswer
        onOpenChange={() => {}}
        title="Store the new token"
        footer={
          <Button variant="primary" onClick={close}>
            I have stored it
          </Button>
        }
      >
        <div className="grid gap-4">
          <p className="measure text-ink-2">
            Give it to <bdi>{name}</bdi>.{" "}
            {revokeOld ? "The old token and its logins no longer work." : "The old token works for ten more minutes."}
          </p>
          <section aria-label="The token" className="rounded-control bg-sunk p-4 text-small leading-relaxed">
            <code className="mono break-all" dir="ltr">
              {token}
            </code>
          </section>
          <div>
            <Copy value={token} label="Copy token" />
          </div>
          <Note tone="warn">It is shown only once. Anybody who has it can act as this agent.</Note>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isBusy && close()}
      title={
        <>
          New token for <bdi>{name}</bdi>
        </>
      }
      description="The agent logs in with its token. Make a new one when the old one was lost or somebody else may have it. You sign this with your wallet."
      footer={
        <>
          <Button onClick={close} disabled={isBusy}>
            Go back
          </Button>
          <Button variant="primary" busy={isBusy} onClick={() => void rotate()}>
            Make new token
          </Button>
        </>
      }
    >
      <fieldset className="grid gap-2.5">
        <legend className="sr-only">What happens to the old token</legend>
        <Radio name={group} isChosen={!revokeOld} choose={() => setRevokeOld(false)}>
          <span className="font-medium">Keep the old token for ten minutes</span>
          <span className="text-small text-ink-2">The agent keeps working while you replace it.</span>
        </Radio>
        <Radio name={group} isChosen={revokeOld} choose={() => setRevokeOld(true)}>
          <span className="font-medium">Revoke the old token now</span>
          <span className="text-small text-ink-2">
            For a token that leaked. The agent is logged out until it has the new one.
          </span>
        </Radio>
        {failure !== undefined && (
          <Note tone="bad" live="assertive" title="No new token">
            {failure}
          </Note>
        )}
      </fieldset>
      {dialog}
    </Dialog>
  );
}

type ReceivingDialogProps = {
  agentId: string;
  name: string;
  /** Null for the spending wallet. */
  current: Address | null;
  wallet: Address;
  owner: Address;
  close: () => void;
};

function ReceivingDialog({ agentId, name, current, wallet, owner, close }: ReceivingDialogProps) {
  const form = useId();
  const [isElsewhere, setElsewhere] = useState(current !== null);
  const [text, setText] = useState<string>(current ?? "");
  const [isSure, setSure] = useState(false);
  const [problem, setProblem] = useState<{ field: "address" | "sure"; text: string }>();
  const { save, isBusy, failure, dialog } = useAgentChange(agentId, "Address saved", close);
  const reading = readReceivingAddress(text, [wallet, owner]);

  function submit() {
    if (!isElsewhere) return void save({ receivingAddress: null });
    if (reading.type === "invalid") return setProblem({ field: "address", text: reading.problem });
    if (!isSure) return setProblem({ field: "sure", text: "Tick this to continue." });
    void save({ receivingAddress: reading.address });
  }

  return (
    <FormDialog
      title={
        <>
          Where <bdi>{name}</bdi> is paid
        </>
      }
      verb="Save address"
      isBusy={isBusy}
      submit={submit}
      close={close}
      nested={dialog}
    >
      <fieldset className="grid gap-1.5">
        <legend className="sr-only">Where others pay it</legend>
        <Radio name={form} isChosen={!isElsewhere} choose={() => setElsewhere(false)}>
          Your spending wallet, where your agents can spend it
        </Radio>
        <Radio name={form} isChosen={isElsewhere} choose={() => setElsewhere(true)}>
          Another address
        </Radio>
      </fieldset>
      {isElsewhere && (
        <>
          <TextField
            label="Address on Base"
            placeholder="0x…"
            className="[&_input]:font-mono"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(undefined);
            }}
            error={problem?.field === "address" ? problem.text : undefined}
          />
          {reading.type === "valid" && reading.warning !== undefined && (
            <Note tone="warn" live="polite" title="Not your address">
              {reading.warning}
            </Note>
          )}
          <Note tone="warn" title="We do not control this address">
            Payments to this agent go straight there. They are not in your wallet here, your agents cannot spend them,
            and we cannot bring them back.
          </Note>
          <CheckboxField
            label="I hold the key of this address on Base"
            checked={isSure}
            onChange={(event) => {
              setSure(event.target.checked);
              setProblem(undefined);
            }}
            error={problem?.field === "sure" ? problem.text : undefined}
          />
        </>
      )}
      {failure !== undefined && (
        <Note tone="bad" live="assertive" title="Not saved">
          {failure}
        </Note>
      )}
    </FormDialog>
  );
}

type AddressReading =
  | { type: "valid"; address: Address; warning: string | undefined }
  | { type: "invalid"; problem: string };

/** Checks a typed receiving address. `ownAddresses` are the owner's own addresses. */
function readReceivingAddress(text: string, ownAddresses: readonly Address[]): AddressReading {
  const typed = text.trim();
  if (!isAddressText(typed))
    return { type: "invalid", problem: "An address is 0x and 40 characters from 0 to 9 and a to f." };
  const address = toAddress(typed);
  const digits = typed.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (isMixed && address !== typed) {
    return {
      type: "invalid",
      problem: "The capitals do not match this address: a character is mistyped. Copy it again.",
    };
  }
  if (LOST.includes(address))
    return { type: "invalid", problem: "Money sent there would be lost. Choose another address." };
  const twin = ownAddresses.find((ownAddress) => ownAddress !== address && looksLike(address, ownAddress));
  const warning = twin && `It begins and ends like your own address ${twin} but is another one. Compare all of it.`;
  return { type: "valid", address, warning };
}

const LOST: readonly Address[] = [ZERO_ADDRESS, ...NETWORK_NAMES.map((name) => NETWORKS[name].usdc)];

/** Poisoned addresses imitate the first and last characters, which people compare. */
const looksLike = (a: Address, b: Address) =>
  a.slice(0, 6).toLowerCase() === b.slice(0, 6).toLowerCase() &&
  a.slice(-4).toLowerCase() === b.slice(-4).toLowerCase();

type PaymentScanDialogProps = { agentId: string; name: string; current: PaymentScan; close: () => void };

/** The setting that scans an agent's payments before they are signed. */
function PaymentScanDialog({ agentId, name, current, close }: PaymentScanDialogProps) {
  const form = useId();
  const [chosen, setChosen] = useState(current);
  const { save, isBusy, failure, dialog } = useAgentChange(agentId, "Scan of payments saved", close);

  function submit() {
    void save({ paymentScan: chosen });
  }

  return (
    <FormDialog
      title={
        <>
          Scan what <bdi>{name}</bdi> pays
        </>
      }
      description="The firewall reads each payment before it is signed: whom it pays, for what address, and what its description says. It costs nothing. A weaker choice needs your wallet's signature."
      verb="Save"
      isBusy={isBusy}
      submit={submit}
      close={close}
      nested={dialog}
    >
      <fieldset className="grid gap-2.5">
        <legend className="sr-only">Which payments are refused</legend>
        {PAYMENT_SCANS.map((choice) => (
          <Radio key={choice} name={form} isChosen={chosen === choice} choose={() => setChosen(choice)}>
            <span className="font-medium">{PAYMENT_SCAN_WORDS[choice]}</span>
            <span className="text-small text-ink-2">{MEANING[choice]}</span>
          </Radio>
        ))}
      </fieldset>
      {failure !== undefined && (
        <Note tone="bad" live="assertive" title="Not saved">
          {failure}
        </Note>
      )}
    </FormDialog>
  );
}

const MEANING = {
  off: "Only the mandate decides.",
  block: "Payments with the verdict block are not signed. Payments with the verdict review are signed.",
  review: "Payments with the verdict block or review are not signed. You are not asked to decide on them.",
} satisfies Record<PaymentScan, string>;

/**
 * Returns a function that changes an agent, then shows `done` as a toast and closes the dialog. `failure` explains why nothing was changed;
 * `dialog` requests a signature if the change requires one.
 */
function useAgentChange(agentId: string, done: string, close: () => void) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { patch, dialog } = useConfirmed();

  async function save(change: object) {
    if (isBusy) return;
    setBusy(true);
    const response = await patch(`/api/agents/${agentId}`, change);
    setBusy(false);
    if (!response.ok) return setFailure(sentenceFor(response));
    toast.success(done);
    router.refresh();
    close();
  }

  return { save, isBusy, failure, dialog };
}
