"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Note } from "@/components/ui/note";
import { Switch } from "@/components/ui/switch";
import { callApi } from "@/lib/http/client";
import { sentenceFor } from "./words";

export type PayeeSwitchProps = { mandateId: string; isOn: boolean };

/** Switches the confirmation of new payees, which is part of the signed terms. */
export function PayeeSwitch({ mandateId, isOn }: PayeeSwitchProps) {
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
    <>
      <Switch
        label="Confirm new payees"
        hint="Before the first payment to an address, its host confirms it, or you do."
        checked={isOn}
        onCheckedChange={(next) => void change(next)}
        disabled={isBusy}
      />
      {problem !== undefined && (
        <Note tone="bad" live="assertive" className="mt-3" title="Not changed">
          {problem}
        </Note>
      )}
    </>
  );
}
