"use client";

import { CircleSlash, Copy as Duplicate, Ellipsis, Pencil, Power, QrCode, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Copy } from "@/components/ui/copy";
import { Menu } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import { type QrKind, saveQr } from "./qr-files";
import { linkSentence } from "./words";

export type LinkActionsProps = {
  agentId: string;
  linkId: string;
  url: string;
  /** One line. */
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

  // An action may remove the row, and the focus in it, from the list.
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
      <Copy value={url} label="Copy link" iconOnly className="size-9" />
      <Menu
        trigger={<IconButton label={`More about ${title}`} icon={<Ellipsis aria-hidden />} />}
        items={[
          { label: "Edit", icon: <Pencil aria-hidden />, href: `/dashboard/links/${linkId}/edit` },
          { label: "Duplicate", icon: <Duplicate aria-hidden />, href: `/dashboard/links/new?from=${linkId}` },
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
