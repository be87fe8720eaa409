import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";

/** A link belongs to an agent, so an owner without agents cannot create one. */
export const NoAgents = () => (
  <EmptyState
    title="You have no agent yet"
    action={
      <ButtonLink href="/dashboard/agents#link" variant="primary">
        Link an agent
      </ButtonLink>
    }
  >
    A payment link belongs to one of your agents, and is paid at that agent's address. Link an agent first.
  </EmptyState>
);
