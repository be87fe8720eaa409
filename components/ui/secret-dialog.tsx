"use client";

import { Button } from "./button";
import { Copy } from "./copy";
import { Dialog } from "./dialog";
import { Note } from "./note";

export type SecretDialogProps = {
  title: string;
  secret: string;
  /** What a person who has the secret can do. */
  risk: string;
  children: React.ReactNode;
  close: () => void;
};

/** Shows a secret once. */
export function SecretDialog({ title, secret, risk, children, close }: SecretDialogProps) {
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
        <Note tone="warn">It is shown this once. {risk}</Note>
      </div>
    </Dialog>
  );
}
