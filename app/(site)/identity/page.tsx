import type { Metadata } from "next";
import { PublishedKeys } from "@/components/identity/published-keys";
import { Snippets } from "@/components/identity/snippets";
import { Workbench } from "@/components/identity/workbench";
import { PageHeader } from "@/components/ui/page-header";
import { listOwned } from "@/lib/agents/service";
import { agentIdentity, publishedKeyStates } from "@/lib/identity/service";
import { pageContext } from "@/lib/wiring";
import { snippetsFor } from "./snippets";

export const metadata: Metadata = { title: "Agent identity" };

export default async function IdentityPage() {
  const { actor, ...ctx } = await pageContext();
  const [owned, keys] = await Promise.all([
    actor.type === "owner" ? listOwned({ ...ctx, actor }) : null,
    publishedKeyStates(ctx),
  ]);
  const { challenge_bytes_max: challengeBytes, credential_ttl_seconds_max: ttlSeconds } = agentIdentity(ctx);
  return (
    <>
      <PageHeader
        title="Agent identity"
        description="An agent shows another service who it is with a credential: a text that we sign, for one audience, for one visit and for a short time. It says who the agent is, and allows nothing else."
      />
      <Workbench
        agents={
          owned?.map(({ agent: { id, name, boundAt } }) => ({ agentId: id, name, isBound: boundAt !== null })) ?? null
        }
        limits={{ challengeBytes, ttlSeconds }}
      />
      <Snippets snippets={snippetsFor(ctx.config.baseUrl)} />
      <PublishedKeys keys={keys} />
    </>
  );
}
