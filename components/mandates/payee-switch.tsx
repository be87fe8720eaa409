"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Card } from "@/components/ui/card";
import { Note } from "@/components/ui/note";
import { Switch } from "@/components/ui/switch";
import { callApi } from "@/lib/http/client";
import { sentenceFor } from "./words";

export type PayeeSwitchProps = { mandateId: string; isOn: boolean; isDisabled: boolean };

/** Switches the confirmation of payees, which is part of what the owner signs. */
export function PayeeSwitch({ mandateId, isOn, isDisabled }: PayeeSwitchProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function change(confirmPayees: boolean) {
    setBusy(true);
    setProblem(undefined);
    const response = await callApi("PATCH", `/api/mandates/${mandateId}`, { confirmPayees });
    setBusy(false);
    if (!response.ok) setProblem(sentenceFor(response));
    router.refresh();
  }

  return (
    <Card className="mb-2.5">
      <Switch
        label="Confirm new payees"
        hint="Before an address is paid for the first time, we ask the host whether it wants to be paid there. If it does not say so, we ask you."
        checked={isOn}
        onCheckedChange={(next) => void change(next)}
        disabled={isBusy || isDisabled}
      />
      {problem !== undefined && (
        <Note tone="bad" live="assertive" className="mt-3" title="Not changed">
          {problem}
        </Note>
      )}
    </Card>
  );
}
