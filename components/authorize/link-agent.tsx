"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/mandates/words";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { callApi } from "@/lib/http/client";
import { RejectButton } from "./reject-button";

export type LinkAgentProps = {
  /** Where the agent is linked, and where no is said. */
  claimPath: `/${string}`;
  rejectPath: `/${string}`;
  token: string | undefined;
  agentName: string;
};

/** Makes the agent the signed-in owner's. Allows it nothing yet. */
export function LinkAgent({ claimPath, rejectPath, token, agentName }: LinkAgentProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function link() {
    setBusy(true);
    setProblem(undefined);
    const answer = await callApi("POST", claimPath, { token });
    // On success it stays busy until the refreshed page shows the next step.
    if (!answer.ok) {
      setBusy(false);
      setProblem(sentenceFor(answer));
    }
    router.refresh();
  }

  return (
    <div className="grid gap-2.5">
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="The agent is not linked">
          {problem}
        </Note>
      )}
      <Button variant="primary" wide busy={isBusy} onClick={link} className="[overflow-wrap:anywhere]">
        <span>
          Link <bdi>{agentName}</bdi> to your account
        </span>
      </Button>
      <RejectButton path={rejectPath} token={token} disabled={isBusy} />
    </div>
  );
}
