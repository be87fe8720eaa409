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

  async function turn() {
    setSending(true);
    const json = { status: isOn ? "disabled" : "active" };
    const answer = await callApi("PATCH", `/api/agents/${agentId}/payment-links/${linkId}`, json);
    setSending(false);
    if (!answer.ok) return toast.error(sentenceFor(answer));
    toast.success(isOn ? "Link disabled" : "Link enabled");
    draw(() => router.refresh());
  }

  return (
    <Button busy={isSending || isDrawing} onClick={() => void turn()}>
      {isOn ? "Disable link" : "Enable link"}
    </Button>
  );
}
