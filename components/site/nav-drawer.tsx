"use client";

import type { ReactNode } from "react";
import { Drawer } from "./drawer";
import { type NavGroup, NavLinks } from "./nav-links";

export type NavDrawerProps = { groups: readonly NavGroup[]; foot: ReactNode };

/** The dashboard's navigation on a phone. */
export const NavDrawer = ({ groups, foot }: NavDrawerProps) => (
  <Drawer label="Dashboard" foot={foot}>
    {(close) => <NavLinks groups={groups} onFollow={close} />}
  </Drawer>
);
