"use client";

import type { DialogProps } from "./dialog-panel";
import { PlainDialog } from "./plain-dialog";
import { useLoaded } from "./use-loaded";

export type { DialogProps } from "./dialog-panel";

/** A modal, loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  const Panel = useLoaded(loadPanel, props.open);
  if (Panel) return <Panel {...props} />;
  return Panel === null && props.open && <PlainDialog {...props} />;
}

const loadPanel = () => import("./dialog-panel").then((module) => module.DialogPanel);
