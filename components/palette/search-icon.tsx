"use client";

import { Search } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { useEarlyClick } from "@/components/ui/use-early-click";
import { openPalette } from "./open";

/** For phones, which have no keyboard shortcuts. */
export function SearchIcon() {
  const earlyClick = useEarlyClick<HTMLButtonElement>();
  return <IconButton {...earlyClick} label="Search" icon={<Search aria-hidden />} onClick={openPalette} />;
}
