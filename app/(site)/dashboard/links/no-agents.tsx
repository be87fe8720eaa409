import { CreateSeller } from "@/components/agents/create-seller";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";

/** Links and invoices belong to an agent, so an owner without one names a shop first, and continues at `next`. */
export const NoAgents = ({ next }: { next?: string | undefined }) => (
  <EmptyState title="Sell something" action={<CreateSeller next={next} />}>
    Buyers pay in USDC, into your spending wallet. Do you run an agent that sells?{" "}
    <Link href="/dashboard/agents#link" className="underline underline-offset-4">
      Link an agent
    </Link>
  </EmptyState>
);
