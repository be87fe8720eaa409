import type { ReactNode } from "react";
import { AddressTag } from "@/components/ui/address-tag";
import { ButtonLink } from "@/components/ui/button-link";
import { PageHeader } from "@/components/ui/page-header";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { LinkAgent, type LinkAgentProps } from "./link-agent";
import { SwitchAccount } from "./switch-account";

/** What an agent asks its owner to decide on. */
type Asked = "payment" | "payout";

/** Without the token, and without an account. */
export const Incomplete = ({ thing }: { thing: Asked }) => (
  <>
    <PageHeader
      title={`Sign in to see this ${thing}`}
      description="It is for the owner of the agent that asks. If your agent is not linked to you yet, open the whole link it shows: it ends with a token. Signing in moves no money."
    />
    <Actions>
      <SignInButton label="Sign in with your wallet" />
    </Actions>
  </>
);

export type LinkingProps = Pick<LinkAgentProps, "token" | "agentName"> & {
  thing: Asked;
  asker: ReactNode;
  /** Where its verbs are. */
  path: `/${string}`;
  /** What is asked for. */
  children: ReactNode;
};

export const Linking = ({ thing, asker, path, children, ...agent }: LinkingProps) => (
  <>
    <PageHeader
      eyebrow={asker}
      title="Is this your agent?"
      description={`Link it only if you run it: compare its id with the one your agent shows you. Linking pays nothing; you decide on the ${thing} in the next step.`}
    />
    {children}
    <LinkAgent claimPath={`${path}/claim`} rejectPath={`${path}/deny`} {...agent} />
    <p className="text-small text-ink-2">
      A linked agent can ask you for payments and budgets, and what others pay it arrives in your spending wallet. You
      can delete it at any time.
    </p>
  </>
);

export type ElsewhereProps = { thing: Asked; asker: ReactNode; owner: string | null };

export const Elsewhere = ({ thing, asker, owner }: ElsewhereProps) => (
  <>
    <PageHeader
      eyebrow={asker}
      title="This agent is already linked to another account"
      description={
        <>
          It is linked to {owner === null ? "another account" : <AddressTag address={owner} />}. Only that account
          decides on its {thing}s. If it is yours, switch to it. If it is not, somebody else opened the link first: ask
          the agent to unlink and to ask again, then open the new link.
        </>
      }
    />
    <p className="text-small text-ink-2">
      The agent does that with POST /api/agent/self/unlink. It works as long as the other account has signed or approved
      nothing for it. No money of yours has moved.
    </p>
    <Actions>
      <SwitchAccount />
      <ButtonLink href="/dashboard">Open dashboard</ButtonLink>
    </Actions>
  </>
);

export const Actions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2.5">{children}</div>
);
