"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/dashboard/words";
import { toast } from "@/components/ui/toast";

/**
 * Returns a function that changes an agent, then shows `done` as a toast and closes the dialog. `failure` explains why nothing was changed;
 * `dialog` requests a signature if the change requires one.
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
