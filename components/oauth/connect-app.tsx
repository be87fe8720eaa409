"use client";

import { useId, useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Radio } from "@/components/ui/radio";
import { NAME_MAX } from "@/lib/core/lengths";

export type ConnectAppProps = {
  /** The query of the app's authorization request. */
  request: Record<string, string>;
  /** The name that the app gave itself. */
  appName: string;
  /** The owner's agents that the app may act as: those that the owner has signed something for. */
  agents: readonly { agentId: string; name: string }[];
  /** Takes the browser back to the app, which learns that nothing was allowed. */
  denialUrl: string;
};

const NEW = "new";

/** The owner chooses the agent that an app acts as. A new agent has no mandate, so the app starts without money. */
export function ConnectApp({ request, appName, agents, denialUrl }: ConnectAppProps) {
  const name = useId();
  const { post, dialog } = useConfirmed();
  const [choice, setChoice] = useState(NEW);
  const [agentName, setAgentName] = useState(appName);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isConnected, setConnected] = useState(false);

  async function connect() {
    setBusy(true);
    setFailure(undefined);
    const agent = choice === NEW ? { agentName } : { agentId: choice };
    const response = await post<{ redirectTo: string }>("/api/connections", { request, ...agent });
    setBusy(false);
    if (!response.ok) return setFailure(sentenceFor(response));
    // A program's own scheme opens the program and leaves this page open.
    setConnected(true);
    window.location.assign(response.data.redirectTo);
  }

  if (isConnected) {
    return (
      <Note tone="good" live="polite" title="Connected">
        Go back to the app. You can disconnect it under Agents at any time.
      </Note>
    );
  }
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void connect();
      }}
    >
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-body font-medium">Which agent should it act as?</legend>
        <Radio name={name} isChosen={choice === NEW} choose={() => setChoice(NEW)}>
          <span>A new agent</span>
          <span className="text-small text-ink-2">It starts without a budget.</span>
        </Radio>
        {choice === NEW && (
          <div className="pl-7.5">
            <TextField
              label="Name of the new agent"
              value={agentName}
              onChange={(event) => setAgentName(event.target.value)}
              maxLength={NAME_MAX}
              required
            />
          </div>
        )}
        {agents.map((agent) => (
          <Radio
            key={agent.agentId}
            name={name}
            isChosen={choice === agent.agentId}
            choose={() => setChoice(agent.agentId)}
          >
            <bdi className="[overflow-wrap:anywhere]">{agent.name}</bdi>
            <span className="text-small text-ink-2">It can spend what this agent’s mandates allow. You sign once.</span>
          </Radio>
        ))}
      </fieldset>
      <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2">
        <ButtonLink href={denialUrl} wide>
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" wide busy={isBusy}>
          Connect
        </Button>
      </div>
      {failure !== undefined && (
        <Note tone="bad" live="assertive" title="Not connected">
          {failure}
        </Note>
      )}
      {dialog}
    </form>
  );
}
