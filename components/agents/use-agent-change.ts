"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/dashboard/words";
import { toast } from "@/components/ui/toast";

/**
 * Changes an agent, shows `done` as a toast and closes the dialog. `failure` is the reason when nothing was changed; `dialog`
 * requests a signature when the change requires one.
 */
export function useAgentChange(agentId: string, done: string, close: () => void) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { patch, dialog } = useConfirmed();

  async function save(change: object) {
    if (isBusy) return;
    setBusy(true);
    const response = await patch(`/api/agents/${agentId}`, change);
    setBusy(false);
    if (!response.ok) return setFailure(sentenceFor(response));
    toast.success(done);
    router.refresh();
    close();
  }

  return { save, isBusy, failure, dialog };
}
