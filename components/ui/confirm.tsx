"use client";

import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { CANCELS } from "./dialog-focus";
import { TextField } from "./field";
import { Note } from "./note";

export type ConfirmProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Says what happens to the money and whether it can be undone. */
  children: ReactNode;
  /** A verb with its object: "Revoke mandate". */
  verb: string;
  tone?: "primary" | "danger" | undefined;
  /** A text that the person must type to enable the button. */
  typed?: string | undefined;
  /** A dialog above this one. */
  nested?: ReactNode;
  /** Resolves to an error message (shown; the dialog stays open), or to undefined on success (the dialog closes). */
  onConfirm: () => Promise<string | undefined>;
};

/** Confirms an action that cannot be undone. */
export function Confirm({ open, onOpenChange, ...dialogProps }: ConfirmProps) {
  return open && <OpenConfirm {...dialogProps} close={() => onOpenChange(false)} />;
}

type OpenProps = Omit<ConfirmProps, "open" | "onOpenChange"> & { close: () => void };

function OpenConfirm({ title, children, verb, tone = "danger", typed, nested, onConfirm, close }: OpenProps) {
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isReady = typed === undefined || text.trim() === typed;

  async function confirm() {
    setBusy(true);
    const problem = await onConfirm().catch(() => "That did not work. Try again.");
    setBusy(false);
    if (problem === undefined) close();
    else setFailure(problem);
  }

  return (
    <Dialog
      open
      onOpenChange={(next) => !next && !isBusy && close()}
      title={title}
      footer={
        <>
          <Button {...CANCELS} onClick={close} disabled={isBusy}>
            Go back
          </Button>
          <Button variant={tone} busy={isBusy} disabled={!isReady} onClick={confirm}>
            {verb}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <div className="measure text-ink-2">{children}</div>
        {typed !== undefined && (
          <TextField
            label={
              <>
                Type <b>{typed}</b> to continue
              </>
            }
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {failure !== undefined && (
          <Note tone="bad" live="assertive">
            {failure}
          </Note>
        )}
      </div>
      {nested}
    </Dialog>
  );
}
