"use client";

import type { ReactNode } from "react";
import { Drawer } from "./drawer";
import { type NavItem, NavLinks } from "./nav-links";

export type NavDrawerProps = { items: readonly NavItem[]; foot: ReactNode };

/** The dashboard's navigation on a phone. */
export const NavDrawer = ({ items, foot }: NavDrawerProps) => (
  <Drawer label="Dashboard" foot={foot}>
    {(close) => <NavLinks items={items} onFollow={close} />}
  </Drawer>
);
