"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/mandates/words";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";

export type RejectButtonProps = {
  /** Where no is said. */
  path: `/${string}`;
  token: string | undefined;
  label?: string | undefined;
  disabled?: boolean | undefined;
};

/** One press, because saying no must not be harder than saying yes; the agent may ask again. */
export function RejectButton({ path, token, label = "Reject", disabled = false }: RejectButtonProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function reject() {
    setBusy(true);
    setProblem(undefined);
    const answer = await callApi("POST", path, { token });
    if (!answer.ok) {
      setBusy(false);
      setProblem(sentenceFor(answer));
    }
    router.refresh();
  }

  return (
    <>
      <Button wide busy={isBusy} disabled={disabled} onClick={reject}>
        {label}
      </Button>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="That was not done">
          {problem}
        </Note>
      )}
    </>
  );
}
