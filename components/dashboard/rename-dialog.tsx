"use client";

import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { useAgentChange } from "./use-agent-change";

export type RenameDialogProps = { agentId: string; name: string; close: () => void };

const CHARACTERS_MAX = 100;

export function RenameDialog({ agentId, name, close }: RenameDialogProps) {
  const form = useId();
  const [text, setText] = useState(name);
  const [problem, setProblem] = useState<string>();
  const { save, isBusy, failure } = useAgentChange(agentId, "Agent renamed", close);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() === "") return setProblem("Give it a name of 1 to 100 characters.");
    void save({ name: text.trim() });
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isBusy && close()}
      title="Rename agent"
      description="Others see the name too: it stands on its payment link and on receipts."
      footer={
        <>
          <Button onClick={close} disabled={isBusy}>
            Go back
          </Button>
          <Button type="submit" form={form} variant="primary" busy={isBusy}>
            Save name
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate>
        <TextField
          label="Name"
          dir="auto"
          maxLength={CHARACTERS_MAX}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
          error={problem ?? failure}
        />
      </form>
    </Dialog>
  );
}
