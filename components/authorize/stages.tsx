import type { ReactNode } from "react";
import { LiveRefresh } from "@/components/site/live-refresh";
import { AddressTag } from "@/components/ui/address-tag";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { type HeadingLevel, PageHeader } from "@/components/ui/page-header";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { ActionBar, Columns } from "./columns";
import { LinkAgent, type LinkAgentProps } from "./link-agent";
import { SwitchAccount } from "./switch-account";

/** What an agent requests from its owner. */
type Thing = "payment" | "payout" | "mandate";

export type SignInPromptProps = { thing: Thing | "refund" | "payee"; children: ReactNode };

/** For visitors without an account. Shows nothing of the request. */
export const SignInPrompt = ({ thing, children }: SignInPromptProps) => (
  <>
    <PageHeader title={`Sign in to see this ${thing}`} description={children} />
    <Actions>
      <SignInButton label="Sign in with your wallet" />
    </Actions>
  </>
);

/** The link has no token and the visitor has no account. */
export const Incomplete = ({ thing }: { thing: Thing }) => (
  <SignInPrompt thing={thing}>
    Only the owner of the requesting agent can see it. If your agent is not linked to you yet, open the full link it
    shows: it ends with a token. Signing in moves no money.
  </SignInPrompt>
);

export type SignInStageProps = {
  /** The agent's name, which is untrusted text. */
  asker: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  /** The progress, if there are several steps. */
  steps?: ReactNode | undefined;
  /** The request. */
  children: ReactNode;
};

export const SignInStage = ({
  asker,
  title,
  description = "Sign in with your wallet to decide. Signing in moves no money.",
  steps,
  children,
}: SignInStageProps) => (
  <>
    <PageHeader eyebrow={asker} title={title} actions={steps} />
    <Columns
      decision={
        <>
          <p className="text-control text-ink-2">{description}</p>
          <ActionBar>
            <SignInButton label="Connect a wallet and sign in" wide />
          </ActionBar>
        </>
      }
    >
      {children}
    </Columns>
  </>
);

export type LinkStageProps = LinkAgentProps & {
  thing: Thing;
  asker: ReactNode;
  steps?: ReactNode | undefined;
  /** The request. */
  children: ReactNode;
};

export const LinkStage = ({ thing, asker, steps, children, ...agent }: LinkStageProps) => (
  <>
    <PageHeader eyebrow={asker} title="Is this your agent?" actions={steps} />
    <Columns
      decision={
        <>
          <p className="text-control text-ink-2">
            Link it only if you run it: compare its id with the one your agent shows you. A linked agent can ask you for
            payments, payouts and budgets, and payments to it arrive in your spending wallet. You can delete it at any
            time.
          </p>
          <LinkAgent {...agent} />
          <p className="text-small text-ink-2">Linking pays nothing. Next, you decide on the {thing}.</p>
        </>
      }
    >
      {children}
    </Columns>
  </>
);

export type ElsewhereProps = { thing: Thing; asker: ReactNode; owner: string | null };

/** Shown when the agent is linked to another account. */
export const Elsewhere = ({ thing, asker, owner }: ElsewhereProps) => (
  <>
    <PageHeader
      eyebrow={asker}
      title="This agent is already linked to another account"
      description={
        <>
          It is linked to {owner === null ? "another account" : <AddressTag address={owner} />}. Only that account
          decides on its {thing}s. If it is yours, switch to it. If it is not, somebody else opened the link first: let
          the agent unlink itself and request the {thing} again, then open the new link.
        </>
      }
    />
    <p className="text-small text-ink-2">
      The agent unlinks itself with POST /api/agent/self/unlink. That works until the other account has signed or
      approved something for it. None of your money has moved.
    </p>
    <Actions>
      <SwitchAccount />
      <ButtonLink href="/dashboard">Open dashboard</ButtonLink>
    </Actions>
  </>
);

export type OutcomeProps = {
  asker: ReactNode;
  title: string;
  said: ReactNode;
  tone: BadgeTone;
  label: string;
  /** The request. */
  card: ReactNode;
  /** What can still be decided. */
  decision?: ReactNode | undefined;
  isOwner: boolean;
  /** True while the transfer is pending: the page refreshes until it ends. */
  isMoving: boolean;
  level?: HeadingLevel | undefined;
  /** Links to the next steps. */
  children: ReactNode;
};

/** Shown after the decision, or when it is too late to decide. */
export const Outcome = ({
  asker,
  title,
  said: description,
  tone,
  label: badgeLabel,
  card,
  decision,
  isOwner,
  isMoving,
  level,
  children,
}: OutcomeProps) => (
  <>
    <PageHeader level={level} eyebrow={asker} title={title} actions={<Badge tone={tone}>{badgeLabel}</Badge>} />
    <Columns
      decision={
        <>
          <p className="text-control text-ink-2">{description}</p>
          {decision}
          <Actions>{isOwner ? children : <SignInButton label="Sign in" variant="secondary" />}</Actions>
        </>
      }
    >
      {card}
    </Columns>
    {isMoving && <LiveRefresh news={title} isExpecting />}
  </>
);

export const Actions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2.5">{children}</div>
);
