"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { usePageWords } from "@/components/texts/page-words";
import { IconButton } from "./button";
import { firstFocus, openerOf } from "./dialog-focus";

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode | undefined;
  children?: ReactNode | undefined;
  /** Buttons, the primary one last. They fill the width on phones. */
  footer?: ReactNode | undefined;
  /** When true, only a button inside closes it: for steps that a stray click must not end. */
  mustAnswer?: boolean | undefined;
  /** True if a key opened the dialog. The same key closes it. */
  hasKeys?: boolean | undefined;
};

/**
 * A modal: centred on desktops, at the bottom edge on phones. Focuses the first field or the cancel button, and returns the focus on close.
 */
export function DialogPanel({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  mustAnswer = false,
  hasKeys = false,
}: DialogProps) {
  const hold = (event: Event) => {
    if (mustAnswer) event.preventDefault();
  };
  const { close } = usePageWords().texts;
  const opener = useRef<HTMLElement | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-veil bg-veil" />
        <Radix.Content
          onOpenAutoFocus={(event) => {
            opener.current = openerOf(document.activeElement);
            const content = event.currentTarget;
            if (!(content instanceof HTMLElement)) return;
            event.preventDefault();
            (firstFocus(content) ?? content).focus({ preventScroll: true });
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // The action of the dialog may already have moved the focus.
            if (document.activeElement === document.body && opener.current?.isConnected) opener.current.focus();
          }}
          onPointerDownOutside={hold}
          onInteractOutside={hold}
          onEscapeKeyDown={hold}
          {...(hasKeys && { "data-keys": "" })}
          {...(description == null && { "aria-describedby": undefined })}
          className="fixed z-50 flex max-h-[88dvh] animate-rise flex-col overflow-hidden border bg-card shadow-lift max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-card sm:inset-x-0 sm:top-[12vh] sm:mx-auto sm:max-h-[76vh] sm:w-full sm:max-w-115 sm:rounded-card"
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-5 sm:px-6">
            <div className="min-w-0">
              <Radix.Title className="text-[1.125rem] leading-snug font-bold">{title}</Radix.Title>
              {description != null && (
                <Radix.Description className="mt-1 text-small text-ink-2">{description}</Radix.Description>
              )}
            </div>
            {!mustAnswer && (
              <Radix.Close asChild>
                <IconButton label={close} icon={<X aria-hidden />} className="-mt-1 -me-2" />
              </Radix.Close>
            )}
          </header>
          <div className="min-h-0 overflow-y-auto px-5 py-5 sm:px-6">{children}</div>
          {footer != null && (
            <footer className="flex flex-wrap justify-end gap-2.5 border-t px-5 py-4 max-sm:[&>*]:flex-1 sm:px-6">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
