"use client";

import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { ActionBar } from "./columns";
import { RejectButton } from "./reject-button";
import { usePost } from "./use-post";

export type LinkAgentProps = {
  /** The API paths that link the agent and refuse its request. */
  claimPath: `/${string}`;
  rejectPath: `/${string}`;
  token: string | undefined;
  agentName: string;
};

/** Links the agent to the signed-in owner. Linking alone gives the agent no permissions. */
export function LinkAgent({ claimPath, rejectPath, token, agentName }: LinkAgentProps) {
  const { post, isBusy, problem } = usePost(claimPath, token);
  return (
    <>
      {problem !== undefined && (
        <Note tone="bad" live="assertive" title="The agent is not linked">
          {problem}
        </Note>
      )}
      <ActionBar className="grid-cols-[auto_minmax(0,1fr)]">
        <RejectButton path={rejectPath} token={token} disabled={isBusy} />
        <Button variant="primary" wide busy={isBusy} onClick={() => void post()} className="[overflow-wrap:anywhere]">
          <span>
            Link <bdi>{agentName}</bdi> to your account
          </span>
        </Button>
      </ActionBar>
    </>
  );
}
