"use client";

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/button";
import { Wordmark } from "@/components/ui/wordmark";

export type DrawerProps = {
  /** Names the navigation: "Dashboard". */
  label: string;
  children: (close: () => void) => ReactNode;
  foot?: ReactNode | undefined;
};

type DrawerPanelProps = DrawerProps & {
  close: () => void;
  /** Called on close; returns the focus to the button. */
  leave: () => void;
};

/** A navigation on a phone: a modal drawer, so Tab stays inside and Escape closes it. */
export function DrawerPanel({ label, children, foot, close, leave }: DrawerPanelProps) {
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-veil bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            leave();
          }}
          className="fixed inset-y-0 left-0 z-50 flex w-[min(19rem,86vw)] animate-slide flex-col border-r bg-paper px-3 py-4"
        >
          <div className="flex items-center justify-between pb-4 pl-3">
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <Wordmark />
            <Dialog.Close asChild>
              <IconButton label="Close menu" icon={<X aria-hidden />} />
            </Dialog.Close>
          </div>
          <nav aria-label={label} className="min-h-0 flex-1 overflow-y-auto">
            {children(close)}
          </nav>
          {foot != null && <div className="border-t pt-3">{foot}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
