"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { PaymentScanDialog } from "@/components/payments/payment-scan-dialog";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { NameDialog } from "@/components/ui/name-dialog";
import { toast } from "@/components/ui/toast";
import type { Address } from "@/lib/core/address";
import type { PaymentScan } from "@/lib/core/scans";
import { callApi } from "@/lib/http/client";
import { ReceivingDialog } from "./receiving-dialog";
import { TokenDialog } from "./token-dialog";
import { useAgentChange } from "./use-agent-change";

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
        <li>Payments that it has signed for already may still go through until they expire.</li>
        <li>Its history stays in your records. Deleting cannot be undone.</li>
      </ul>
    </Confirm>
  );
}

/** The text that confirms a deletion: the name, or the first characters of the id when the name is hard to type. */
const typedFor = (name: string, agentId: string): string =>
  /^[\p{L}\p{N}\p{P}\p{S}]+( [\p{L}\p{N}\p{P}\p{S}]+)*$/u.test(name) && name.length <= 40 ? name : agentId.slice(0, 8);
