import type { Metadata } from "next";
import { AgentMessage } from "@/components/agents/agent-message";
import { LinkAgent } from "@/components/agents/link-agent";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { listOwned } from "@/lib/agents/service";
import { agentId } from "@/lib/core/id-text";
import { withoutInvisible } from "@/lib/core/shown";
import { pageContext } from "@/lib/wiring";
import { FocusedPage } from "../focused-page";

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
  return (
    <FocusedPage ctx={{ ...ctx, actor }} isShort>
      <AddAgent
        agentId={id.success ? id.data : null}
        name={nameIn(query.name)}
        baseUrl={ctx.config.baseUrl}
        viewer={actor.type === "owner" ? "owner" : "visitor"}
        isLinked={id.success && owned.some(({ agent }) => agent.id === id.data)}
      />
    </FocusedPage>
  );
}

/** The name on one line without invisible characters, at most 100 characters; null if nothing remains. */
function nameIn(name: Query["name"]): string | null {
  if (typeof name !== "string") return null;
  const line = withoutInvisible(name.replace(/\s+/gu, " ")).trim();
  return [...line].slice(0, NAME_CHARACTERS_MAX).join("") || null;
}

type AddAgentProps = {
  /** Null if the URL has no valid id. */
  agentId: string | null;
  /** From the URL, not verified. */
  name: string | null;
  baseUrl: string;
  viewer: "owner" | "visitor";
  /** The agent is linked to the viewer. */
  isLinked: boolean;
};

/** Explains how to link an agent: by the link of its own request, never by its id. */
const AddAgent = ({ agentId, name, baseUrl, viewer, isLinked }: AddAgentProps) =>
  isLinked ? (
    <>
      <PageHeader title="This agent is linked to you" description="There is nothing left to do here." />
      <NamedAgent agentId={agentId} name={name} />
      <div>
        <ButtonLink href="/dashboard/agents" variant="primary">
          Open agents
        </ButtonLink>
      </div>
    </>
  ) : (
    <>
      <PageHeader
        title="Link an agent"
        description="An agent sent you here. Linking lets it ask you for budgets, payments and payouts. It cannot spend anything until you sign."
      />
      <NamedAgent agentId={agentId} name={name} />
      <Card title="Ask the agent for its link" className="grid gap-4 [&>header]:mb-0">
        <ol className="grid list-decimal gap-1.5 pl-5 text-control text-ink-2">
          <li>Send the agent the message below, where you usually talk to it.</li>
          <li>It replies with a link to a request. Only you and the agent have that link.</li>
          <li>Open the link. You see who asks and for how much before anything is linked.</li>
        </ol>
        <AgentMessage baseUrl={baseUrl} />
        {viewer === "owner" ? (
          <LinkAgent baseUrl={baseUrl} />
        ) : (
          <div className="grid gap-2.5">
            <SignInButton label="Sign in with your wallet" wide />
            <p className="text-small text-ink-2">Signing in moves no money. You can also open the link first.</p>
          </div>
        )}
      </Card>
      <Note tone="warn" title="Link only an agent that you run">
        This page cannot link an agent by its id, because anyone can copy an id. Compare the id on the request with the
        one that your agent shows you. If you did not start an agent, close this page.
      </Note>
    </>
  );

const NamedAgent = ({ agentId, name }: Pick<AddAgentProps, "agentId" | "name">) =>
  agentId === null ? (
    <Note tone="neutral" title="This address names no agent">
      The id is missing or not valid. The steps are the same for every agent.
    </Note>
  ) : (
    <Card aria-label="The agent in this address">
      <Facts>
        {name !== null && (
          <Fact label="Name (not verified)">
            <bdi>{name}</bdi>
          </Fact>
        )}
        <Fact label="Agent id">
          <span className="mono">{agentId}</span>
        </Fact>
      </Facts>
    </Card>
  );
