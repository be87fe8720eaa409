"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { useEarlyClick } from "@/components/ui/use-early-click";

/** The keyboard shortcuts of the dashboard, and a button that opens the palette. Dialogs are loaded at first use. */
export function Shortcuts() {
  const [open, setOpen] = useState<"palette" | "keys">();
  const earlyClick = useEarlyClick<HTMLButtonElement>();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const dialog = wantedBy(event);
      if (!dialog) return;
      event.preventDefault();
      setOpen((currentDialog) => (currentDialog === dialog ? undefined : dialog));
    };
    document.addEventListener("keydown", press);
    const stop = onPalette(() => setOpen("palette"));
    return () => {
      document.removeEventListener("keydown", press);
      stop();
    };
  }, []);
  const close = () => setOpen(undefined);
  return (
    <>
      <button
        {...earlyClick}
        type="button"
        onClick={openPalette}
        aria-keyshortcuts="Control+K Meta+K"
        className="mb-2 flex min-h-9 items-center gap-2.5 rounded-tile border px-3 text-control text-ink-2 transition-colors hover:bg-sunk hover:text-ink"
      >
        <Search aria-hidden className="size-4 shrink-0" />
        Search
        <kbd aria-hidden className="ml-auto text-tiny">
          Ctrl K
        </kbd>
      </button>
      {open === "palette" && <Palette close={close} />}
      {open === "keys" && <Keys close={close} />}
    </>
  );
}

/** The dialog that a key opens. Null while another dialog is open; "?" is ignored while typing. */
function wantedBy(event: KeyboardEvent): "palette" | "keys" | null {
  const isOther = document.querySelector("[role=dialog]:not([data-keys])") !== null;
  if (isOther || event.altKey || event.isComposing) return null;
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey) return "palette";
  return event.key === "?" && !event.ctrlKey && !event.metaKey && !isTyping(event.target) ? "keys" : null;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const Palette = dynamic(() => import("./palette").then((module) => module.Palette), { ssr: false });
const Keys = dynamic(() => import("./keys").then((module) => module.Keys), { ssr: false });

/** For phones, which have no keyboard shortcuts. */
export function SearchIcon() {
  const earlyClick = useEarlyClick<HTMLButtonElement>();
  return <IconButton {...earlyClick} label="Search" icon={<Search aria-hidden />} onClick={openPalette} />;
}

/** For a page that offers the search. */
export function SearchButton() {
  const earlyClick = useEarlyClick<HTMLButtonElement>();
  return (
    <Button {...earlyClick} variant="primary" onClick={openPalette}>
      <Search aria-hidden />
      Search
    </Button>
  );
}

/** Opens the palette from any button: the palette is rendered once, by the layout. */
const EVENT = "tessera:search";

const openPalette = (): boolean => window.dispatchEvent(new Event(EVENT));

function onPalette(open: () => void): () => void {
  window.addEventListener(EVENT, open);
  return () => window.removeEventListener(EVENT, open);
}
