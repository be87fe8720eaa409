"use client";

import { useState } from "react";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { IssuePanel, type IssuePanelProps } from "./issue-panel";
import { type Pasted, VerifyPanel } from "./verify-panel";

export type WorkbenchProps = {
  /** The owner's agents; null without a session. `isBound`: the owner has signed something for the agent. */
  agents: readonly (IssuePanelProps["agents"][number] & { isBound: boolean })[] | null;
  limits: IssuePanelProps["limits"];
};

const NOTHING: Pasted = { vc: "", audience: "", challenge: "" };

/** Issues a credential, passes it to the verifier below, and verifies it. */
export function Workbench({ agents, limits }: WorkbenchProps) {
  const [passed, setPassed] = useState({ times: 0, pasted: NOTHING });
  const passOn = (pasted: Pasted) => setPassed({ times: passed.times + 1, pasted });
  const bound = agents?.filter(({ isBound }) => isBound) ?? [];
  return (
    <>
      <Card title="Issue a credential" className="grid gap-5 [&>header]:mb-0">
        {agents === null && <SignedOut />}
        {agents?.length === 0 && <NoAgents />}
        {agents !== null && agents.length > 0 && bound.length === 0 && <NothingSigned />}
        {bound.length > 0 && <IssuePanel agents={bound} limits={limits} onVerify={passOn} />}
      </Card>
      <VerifyPanel key={passed.times} initial={passed.pasted} isPassedOn={passed.times > 0} />
    </>
  );
}

function SignedOut() {
  return (
    <>
      <p className="measure text-control text-ink-2">
        Agents request credentials themselves, at <code className="mono">POST /agent/vc/issue</code>. Signed in, you can
        have one issued for your agent, to try it out or to help an agent that cannot. You sign one message with your
        wallet; it costs nothing and moves no money.
      </p>
      <div>
        <SignInButton label="Sign in with your wallet" />
      </div>
    </>
  );
}

function NoAgents() {
  return (
    <EmptyState
      title="No agent is linked yet"
      action={
        <ButtonLink href="/dashboard/agents#link" variant="primary">
          Link an agent
        </ButtonLink>
      }
    >
      A credential says who an agent is. Link an agent to have credentials issued for it here.
    </EmptyState>
  );
}

function NothingSigned() {
  return (
    <EmptyState
      title="Nothing is signed yet"
      action={
        <ButtonLink href="/dashboard/mandates" variant="primary">
          Open mandates
        </ButtonLink>
      }
    >
      You can have credentials issued for an agent once you have signed a mandate or approved a payment of it. Until
      then only the agent can get them.
    </EmptyState>
  );
}
