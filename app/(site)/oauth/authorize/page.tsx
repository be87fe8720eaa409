import type { Metadata } from "next";
import { ConnectApp } from "@/components/oauth/connect-app";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { listOwned } from "@/lib/agents/service";
import { AppError } from "@/lib/core/errors";
import * as oauth from "@/lib/oauth/service";
import { pageContext } from "@/lib/wiring";
import { AuthorizePage } from "../../authorize/frame";
import type { OwnerContext } from "../../context";

export const metadata: Metadata = { title: "Connect an app", robots: { index: false } };
export const dynamic = "force-dynamic";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The authorization endpoint (RFC 6749, section 3.1): an owner lets an app act as one of their agents. */
export default async function OAuthAuthorizePage({ searchParams }: Props) {
  const { actor, ...app } = await pageContext();
  if (actor.type === "anonymous") {
    const content = (
      <>
        <PageHeader
          title="Sign in to connect an app"
          description="An app asks to use one of your agents. Signing in moves no money."
        />
        <div className="justify-self-start">
          <SignInButton label="Sign in with your wallet" />
        </div>
      </>
    );
    return <AuthorizePage ctx={{ ...app, actor }} shown={{ stage: "sign-in", said: "", content }} />;
  }
  const ctx = { ...app, actor };
  const query = await searchParams;
  const ask = await readAsk(ctx, query);
  if (ask instanceof AppError) {
    const content = (
      <PageHeader
        title="This app cannot be connected"
        description={
          <>
            {ask.message}
            {typeof ask.details?.field === "string" && ` (${ask.details.field})`}. Nothing was allowed. Start the
            connection in the app again.
          </>
        }
      />
    );
    return <AuthorizePage ctx={ctx} shown={{ stage: "refused", said: "Not possible", content }} />;
  }
  const owned = await listOwned(ctx);
  const content = (
    <>
      <PageHeader
        title={
          <>
            Let <bdi className="[overflow-wrap:anywhere]">“{ask.appName}”</bdi> use an agent?
          </>
        }
        description="Continue only if you just started this in the app."
      />
      <Card className="grid gap-4">
        <Facts>
          <Fact label="App">
            <span className="grid justify-items-end">
              <bdi className="[overflow-wrap:anywhere]">{ask.appName}</bdi>
              <span className="text-small text-ink-2">{ask.host ?? "name not verified"}</span>
            </span>
          </Fact>
          <Fact label="You return to">
            <span className="[overflow-wrap:anywhere]">{ask.returnsTo}</span>
          </Fact>
          <Fact label="It can">use every tool as that agent: propose mandates, pay within them, sell</Fact>
          <Fact label="It cannot">sign for you, approve payments or raise a limit</Fact>
        </Facts>
      </Card>
      <ConnectApp
        request={Object.fromEntries(
          Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
        )}
        appName={ask.appName}
        agents={owned
          .filter(({ agent }) => agent.boundAt !== null)
          .map(({ agent }) => ({ agentId: agent.id, name: agent.name }))}
        denialUrl={oauth.denialUrl(ask, ctx.config.baseUrl)}
      />
    </>
  );
  return <AuthorizePage ctx={ctx} shown={{ stage: "ask", said: "", content }} />;
}

async function readAsk(ctx: OwnerContext, query: unknown): Promise<oauth.Ask | AppError> {
  try {
    return await oauth.readAsk(ctx, query);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error;
    throw error;
  }
}
