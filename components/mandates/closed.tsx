import { Actions } from "@/components/authorize/stages";
import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Fact, Facts } from "@/components/ui/facts";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { SignInButton } from "@/components/wallet/sign-in-button";
import { AgentTag } from "./agent-tag";
import { MandateStatus } from "./status";
import type { ShownMandate } from "./words";

/** The states of the signing page in which there is nothing to sign. */

/** Shown if the link has no token and the visitor has no account. */
export function Incomplete() {
  return (
    <>
      <PageHeader
        title="This link is not complete"
        description="Your agent's link ends with a token, and this one has none. Open the full link. If the agent is already linked to you, sign in."
      />
      <Actions>
        <SignInButton label="Sign in" wide />
      </Actions>
    </>
  );
}

/** Shown for a mandate that was signed, rejected or revoked, or has expired. Only the owner sees the terms. */
export function Over({ mandate, isOwner }: { mandate: ShownMandate; isOwner: boolean }) {
  const { title, description } = ENDINGS[endingOf(mandate)];
  const hasPage = mandate.signedAt !== null;
  return (
    <>
      <PageHeader eyebrow={<Name mandate={mandate} />} title={title} description={description} />
      <Card>
        <Facts>
          <Fact label="Status">
            <MandateStatus mandate={mandate} />
          </Fact>
          {isOwner && (
            <Fact label="Limit">
              <Amount atomic={mandate.limitAmount} />
            </Fact>
          )}
          {isOwner && (
            <Fact label="Until">
              <Time at={mandate.validUntil} />
            </Fact>
          )}
          {isOwner && mandate.signedAt && (
            <Fact label="Signed">
              <Time at={mandate.signedAt} />
            </Fact>
          )}
          <Fact label="Agent">
            <AgentTag agentId={mandate.agentId} name={mandate.agentName} />
          </Fact>
        </Facts>
      </Card>
      <Actions>
        {!isOwner && <SignInButton label={hasPage ? "Sign in to see it" : "Sign in"} />}
        {isOwner && hasPage && (
          <ButtonLink variant="primary" href={`/mandates/${mandate.mandateId}`}>
            See the mandate
          </ButtonLink>
        )}
        {isOwner && <ButtonLink href="/dashboard">Open dashboard</ButtonLink>}
      </Actions>
    </>
  );
}

type Ending = "signed" | "lapsed" | "ended" | "rejected" | "revoked";

function endingOf({ status, signedAt }: ShownMandate): Ending {
  if (status === "rejected" || status === "revoked") return status;
  if (status === "expired") return signedAt === null ? "lapsed" : "ended";
  return "signed";
}

const ENDINGS = {
  signed: {
    title: "This mandate is signed already",
    description: "There is nothing more to sign. Sign in to see its payments, pause it or revoke it.",
  },
  lapsed: {
    title: "This request has expired",
    description:
      "It was not signed in time, so it allows nothing and can no longer be signed. Ask your agent for a new one.",
  },
  ended: {
    title: "This mandate has ended",
    description: "It has expired and allows no more payments. Your agent can ask you for a new one.",
  },
  rejected: {
    title: "This request was rejected",
    description: "It allows nothing and no money moved under it. Your agent sees the rejection; it may ask again.",
  },
  revoked: {
    title: "This mandate is revoked",
    description: "It allows no more payments and cannot be restored. Your agent can ask you for a new one.",
  },
} satisfies Record<Ending, { title: string; description: string }>;

const Name = ({ mandate }: { mandate: ShownMandate }) => <bdi>{mandate.agentName}</bdi>;
