"use client";

import { Button } from "@/components/ui/button";
import { Copy } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";

export type SecretDialogProps = { title: string; secret: string; children: React.ReactNode; close: () => void };

/** A secret, this once. */
export function SecretDialog({ title, secret, children, close }: SecretDialogProps) {
  return (
    <Dialog
      open
      mustAnswer
      onOpenChange={() => {}}
      title={title}
      footer={
        <Button variant="primary" onClick={close}>
          I have stored it
        </Button>
      }
    >
      <div className="grid gap-4">
        <div className="measure text-ink-2">{children}</div>
        <section aria-label="The secret" className="rounded-control bg-sunk p-4 text-small leading-relaxed">
          <code className="mono break-all" dir="ltr">
            {secret}
          </code>
        </section>
        <div>
          <Copy value={secret} label="Copy secret" />
        </div>
        <Note tone="warn">It is shown this once. Who has it can write messages that look like ours.</Note>
      </div>
    </Dialog>
  );
}
