"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";

export type LinkSwitchProps = { agentId: string; linkId: string; isOn: boolean };

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
