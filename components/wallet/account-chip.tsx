"use client";

import { ChevronDown, Copy, LayoutGrid, LogOut, Settings } from "lucide-react";
import { SETTINGS } from "@/components/site/sections";
import { Menu } from "@/components/ui/menu";
import { shorten } from "@/components/ui/shorten";
import { Tile } from "@/components/ui/tile";
import { toast } from "@/components/ui/toast";
import { useLeave } from "./use-leave";

export type AccountChipProps = {
  /** The signed-in owner, from the session. */
  address: string;
  /** Adds "Open dashboard" to the menu, for pages outside it. */
  dashboardHref?: string | undefined;
  side?: "top" | "bottom" | undefined;
  align?: "start" | "end" | undefined;
};

export function AccountChip({ address, dashboardHref, side = "bottom", align = "end" }: AccountChipProps) {
  const endSession = useLeave();

  async function leave() {
    // A full page load: discards all state of the session, and the front page is a separate document.
    if (await endSession()) window.location.assign("/");
  }

  async function copy() {
    const isCopied = await navigator.clipboard.writeText(address).then(
      () => true,
      () => false,
    );
    if (isCopied) toast.success("Address copied");
    else toast.error("Your browser did not allow copying");
  }

  return (
    <Menu
      side={side}
      align={align}
      heading={
        <>
          Signed in as <span className="mono">{shorten(address)}</span>
        </>
      }
      items={[
        ...(dashboardHref === undefined
          ? []
          : [{ label: "Open dashboard", href: dashboardHref, icon: <LayoutGrid aria-hidden /> }]),
        { label: SETTINGS.label, href: SETTINGS.href, icon: <Settings aria-hidden /> },
        { label: "Copy address", onSelect: copy, icon: <Copy aria-hidden /> },
        { label: "Sign out", onSelect: leave, icon: <LogOut aria-hidden /> },
      ]}
      trigger={
        <button
          type="button"
          aria-label={`Account ${shorten(address)}`}
          className="inline-flex min-h-9 min-w-0 items-center gap-2 rounded-control px-2 text-small transition-colors hover:bg-sunk max-sm:min-h-11"
        >
          <Tile seed={address} size={22} />
          <span className="truncate mono max-sm:in-[header]:hidden">{shorten(address)}</span>
          <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-2" />
        </button>
      }
    />
  );
}
