import type { Metadata } from "next";
import { AgentActions } from "@/components/agents/agent-actions";
import { AgentMessage } from "@/components/agents/agent-message";
import { LinkAgent } from "@/components/agents/link-agent";
import { PAYMENT_SCAN_WORDS } from "@/components/dashboard/words";
import { LookalikeNote } from "@/components/mandates/lookalike-note";
import { type ConnectedApp, ConnectedApps } from "@/components/oauth/connected-apps";
import { SpendingCaps } from "@/components/settings/spending-caps";
import { SessionOver } from "@/components/site/connection";
import { AddressTag } from "@/components/ui/address-tag";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Copy } from "@/components/ui/copy";
import { Disclosure } from "@/components/ui/disclosure";
import { EmptyState } from "@/components/ui/empty-state";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Tile } from "@/components/ui/tile";
import { Time } from "@/components/ui/time";
import { type AgentItem, toAgentItem } from "@/lib/agents/contract";
import { listOwned } from "@/lib/agents/service";
import type { Address } from "@/lib/core/address";
import { lookalikesOf } from "@/lib/core/lookalike";
import { type SpendingCapView, toCapView } from "@/lib/mandates/caps/contract";
import { listOwned as listCaps } from "@/lib/mandates/caps/service";
import { countByAgent } from "@/lib/mandates/lists";
import { toConnectionItem } from "@/lib/oauth/contract";
import { listConnections } from "@/lib/oauth/service";
import { spendingWallet } from "@/lib/wallets/service";
import { DEFAULT_NETWORK } from "@/lib/x402/networks";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsPage() {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const { address, ownerId } = ctx.actor;
  const [owned, connections, mandates, wallet, caps] = await Promise.all([
    listOwned(ctx),
    listConnections(ctx),
    countByAgent(ctx),
    spendingWallet(ctx, ownerId, DEFAULT_NETWORK),
    listCaps(ctx),
  ]);
  const twins = lookalikesOf(owned.map(({ agent }) => agent.name));
  return (
    <>
      <PageHeader
        title="Agents"
        description="Programs that can request a mandate from you and pay within it. Linking an agent by itself allows no payments."
        actions={owned.length > 0 && <ButtonLink href="#link">Link an agent</ButtonLink>}
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
            const cap = caps.find(({ row, network }) => row.agentId === item.agent.id && network === DEFAULT_NETWORK);
            return (
              <AgentCard
                key={agent.agentId}
                agent={agent}
                apps={connections.map(toConnectionItem).filter(({ agentId }) => agentId === agent.agentId)}
                mandates={mandates.get(item.agent.id) ?? { total: 0, active: 0 }}
                wallet={wallet.address}
                owner={address}
                lookalike={twins[index]}
                cap={cap === undefined ? null : toCapView(cap, ctx.now())}
              />
            );
          })}
        </div>
      )}
      <Card id="link" title="Link an agent" className="grid gap-4 [&>header]:mb-0">
        <ol className="grid measure list-decimal gap-1.5 pl-5 text-control text-ink-2">
          <li>Send the agent the message below, where you usually talk to it.</li>
          <li>It replies with a link to a request. Only you and the agent have that link.</li>
          <li>Paste the link here, or just open it.</li>
        </ol>
        <AgentMessage baseUrl={ctx.config.baseUrl} />
        <LinkAgent baseUrl={ctx.config.baseUrl} />
      </Card>
    </>
  );
}

type AgentCardProps = {
  agent: AgentItem;
  apps: readonly ConnectedApp[];
  /** The number of mandates that the agent requested, and how many of them are active. */
  mandates: { total: number; active: number };
  wallet: Address;
  owner: Address;
  /** The name of another agent of the owner that looks almost the same. */
  lookalike: string | undefined;
  /** The owner's limit on what the agent spends. */
  cap: SpendingCapView | null;
};

function AgentCard({ agent, apps, mandates, wallet, owner, lookalike, cap }: AgentCardProps) {
  return (
    <Card id={agent.agentId} className="grid scroll-mt-20 gap-5">
      <div className="flex items-center gap-3.5">
        <Tile seed={agent.agentId} size={42} />
        <div className="min-w-0">
          <h2 className="text-body [overflow-wrap:anywhere]">
            <bdi>{agent.name}</bdi>
          </h2>
          <p className="text-small text-ink-2">
            <AddressTag address={agent.agentId} noun="agent id" tile={false} />
          </p>
        </div>
      </div>
      {lookalike !== undefined && <LookalikeNote name={lookalike} />}
      <Facts>
        <Fact label="Mandates">
          {mandates.total === 0 ? (
            "None"
          ) : (
            <Link
              href={`/dashboard/mandates?agent=${agent.agentId}`}
              className="font-medium text-brand underline underline-offset-4"
            >
              {mandates.active} active of {mandates.total}
            </Link>
          )}
        </Fact>
        <Fact label="Linked">
          <Time at={agent.linkedAt ?? agent.createdAt} form="short" show="absolute" />
        </Fact>
        <Fact label="Paid at">
          <span className="grid justify-items-end">
            <span>{agent.receivingAddress === null ? "Your spending wallet" : "Another address"}</span>
            <AddressTag address={agent.effectiveReceivingAddress} tileSize={18} />
          </span>
        </Fact>
        <Fact label="Scan of its payments">{PAYMENT_SCAN_WORDS[agent.paymentScan]}</Fact>
      </Facts>
      {apps.length > 0 && <ConnectedApps apps={apps} />}
      <SpendingCaps network={DEFAULT_NETWORK} agentId={agent.agentId} cap={cap} />
      <Disclosure summary="Payment link of this agent">
        <div className="grid gap-3">
          <p className="mono text-small [overflow-wrap:anywhere]">{agent.uplUrl}</p>
          <p className="text-small text-ink-2">
            Payers add what they pay, in millionths of a dollar:{" "}
            <span className="mono">?amount=1000000&asset=usdc</span> requests 1.00 USDC.
          </p>
          <div>
            <Copy value={agent.uplUrl} label="Copy payment link" />
          </div>
        </div>
      </Disclosure>
      <AgentActions
        agentId={agent.agentId}
        name={agent.name}
        receivingAddress={agent.receivingAddress}
        wallet={wallet}
        owner={owner}
        paymentScan={agent.paymentScan}
        isBound={agent.isBound}
        isDeleted={agent.isBound || agent.hasSold}
      />
    </Card>
  );
}
