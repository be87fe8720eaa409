"use client";

import { useId, useState } from "react";
import { useAgentChange } from "@/components/agents/use-agent-change";
import { PAYMENT_SCAN_WORDS } from "@/components/dashboard/words";
import { FormDialog } from "@/components/ui/form-dialog";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import { PAYMENT_SCANS, type PaymentScan } from "@/lib/core/scans";

export type PaymentScanDialogProps = { agentId: string; name: string; current: PaymentScan; close: () => void };

/** The setting that scans an agent's payments before they are signed. */
export function PaymentScanDialog({ agentId, name, current, close }: PaymentScanDialogProps) {
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
