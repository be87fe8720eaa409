"use client";

import type { DialogProps } from "./dialog-panel";
import { NotLoaded } from "./not-loaded";
import { useLoaded } from "./use-loaded";

export type { DialogProps } from "./dialog-panel";

/** A modal, loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  const Panel = useLoaded(loadPanel, props.open);
  if (Panel) return <Panel {...props} />;
  return Panel === null && props.open && <NotLoaded />;
}

const loadPanel = () => import("./dialog-panel").then((module) => module.DialogPanel);
