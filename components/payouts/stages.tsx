import type { ReactNode } from "react";
import { Actions, Linking } from "@/components/authorize/stages";
import { LiveRefresh } from "@/components/site/live-refresh";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button-link";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { shorten } from "@/components/ui/shorten";
import { SignInButton } from "@/components/wallet/sign-in-button";
import type { PayoutItem } from "@/lib/payouts/responses";
import { Decide } from "./decide";
import { endingOf } from "./endings";
import { PayoutCard, type PayoutCardProps, type Weighed } from "./payout-card";
import { isMoving, payoutHref, STATUS_WORDS, WRAPPED } from "./words";

export function SignInStage(props: PayoutCardProps) {
  return (
    <>
      <Asking payout={props.payout}>Sign in with your wallet to decide. Signing in moves no money.</Asking>
      <SignInButton label="Connect a wallet and sign in" wide />
      <PayoutCard {...props} />
    </>
  );
}

export function LinkStage({ token, ...props }: PayoutCardProps & { token: string | undefined }) {
  const { payout } = props;
  const about = { thing: "payout", path: `/api/wallet/payouts/${payout.payoutRecordId}`, token } as const;
  return (
    <Linking {...about} asker={<Asker payout={payout} />} agentName={payout.agentName ?? "the agent"}>
      <PayoutCard {...props} />
    </Linking>
  );
}

export function ReviewStage({ weighed, ...props }: PayoutCardProps & { weighed: Weighed }) {
  const { payout } = props;
  const missing = missingFor(payout, weighed);
  const lookalikes = weighed.legs.filter(({ looksLike }) => looksLike !== null).length;
  return (
    <>
      <Asking payout={payout}>
        {payout.legs.length === 1
          ? "This payout and nothing else, once. Nothing moves before you approve it."
          : "All of these in one transaction, or none of them. Nothing moves before you approve it."}
      </Asking>
      {lookalikes > 0 && (
        <Note tone="bad" title="Stop and compare: an address here imitates one you know">
          Both stand beneath each other below, with what differs marked. If you did not expect a new address, reject
          this payout and ask the person who gave it to your agent.
        </Note>
      )}
      <PayoutCard {...props} weighed={weighed} />
      {missing > 0n && (
        <Note
          tone="warn"
          title="Your spending wallet holds too little"
          actions={
            <ButtonLink size="small" href={`/dashboard/wallet?network=${payout.network}`}>
              Add money
            </ButtonLink>
          }
        >
          It is short of this payout by <Amount atomic={missing} className={WRAPPED} />. This page sees it when the
          money is there.
        </Note>
      )}
      <Decide
        recordId={payout.payoutRecordId}
        sum={usdcText(payout.amount)}
        canPay={missing <= 0n}
        lookalikes={lookalikes}
        isOwn={payout.agentId === null}
      />
      <p className="text-small text-ink-2">
        The money goes to {payout.legs.length === 1 ? "this address" : "these addresses"} only. No gas: we pay the
        network for you. What is paid cannot be taken back.
      </p>
      <LiveRefresh news="Waiting for your decision" />
    </>
  );
}

/** By how much the wallet is short of it and of what is under way; nothing while its chain does not answer. */
const missingFor = ({ amount }: PayoutItem, { balance, reserved }: Weighed): bigint =>
  balance === null ? 0n : amount + reserved - balance;

/** Decided on, or too late. */
export function OverStage({ isOwner, ...props }: PayoutCardProps & { isOwner: boolean }) {
  const { payout } = props;
  const { title, said } = endingOf(payout);
  const { tone, word } = STATUS_WORDS[payout.status];
  const [only] = payout.legs;
  return (
    <>
      <PageHeader
        eyebrow={<Asker payout={payout} />}
        title={title}
        description={said}
        actions={<Badge tone={tone}>{word}</Badge>}
      />
      <PayoutCard {...props} />
      <Actions>
        {isOwner ? (
          <>
            {payout.status === "succeeded" && payout.legs.length === 1 && only?.settlementId && (
              <ButtonLink variant="primary" href={`/receipt/${only.settlementId}`}>
                See the receipt
              </ButtonLink>
            )}
            <ButtonLink href={payoutHref(payout.payoutRecordId)}>
              {payout.legs.length === 1 ? "Open the payout" : "Open the payout and its receipts"}
            </ButtonLink>
          </>
        ) : (
          <SignInButton label="Sign in" variant="secondary" />
        )}
      </Actions>
      {isMoving(payout.status) && <LiveRefresh news={title} isExpecting />}
    </>
  );
}

/** The agent's name is untrusted text: isolated and quoted. */
export const Asker = ({ payout: { agentId, agentName, status } }: { payout: PayoutItem }) =>
  agentId === null ? (
    "You made this payout"
  ) : (
    <>
      <bdi className="[overflow-wrap:anywhere]">{agentName ?? "A deleted agent"}</bdi>{" "}
      {status === "pending_authorization" ? "asks" : "asked"} for a payout
    </>
  );

const Asking = ({ payout, children }: { payout: PayoutItem; children: ReactNode }) => (
  <PageHeader
    eyebrow={<Asker payout={payout} />}
    title={
      payout.toAddress === null
        ? `Pay ${usdcText(payout.amount)} to ${payout.legs.length} recipients?`
        : `Pay ${usdcText(payout.amount)} to ${shorten(payout.toAddress)}?`
    }
    description={children}
  />
);
