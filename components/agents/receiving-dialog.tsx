"use client";

import { useId, useState } from "react";
import { CheckboxField, TextField } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import type { Address } from "@/lib/core/address";
import { isAddressText, toAddress, ZERO_ADDRESS } from "@/lib/core/address";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";
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
