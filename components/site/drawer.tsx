"use client";

import { Menu } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/button";
import { NotLoaded } from "@/components/ui/not-loaded";
import { useEarlyClick } from "@/components/ui/use-early-click";
import { useLoaded } from "@/components/ui/use-loaded";
import type { DrawerProps } from "./drawer-panel";
import { usePath, useQuery } from "./location";

/** The button that opens the navigation on phones. The drawer's code is loaded at first use. */
export function Drawer(props: DrawerProps) {
  /** The page on which the drawer was opened: a navigation closes it. */
  const place = `${usePath()}?${useQuery()}`;
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === place;
  const Panel = useLoaded(loadPanel, isOpen);
  const button = useEarlyClick<HTMLButtonElement>();
  return (
    <>
      <IconButton
        {...button}
        label="Menu"
        icon={<Menu aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpenedAt(place)}
        className="-mr-2"
      />
      {isOpen && Panel && (
        <Panel {...props} close={() => setOpenedAt(undefined)} leave={() => button.ref.current?.focus()} />
      )}
      {isOpen && Panel === null && <NotLoaded />}
    </>
  );
}

const loadPanel = () => import("./drawer-panel").then((module) => module.DrawerPanel);
