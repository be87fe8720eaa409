"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import { KeyForm, type KeyLimits, type KeyTerms } from "./key-form";

export type KeyActionsProps = { keyId: string; now: KeyTerms; limits: KeyLimits };

export function KeyActions({ keyId, now: terms, limits }: KeyActionsProps) {
  const router = useRouter();
  const [open, setOpen] = useState<"edit" | "revoke">();
  const path = `/api/facilitator/keys/${keyId}` as const;
  const close = () => setOpen(undefined);

  async function revoke(): Promise<string | undefined> {
    const response = await callApi("DELETE", path);
    if (!response.ok) return sentenceFor(response);
    toast.success("Key revoked");
    router.refresh();
    return undefined;
  }

  return (
    <div className="flex flex-wrap justify-end gap-1">
      <Button size="small" variant="quiet" aria-label={`Edit ${terms.name}`} onClick={() => setOpen("edit")}>
        Edit
      </Button>
      <Button
        size="small"
        variant="quiet"
        className="text-bad! hover:text-bad-2!"
        aria-label={`Revoke ${terms.name}`}
        onClick={() => setOpen("revoke")}
      >
        Revoke
      </Button>
      {open === "edit" && (
        <KeyForm
          title="Edit key"
          verb="Save changes"
          now={terms}
          limits={limits}
          request={{ method: "PATCH", path }}
          onSaved={() => {
            toast.success("Key updated");
            close();
          }}
          close={close}
        />
      )}
      <Confirm
        open={open === "revoke"}
        onOpenChange={(next) => !next && close()}
        title={
          <>
            Revoke <bdi className="[overflow-wrap:anywhere]">{terms.name}</bdi>
          </>
        }
        verb="Revoke key"
        onConfirm={revoke}
      >
        Servers that use this key can no longer verify or settle payments. Payments that are being settled go on, and
        all stay in the list. This cannot be undone.
      </Confirm>
    </div>
  );
}
