"use client";

import { CircleSlash, Copy as CopyIcon, CopyPlus, Ellipsis, Pencil, Power, QrCode, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";
import { encode, renderSVG } from "uqr";
import { sentenceFor } from "@/components/dashboard/words";
import { Button, IconButton } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Copy } from "@/components/ui/copy";
import { Menu } from "@/components/ui/menu";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import { linkSentence } from "./words";

export type LinkActionsProps = {
  agentId: string;
  linkId: string;
  url: string;
  /** On one line. */
  title: string;
  isOn: boolean;
};

const UNDO_MS = 10_000;

/** The actions of a link in its row. */
export function LinkActions({ agentId, linkId, url, title, isOn }: LinkActionsProps) {
  const router = useRouter();
  const [isDeleting, setDeleting] = useState(false);
  const hasActed = useRef(false);
  const path = `/api/agents/${agentId}/payment-links/${linkId}` as const;

  // An action may remove the row, and with it the focused element.
  useEffect(
    () => () => {
      if (hasActed.current) document.getElementById("main")?.focus({ preventScroll: true });
    },
    [],
  );

  async function setEnabled(isEnabled: boolean, isUndo = false) {
    const response = await callApi("PATCH", path, { status: isEnabled ? "active" : "disabled" });
    if (!response.ok) return void toast.error(linkSentence(response));
    hasActed.current = true;
    router.refresh();
    toast.success(isEnabled ? "Link enabled" : "Link disabled", {
      duration: UNDO_MS,
      action: isUndo ? undefined : { label: "Undo", onClick: () => void setEnabled(!isEnabled, true) },
    });
  }

  async function remove(): Promise<string | undefined> {
    const response = await callApi("DELETE", path);
    if (!response.ok) return linkSentence(response);
    toast.success("Link deleted");
    hasActed.current = true;
    router.refresh();
    return undefined;
  }

  const save = (kind: QrKind) => () =>
    void saveQr(url, linkId, kind).catch(() => toast.error("This browser could not draw the QR code."));

  return (
    <div className="flex items-center justify-end gap-1">
      <Copy value={url} label="Copy link" iconOnly className="size-9 max-sm:hidden" />
      <Menu
        trigger={<IconButton label={`More about ${title}`} icon={<Ellipsis aria-hidden />} />}
        items={[
          { label: "Copy link", icon: <CopyIcon aria-hidden />, onSelect: () => void copyLink(url) },
          { label: "Edit", icon: <Pencil aria-hidden />, href: `/dashboard/links/${linkId}/edit` },
          { label: "Duplicate", icon: <CopyPlus aria-hidden />, href: `/dashboard/links/new?from=${linkId}` },
          { label: "Save QR code as SVG", icon: <QrCode aria-hidden />, onSelect: save("svg") },
          { label: "Save QR code as PNG", icon: <QrCode aria-hidden />, onSelect: save("png") },
          isOn
            ? { label: "Disable link", icon: <CircleSlash aria-hidden />, onSelect: () => void setEnabled(false) }
            : { label: "Enable link", icon: <Power aria-hidden />, onSelect: () => void setEnabled(true) },
          { label: "Delete", icon: <Trash2 aria-hidden />, tone: "danger", onSelect: () => setDeleting(true) },
        ]}
      />
      <Confirm
        open={isDeleting}
        onOpenChange={setDeleting}
        title={
          <>
            Delete <bdi className="[overflow-wrap:anywhere]">{title}</bdi>
          </>
        }
        verb="Delete link"
        onConfirm={remove}
      >
        <ul className="grid list-disc gap-1.5 pl-5">
          <li>Anyone who opens it from now on sees “not found”.</li>
          <li>A payment that was already accepted completes, and its buyer gets what they bought.</li>
          <li>Its payments stay in your records. Deleting cannot be undone: to pause the link, disable it.</li>
        </ul>
      </Confirm>
    </div>
  );
}

const copyLink = (url: string) =>
  navigator.clipboard.writeText(url).then(
    () => toast.success("Link copied"),
    () => toast.error("This browser could not copy the link."),
  );

type QrKind = "svg" | "png";

/** ISO/IEC 18004 requires a quiet zone of four modules; without it scanners miss the code on dark paper. */
const LOOK = { ecc: "M", border: 4 } as const;
const PNG_PIXELS = 1024;

/** Downloads the QR code of `value`. Drawn in the browser, so that no third party learns the value. */
async function saveQr(value: string, name: string, kind: QrKind): Promise<void> {
  const file = kind === "svg" ? new Blob([renderSVG(value, LOOK)], { type: "image/svg+xml" }) : await png(value);
  saveFile(`${name}.${kind}`, file);
}

function png(value: string): Promise<Blob> {
  const { data, size } = encode(value, LOOK);
  // A whole number of pixels for each module avoids grey edges.
  const scale = Math.ceil(PNG_PIXELS / size);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * scale;
  const ink = canvas.getContext("2d");
  if (!ink) return Promise.reject(new Error("this browser draws no images"));
  ink.fillStyle = "white";
  ink.fillRect(0, 0, canvas.width, canvas.height);
  ink.fillStyle = "black";
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) if (isDark) ink.fillRect(x * scale, y * scale, scale, scale);
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("this browser saves no images"))), "image/png"),
  );
}

type LinkSwitchProps = { agentId: string; linkId: string; isOn: boolean };

/** Disables and enables a link. A payment that was already accepted still completes. */
export function LinkSwitch({ agentId, linkId, isOn }: LinkSwitchProps) {
  const router = useRouter();
  const [isSending, setSending] = useState(false);
  const [isDrawing, draw] = useTransition();

  async function toggleLink() {
    setSending(true);
    const json = { status: isOn ? "disabled" : "active" };
    const response = await callApi("PATCH", `/api/agents/${agentId}/payment-links/${linkId}`, json);
    setSending(false);
    if (!response.ok) return toast.error(sentenceFor(response));
    toast.success(isOn ? "Link disabled" : "Link enabled");
    draw(() => router.refresh());
  }

  return (
    <Button busy={isSending || isDrawing} onClick={() => void toggleLink()}>
      {isOn ? "Disable link" : "Enable link"}
    </Button>
  );
}
