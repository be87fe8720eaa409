"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";

export type TokenDialogProps = { agentId: string; name: string; close: () => void };

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
            {revokeOld
              ? "The old token and its logins do not work any more."
              : "The old token works for ten more minutes."}
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
