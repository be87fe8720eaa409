import { CreateSeller } from "@/components/agents/create-seller";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";

/** A link belongs to an agent, so an owner without agents creates or links one first. */
export const NoAgents = ({ next }: { next?: string | undefined }) => (
  <EmptyState
    title="Sell something"
    action={
      <div className="grid w-full justify-items-center gap-5">
        <CreateSeller next={next} />
        <ButtonLink href="/dashboard/agents#link" variant="quiet">
          Link an agent
        </ButtonLink>
      </div>
    }
  >
    Buyers pay into your spending wallet. Name your shop, or link an agent that you already run.
  </EmptyState>
);
