"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Confirm } from "@/components/ui/confirm";
import { Note } from "@/components/ui/note";
import { Switch } from "@/components/ui/switch";
import { callApi } from "@/lib/http/client";
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

export function Controls({ mandateId, isEnabled, canPause, underway, takeBack }: ControlsProps) {
  const router = useRouter();
  const [pendingState, setWanted] = useState<boolean>();
  const [problem, setProblem] = useState<string>();
  const [isRevoking, setRevoking] = useState(false);
  const { post, dialog } = useConfirmed();

  async function allow(next: boolean) {
    if (pendingState !== undefined) return;
    setWanted(next);
    setProblem(undefined);
    const response = await post(`/api/mandates/${mandateId}/enabled`, { isEnabled: next });
    if (!response.ok) setProblem(sentenceFor(response));
    router.refresh();
    setWanted(undefined);
  }

  async function revoke() {
    const response = await callApi("POST", `/api/mandates/${mandateId}/revoke`);
    router.refresh();
    return response.ok ? undefined : sentenceFor(response);
  }

  return (
    <Card title={takeBack ? "Pause or take back" : "Pause or revoke"}>
      <div className="grid gap-4">
        {canPause && (
          <Switch
            label="May pay"
            hint={
              (pendingState ?? isEnabled)
                ? "Turn this off to pause it: every payment is refused until you turn it on again."
                : "Paused: every payment is refused until you turn this on again. You sign that with your wallet."
            }
            checked={pendingState ?? isEnabled}
            onCheckedChange={allow}
          />
        )}
        {problem !== undefined && (
          <Note tone="bad" live="assertive" title="The change was not confirmed">
            {problem}
          </Note>
        )}
        <div>{takeBack ?? <Button onClick={() => setRevoking(true)}>Revoke mandate</Button>}</div>
      </div>
      <Confirm
        open={isRevoking}
        onOpenChange={setRevoking}
        title="Revoke this mandate for good?"
        verb="Revoke mandate"
        onConfirm={revoke}
      >
        The agent can make no payment under it any more. This cannot be undone. The agent can ask you for a new mandate.
        {underway !== null && (
          <> {underway} is signed for already and may still be paid, or returns to the budget when its proofs expire.</>
        )}
      </Confirm>
      {dialog}
    </Card>
  );
}
