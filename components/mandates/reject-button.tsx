"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";
import { sentenceFor } from "./words";

export type RejectButtonProps = { mandateId: string; token: string | undefined; disabled?: boolean | undefined };

/** One press, because saying no must not be harder than saying yes; the agent may ask again. */
export function RejectButton({ mandateId, token, disabled = false }: RejectButtonProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function reject() {
    setBusy(true);
    setProblem(undefined);
    const answer = await callApi("POST", `/api/mandates/${mandateId}/reject`, { token });
    if (!answer.ok) {
      setBusy(false);
      setProblem(sentenceFor(answer));
    }
    router.refresh();
  }

  return (
    <>
      <Button wide busy={isBusy} disabled={disabled} onClick={reject}>
        Reject
      </Button>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="It is not rejected">
          {problem}
        </Note>
      )}
    </>
  );
}
