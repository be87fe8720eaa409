"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "@/components/ui/toast";
import { callApi } from "@/lib/http/client";
import { sentenceFor } from "./words";

/** Changes an agent, says so with `done`, and then closes what asked for it. `failure` says why nothing was changed. */
export function useAgentChange(agentId: string, done: string, close: () => void) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function save(change: object) {
    if (isBusy) return;
    setBusy(true);
    const answer = await callApi("PATCH", `/api/agents/${agentId}`, change);
    setBusy(false);
    if (!answer.ok) return setFailure(sentenceFor(answer));
    toast.success(done);
    router.refresh();
    close();
  }

  return { save, isBusy, failure };
}
