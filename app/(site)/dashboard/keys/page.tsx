import type { Metadata } from "next";
import { NewToken } from "@/components/agents/new-token";
import { SessionOver } from "@/components/site/connection";
import { AddressTag } from "@/components/ui/address-tag";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { JsonView } from "@/components/ui/json-view";
import { PageHeader } from "@/components/ui/page-header";
import { Tile } from "@/components/ui/tile";
import { listOwned } from "@/lib/agents/service";
import { ownerContext } from "../viewer";

export const metadata: Metadata = { title: "Keys" };

/** The tokens with which programs act for the owner's sellers and agents. */
export default async function KeysPage() {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const agents = (await listOwned(ctx)).map(({ agent }) => agent).filter(({ boundAt }) => boundAt !== null);
  return (
    <>
      <PageHeader
        title="Keys"
        description="A program acts for one of your sellers or agents with its id and token. Whoever has the token can do the same."
      />
      {agents.length === 0 ? (
        <EmptyState title="No sellers or agents yet" action={<ButtonLink href="/dashboard">Open overview</ButtonLink>}>
          Create a seller or sign an agent’s mandate. Its key then appears here.
        </EmptyState>
      ) : (
        <>
          <ul aria-label="Keys" className="grid divide-y rounded-card border bg-card">
            {agents.map(({ id, name }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3.5 sm:px-6">
                <div className="flex min-w-0 items-center gap-3.5">
                  <Tile seed={id} size={32} />
                  <div className="min-w-0">
                    <p className="text-control font-medium [overflow-wrap:anywhere]">
                      <bdi>{name}</bdi>
                    </p>
                    <p className="text-small text-ink-2">
                      <AddressTag address={id} noun="agent id" tile={false} />
                    </p>
                  </div>
                </div>
                <NewToken agentId={id} name={name} />
              </li>
            ))}
          </ul>
          <Card title="Create a payment link from a program">
            <JsonView value={commandsFor(ctx.config.baseUrl)} label="commands" />
          </Card>
        </>
      )}
    </>
  );
}

const commandsFor = (baseUrl: string) => `JWT=$(curl -s ${baseUrl}/refresh \\
  --json '{"agent_id":"AGENT_ID","token":"TOKEN"}' | jq -r .jwt)
curl -s ${baseUrl}/api/payment-links -H "Authorization: Bearer $JWT" \\
  --json '{"amount":"1000000","description":"My first link"}' | jq -r .paymentLink.url`;
