"use client";

import { useId } from "react";
import { usePageWords } from "@/components/texts/page-words";
import type { DialogProps } from "./dialog-panel";
import { useLoaded } from "./use-loaded";

export type { DialogProps } from "./dialog-panel";

/** A modal, loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  const Panel = useLoaded(loadPanel, props.open);
  if (Panel) return <Panel {...props} />;
  return Panel === null && props.open && <PlainDialog {...props} />;
}

const loadPanel = () => import("./dialog-panel").then((module) => module.DialogPanel);

type PlainDialogProps = Omit<DialogProps, "open" | "hasKeys">;

/** A native dialog, used if the modal's code fails to load: its content, for example a new secret, must not be lost. */
function PlainDialog({ title, description, children, footer, mustAnswer, onOpenChange }: PlainDialogProps) {
  const { close } = usePageWords().texts;
  const id = useId();
  return (
    <dialog
      ref={show}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!mustAnswer) onOpenChange(false);
      }}
      className="m-auto max-h-[88dvh] w-full max-w-115 overflow-y-auto rounded-card border bg-card p-5 text-ink backdrop:bg-veil"
    >
      <h2 id={id} className="text-[1.125rem] leading-snug font-bold">
        {title}
      </h2>
      {description != null && <div className="mt-1 text-small text-ink-2">{description}</div>}
      <div className="py-5">{children}</div>
      <footer className="flex flex-wrap justify-end gap-2.5">
        {footer}
        {!mustAnswer && footer == null && (
          <button type="button" onClick={() => onOpenChange(false)} className="min-h-11 underline">
            {close}
          </button>
        )}
      </footer>
    </dialog>
  );
}

function show(dialog: HTMLDialogElement | null): void {
  if (dialog && !dialog.open) dialog.showModal();
}
