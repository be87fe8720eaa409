import type { Metadata } from "next";
import { AddAgent } from "@/components/agents/add-agent";
import { OneColumn } from "@/components/site/one-column";
import { PublicPage } from "@/components/site/public-page";
import { listOwned } from "@/lib/agents/service";
import { agentId } from "@/lib/core/id-text";
import { withoutInvisible } from "@/lib/core/shown";
import { pageContext } from "@/lib/wiring";
import { OwnerFrame } from "../dashboard/owner-frame";

export const metadata: Metadata = { title: "Link an agent", robots: { index: false } };
export const dynamic = "force-dynamic";

const NAME_CHARACTERS_MAX = 100;

type Query = { agentId?: string | string[]; name?: string | string[] };

/**
 * The page to which an agent sends a person to link it. Anybody can write this URL: the page links nothing, and its texts are untrusted.
 */
export default async function AddAgentPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { actor, ...ctx } = await pageContext();
  const query = await searchParams;
  const id = agentId.safeParse(query.agentId);
  const owned = actor.type === "owner" ? await listOwned({ ...ctx, actor }) : [];
  const isDevnet = ctx.config.mode === "devnet";
  const content = (
    <AddAgent
      agentId={id.success ? id.data : null}
      name={nameIn(query.name)}
      baseUrl={ctx.config.baseUrl}
      viewer={actor.type === "owner" ? "owner" : "visitor"}
      isLinked={id.success && owned.some(({ agent }) => agent.id === id.data)}
    />
  );
  if (actor.type !== "owner") return <PublicPage devnet={isDevnet}>{content}</PublicPage>;
  return (
    <OwnerFrame address={actor.address} isDevnet={isDevnet}>
      <OneColumn>{content}</OneColumn>
    </OwnerFrame>
  );
}

/** The name on one line without invisible characters, at most 100 characters; null if nothing remains. */
function nameIn(name: Query["name"]): string | null {
  if (typeof name !== "string") return null;
  const line = withoutInvisible(name.replace(/\s+/gu, " ")).trim();
  return [...line].slice(0, NAME_CHARACTERS_MAX).join("") || null;
}
