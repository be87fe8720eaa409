"use client";

import type { ReactNode } from "react";
import { NotLoaded } from "./not-loaded";
import { useLoaded } from "./use-loaded";

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
  /** It was opened by a key, which closes it too. */
  hasKeys?: boolean | undefined;
};

/** A modal, loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  const Panel = useLoaded(loadPanel, props.open);
  if (Panel) return <Panel {...props} />;
  return Panel === null && props.open && <NotLoaded />;
}

const loadPanel = () => import("./dialog-panel").then((module) => module.DialogPanel);
