"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "./button";

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
};

/** A modal: centred on desktops, at the bottom edge on phones. */
export function Dialog({ open, onOpenChange, title, description, children, footer, mustAnswer = false }: DialogProps) {
  const hold = (event: Event) => {
    if (mustAnswer) event.preventDefault();
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-veil bg-veil" />
        <Radix.Content
          onPointerDownOutside={hold}
          onInteractOutside={hold}
          onEscapeKeyDown={hold}
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
                <IconButton label="Close" icon={<X aria-hidden />} className="-mt-1 -mr-2" />
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
