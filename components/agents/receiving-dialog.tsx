"use client";

import { useId, useState } from "react";
import { CheckboxField, TextField } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import type { Address } from "@/lib/core/address";
import { readReceivingAddress } from "./receiving-address";
import { useAgentChange } from "./use-agent-change";

export type ReceivingDialogProps = {
  agentId: string;
  name: string;
  /** Null for the spending wallet. */
  current: Address | null;
  wallet: Address;
  owner: Address;
  close: () => void;
};

/** Sets the address that receives payments to the agent. */
export function ReceivingDialog({ agentId, name, current, wallet, owner, close }: ReceivingDialogProps) {
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
