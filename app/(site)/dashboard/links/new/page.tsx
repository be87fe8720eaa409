import type { Metadata } from "next";
import { z } from "zod";
import { NewLink } from "@/components/links/new-link";
import { SessionOver } from "@/components/site/connection";
import { PageHeader } from "@/components/ui/page-header";
import { listOwned } from "@/lib/agents/service";
import { id } from "@/lib/core/id-text";
import { orNotFound } from "@/lib/http/found";
import { redirectOrigins } from "@/lib/links/redirects";
import { getForOwner } from "@/lib/links/service";
import type { SearchParams } from "../../query";
import { ownerContext } from "../../viewer";
import { NoAgents } from "../no-agents";
import { startOf } from "../start";

export const metadata: Metadata = { title: "New link" };

const query = z.object({ from: id("link").optional().catch(undefined) });

export default async function NewLinkPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const { from } = query.parse(await searchParams);
  const [owned, original] = await Promise.all([
    listOwned(ctx),
    from && orNotFound(getForOwner(ctx, from)).then(({ view }) => view.link),
  ]);
  // An expiry in the past is not copied.
  const isAhead = original?.expiresAt && original.expiresAt > ctx.now();
  return (
    <>
      <PageHeader
        title={original ? "Duplicate a link" : "New payment link"}
        description="The price cannot be changed later."
        back={{ href: "/dashboard/links", label: "Links" }}
      />
      {owned.length === 0 ? (
        <NoAgents />
      ) : (
        <NewLink
          owner={ctx.actor.address}
          agents={owned.map(({ agent }) => ({ id: agent.id, name: agent.name }))}
          origins={await redirectOrigins(ctx)}
          start={
            original && {
              agentId: original.agentId,
              link: { ...startOf(original), expiresAt: isAhead ? original.expiresAt : null },
            }
          }
        />
      )}
    </>
  );
}
