"use client";

import { Slot } from "radix-ui";
import { type ComponentType, type KeyboardEvent, type ReactNode, useState } from "react";
import type { ChoiceMenuProps, MenuProps } from "./menu-panel";
import { toast } from "./toast";
import { useEarlyClick } from "./use-early-click";

export const Menu = (props: MenuProps) => <Loading load={loadMenu} props={props} />;

/** A menu of which one item is selected, such as a theme or a sort order. */
export const ChoiceMenu = (props: ChoiceMenuProps) => <Loading load={loadChoiceMenu} props={props} />;

type LoadingProps<Props> = { load: () => Promise<ComponentType<Props>>; props: Props };

/** Renders only the trigger. The menu's code is loaded on hover or focus; on press, the open menu replaces the trigger. */
function Loading<Props extends { trigger: ReactNode }>({ load, props }: LoadingProps<Props>) {
  const [Panel, setPanel] = useState<ComponentType<Props>>();
  const earlyClick = useEarlyClick();
  if (Panel) return <Panel {...props} />;
  // Errors are ignored here: the press loads again and reports a failure.
  const prepare = () => void load().catch(() => undefined);
  const open = () =>
    void load().then(
      (loaded) => setPanel(() => loaded),
      () => toast.error("We could not be reached. Try again."),
    );
  const press = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    open();
  };
  return (
    <Slot.Root
      {...earlyClick}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={open}
      onKeyDown={press}
    >
      {props.trigger}
    </Slot.Root>
  );
}

const loadMenu = () => import("./menu-panel").then((module) => module.MenuPanel);
const loadChoiceMenu = () => import("./menu-panel").then((module) => module.ChoiceMenuPanel);
