import type { Metadata } from "next";
import { AgentCard } from "@/components/agents/agent-card";
import { LinkAgent } from "@/components/agents/link-agent";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { toAgentItem } from "@/lib/agents/contract";
import { listOwned } from "@/lib/agents/service";
import { lookalikesOf } from "@/lib/core/lookalike";
import { countByAgent } from "@/lib/mandates/lists";
import { spendingWallet } from "@/lib/wallets/service";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsPage() {
  const ctx = await ownerContext();
  if (!ctx) return null;
  const { address, ownerId } = ctx.actor;
  const [owned, mandates, wallet] = await Promise.all([
    listOwned(ctx),
    countByAgent(ctx),
    spendingWallet(ctx, ownerId, DEFAULT_NETWORK),
  ]);
  const twins = lookalikesOf(owned.map(({ agent }) => agent.name));
  return (
    <>
      <PageHeader
        title="Agents"
        description="Programs that can request a mandate from you and pay within it. Linking an agent by itself allows no payments."
      />
      {owned.length === 0 && (
        <EmptyState title="No agent is linked yet">
          An agent asks for a mandate and gives you a link. Open it and the agent is linked to you.
        </EmptyState>
      )}
      {owned.length > 0 && (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          {owned.map((item, index) => {
            const agent = toAgentItem(item, ctx.config.baseUrl);
            return (
              <AgentCard
                key={agent.agentId}
                agent={agent}
                mandates={mandates.get(item.agent.id) ?? { total: 0, active: 0 }}
                wallet={wallet.address}
                owner={address}
                lookalike={twins[index]}
              />
            );
          })}
        </div>
      )}
      <Card id="link" title="Link an agent" className="grid gap-4 [&>header]:mb-0">
        <ol className="grid measure list-decimal gap-1.5 pl-5 text-control text-ink-2">
          <li>
            Instruct the agent to use the wallet at <span className="mono text-ink">{ctx.config.baseUrl}</span> and to
            ask for a mandate.
          </li>
          <li>It gets an authorization link and shows it to you. Only you and the agent have that link.</li>
          <li>Paste the link here, or just open it.</li>
        </ol>
        <LinkAgent baseUrl={ctx.config.baseUrl} />
      </Card>
    </>
  );
}
