"use client";

import { SelectField } from "@/components/ui/field";

export type AgentFieldProps = {
  agents: readonly { id: string; name: string }[];
  agentId: string;
  choose: (agentId: string) => void;
  hint: string;
  error: string | undefined;
};

/** The agent that sells, for an owner with several. */
export function AgentField({ agents, agentId, choose, hint, error }: AgentFieldProps) {
  if (agents.length === 1) return null;
  return (
    <SelectField
      label="Agent"
      hint={hint}
      value={agentId}
      onChange={(event) => choose(event.target.value)}
      options={agents.map(({ id, name }) => ({ value: id, label: name }))}
      error={error}
    />
  );
}
