import { CreateSeller } from "@/components/agents/create-seller";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";

/** A link belongs to an agent, so an owner without agents creates or links one first. */
export const NoAgents = ({ baseUrl }: { baseUrl: string }) => (
  <EmptyState
    title="Sell something"
    action={
      <>
        <CreateSeller baseUrl={baseUrl} hasAgent={false} />
        <ButtonLink href="/dashboard/agents#link">Link an agent</ButtonLink>
      </>
    }
  >
    A payment link belongs to a seller, and is paid to your spending wallet. Create a seller with one click, or link an
    agent that you already run.
  </EmptyState>
);
