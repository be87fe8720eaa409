import type { ReactNode } from "react";
import { Columns } from "@/components/authorize/columns";
import { Actions, LinkStage, SignInStage } from "@/components/authorize/stages";
import { LiveRefresh } from "@/components/site/live-refresh";
import { CameFrom } from "@/components/site/stage";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { usdcText } from "@/components/ui/format";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import { SignInButton } from "@/components/wallet/sign-in-button";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { NETWORKS } from "@/lib/x402/networks";
import { AgentTag } from "./agent-tag";
import { VaultShortage } from "./details";
import { MandateEdits } from "./edits";
import { Fund } from "./fund";
import { Narrow } from "./narrow";
import type { Terms } from "./narrower";
import { PayeeSwitch } from "./payee-switch";
import { PeriodBars } from "./period-bars";
import { SignPanel } from "./sign-panel";
import { MandateStatus } from "./status";
import { Steps, type StepsProps } from "./steps";
import { AgentsWords, type Balance, Limits, RequestCard, TermFacts, WideRange } from "./terms";
import { Adjust } from "./vaults/adjust";
import { MoveNote } from "./vaults/moved";
import { SaveVaultFile } from "./vaults/save-file";
import type { Offer, ShownVault, VaultState, VaultView } from "./vaults/types";
import { VaultCard } from "./vaults/vault-card";
import { termsOf } from "./vaults/vault-terms";
import { shownState, vaultNews } from "./vaults/words";
import { carefulOf, coversPayouts, isAnyHost, isPrepared, payeesOf, REVIEW_TITLE, type ShownMandate } from "./words";

/** The four steps of the signing page. */

/** `isPlaceOpen`: the owner has not chosen between vault and spending wallet yet. */
export function SignInStep({ mandate, isPlaceOpen }: { mandate: ShownMandate; isPlaceOpen: boolean }) {
  return (
    <SignInStage
      steps={<StepsBeside current={1} />}
      asker={<Asker mandate={mandate} />}
      title="An agent asks to spend your money, within these limits"
      description="Sign in with your wallet to decide. Signing in allows nothing and costs nothing."
    >
      <RequestCard mandate={mandate} isPlaceOpen={isPlaceOpen} />
      <Limits mandate={mandate} isPlaceOpen={isPlaceOpen} />
    </SignInStage>
  );
}

/** The progress, at the end of the header or, on a phone, below it. */
const StepsBeside = ({ current }: StepsProps) => (
  <div className="w-[min(24rem,calc(100vw-2.5rem))]">
    <Steps current={current} />
  </div>
);

export type LinkStepProps = { mandate: ShownMandate; token: string | undefined; owner: string };

export function LinkStep({ mandate, token, owner }: LinkStepProps) {
  return (
    <LinkStage
      steps={<StepsBeside current={2} />}
      thing="mandate"
      asker={<Asker mandate={mandate} />}
      claimPath={`/api/mandates/${mandate.mandateId}/claim`}
      rejectPath={`/api/mandates/${mandate.mandateId}/reject`}
      token={token}
      agentName={mandate.agentName}
    >
      <Card lift>
        <Facts>
          <Fact label="Agent">
            <AgentTag agentId={mandate.agentId} name={mandate.agentName} />
          </Fact>
          <Fact label="Your account">
            <AddressTag address={owner} />
          </Fact>
          <Fact label="It will request">
            <Amount atomic={mandate.limitAmount} /> until <Time at={mandate.validUntil} form="short" show="absolute" />
          </Fact>
        </Facts>
        <Quote by="The agent says" className="mt-5">
          {mandate.naturalLanguage}
        </Quote>
      </Card>
    </LinkStage>
  );
}

export type ReviewStepProps = LinkStepProps & {
  typedData: TypedDataPayload;
  balance: Balance;
  /** The vault that the owner can sign for instead of the spending wallet. */
  offer: Offer | undefined;
  /** True if the network's nodes do not respond: whether a vault can be offered is unknown. */
  isChainDown: boolean;
  isDevnet: boolean;
};

export function ReviewStep(props: ReviewStepProps) {
  const { mandate, token, owner, typedData, balance, offer, isChainDown, isDevnet } = props;
  const { mandateId, limitAmount, replaces } = mandate;
  const { chainId, label } = NETWORKS[mandate.network];
  const isPlaceOpen = offer !== undefined;
  const payees = payeesOf(mandate);
  return (
    <MandateEdits>
      <PageHeader eyebrow={<Asker mandate={mandate} />} title={REVIEW_TITLE} actions={<StepsBeside current={3} />} />
      <Columns
        decision={
          <>
            {isChainDown && (
              <Note tone="warn" title={`${label} is not responding`}>
                A vault is not available right now. Reload the page to try again
                {replaces === null && ", or sign for your spending wallet"}.
              </Note>
            )}
            {(offer || replaces === null) && (
              <SignPanel
                mandateId={mandateId}
                token={token}
                owner={owner}
                chainId={chainId}
                limit={limitAmount}
                careful={carefulOf(mandate)}
                payees={payees}
                shown={typedData}
                rejectLabel={replaces === null ? undefined : "Do not move it"}
                offer={
                  offer && {
                    ...offer,
                    walletBalance: balance ?? null,
                    coversPayouts: coversPayouts(mandate),
                    isMove: replaces !== null,
                    // A vault makes no payouts, so it is not preselected for a mandate that lists payouts.
                    proposed:
                      replaces === null && coversPayouts(mandate) && !isAnyHost(mandate) ? "wallet" : "vault_now",
                    faucetOn: isDevnet ? mandate.network : undefined,
                  }
                }
              />
            )}
          </>
        }
      >
        {replaces !== null && <MoveNote replaces={replaces} />}
        <Card lift aria-label="What it may do">
          <Narrow
            mandateId={mandateId}
            validFrom={mandate.validFrom}
            asked={changeable(mandate.asked ?? mandate)}
            current={changeable(mandate)}
          />
          {(mandate.maxAmountPerDay !== null || mandate.maxAmountPerMonth !== null) && isPlaceOpen && (
            <p className="mt-2 text-small text-ink-2">
              Days and months are in UTC. Our server counts them: a vault’s contract enforces the other limits only.
            </p>
          )}
          {payees && (
            <div className="mt-4 border-t pt-4 max-sm:mt-3 max-sm:pt-3">
              <PayeeSwitch mandateId={mandateId} isOn={payees.isOn} />
            </div>
          )}
          <WideRange mandate={mandate} />
          <div className="mt-4 border-t pt-4 max-sm:mt-3 max-sm:pt-3">
            <AgentsWords mandate={mandate} />
          </div>
        </Card>
        <Limits mandate={mandate} isPlaceOpen={isPlaceOpen}>
          {offer && (
            <>
              <h2 className="mb-3 text-body">Pay out gradually, or only to certain addresses</h2>
              <Adjust mandateId={mandateId} terms={termsOf(offer.draft.mandate.message)} />
            </>
          )}
          <div className="my-5">
            <TermFacts mandate={mandate} balance={balance} isPlaceOpen={isPlaceOpen} />
          </div>
        </Limits>
      </Columns>
    </MandateEdits>
  );
}

/** Only the fields that the form needs, because its props are sent to the browser. */
const changeable = ({ limitAmount, validUntil, hostAllowlist, ...caps }: Terms): Terms => ({
  limitAmount,
  validUntil,
  hostAllowlist,
  maxAmountPerPayment: caps.maxAmountPerPayment,
  maxAmountPerDay: caps.maxAmountPerDay,
  maxAmountPerMonth: caps.maxAmountPerMonth,
});

function Asker({ mandate }: { mandate: ShownMandate }) {
  const agent = <bdi>{mandate.agentName}</bdi>;
  if (mandate.replaces !== null) return <>What is left of a mandate of {agent}</>;
  return isPrepared(mandate) ? <>A budget that you prepared for {agent}</> : <>{agent} asks for a budget</>;
}

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

/** The last step of the signing page. */

type SignedStepProps = {
  mandate: ShownMandate;
  typedData: unknown;
  balance: Balance;
  isDevnet: boolean;
};

export function SignedStep({ mandate, typedData, balance, isDevnet }: SignedStepProps) {
  const isShort = typeof balance === "bigint" && balance < mandate.remainingAmount;
  return (
    <>
      <Header mandate={mandate} {...wordsFor(balance)} />
      <Columns
        decision={
          <>
            {typeof balance === "bigint" && mandate.walletAddress !== null && (
              <Fund
                wallet={mandate.walletAddress}
                network={mandate.network}
                missing={mandate.remainingAmount - balance}
                holds={usdcText(balance)}
                isDevnet={isDevnet}
              />
            )}
            <SignedEnding
              mandate={mandate}
              typedData={typedData}
              variant={isDevnet && isShort ? "secondary" : "primary"}
            >
              Pause or revoke it there at any time.
            </SignedEnding>
          </>
        }
      >
        <CurrentLimits mandate={mandate} balance={balance} />
      </Columns>
    </>
  );
}

function wordsFor(balance: Balance): { title: string; description: string } {
  if (balance === 0n)
    return {
      title: "Signed. Add money so that it can pay",
      description: "Your agent pays from your spending wallet, which is empty. These are the current limits.",
    };
  const description = "You can close this page and go back to your agent. These are its current limits.";
  return { title: typeof balance === "bigint" ? "Signed. Your agent can pay now" : "Signed", description };
}

type VaultSignedStepProps = {
  mandate: ShownMandate;
  vault: VaultView;
  shown: ShownVault;
  typedData: unknown;
  explorer: string | null;
};

/** The last step for a mandate with a vault, while the vault is opening and after. */
export function VaultSignedStep({ mandate, vault, shown: shownVault, typedData, explorer }: VaultSignedStepProps) {
  return (
    <>
      <Header mandate={mandate} {...TITLES[shownState(mandate.status, vault.state)]} />
      <Columns
        decision={
          <>
            <SignedEnding mandate={mandate} typedData={typedData} variant="primary">
              Pause it or take back everything there at any time.
            </SignedEnding>
            <VaultCard
              vault={vault}
              status={mandate.status}
              limit={mandate.limitAmount}
              paid={mandate.spentAmount}
              payees={termsOf(shownVault.draft.mandate.message).payees}
              explorer={explorer}
            >
              <SaveVaultFile file={shownVault.file} />
            </VaultCard>
          </>
        }
      >
        <CurrentLimits mandate={mandate} />
      </Columns>
      <LiveRefresh news={vaultNews(vault)} isExpecting={vault.state === "opening"} />
    </>
  );
}

const TITLES = {
  opening: {
    title: "Signed. The vault is being opened",
    description: "This takes a few seconds. Your agent can pay once it is open. You can close this page.",
  },
  open: {
    title: "Signed. Your agent can pay now",
    description: "The vault is open. You can close this page and go back to your agent.",
  },
  closing: { title: "Signed, and ended since", description: "It makes no more payments." },
  closed: { title: "Signed, and ended since", description: "It makes no more payments." },
  failed: { title: "Signed, but the vault was not opened", description: "Your agent cannot pay under this mandate." },
} satisfies Record<VaultState, { title: string; description: string }>;

type HeaderProps = { mandate: ShownMandate; title: string; description: string };

const Header = ({ mandate, title, description }: HeaderProps) => (
  <CameFrom
    from="review"
    otherwise={
      <PageHeader
        eyebrow={<bdi>{mandate.agentName}</bdi>}
        title="You signed this mandate already"
        description="There is nothing more to do here. These are its current limits."
        actions={<StepsBeside current={4} />}
      />
    }
  >
    <PageHeader
      eyebrow={<bdi>{mandate.agentName}</bdi>}
      title={title}
      description={description}
      actions={<StepsBeside current={4} />}
    />
  </CameFrom>
);

const CurrentLimits = ({ mandate, balance }: { mandate: ShownMandate; balance?: Balance }) => (
  <>
    <Card lift aria-label="Current limits">
      <p className="text-small text-ink-2">It can still spend</p>
      <p>
        <Amount atomic={mandate.remainingAmount} size="big" />
      </p>
      <p className="mt-1 text-small text-ink-2">
        of <Amount atomic={mandate.limitAmount} />, until{" "}
        <Time at={mandate.validUntil} className="font-medium text-ink" />
      </p>
      <VaultShortage mandate={mandate} />
      <PeriodBars mandate={mandate} />
      <hr className="my-5" />
      <TermFacts mandate={mandate} balance={balance} />
    </Card>
    {!mandate.isEnabled && <Note tone="warn">You have paused it: its payments are refused until you resume it.</Note>}
  </>
);

type SignedEndingProps = {
  mandate: ShownMandate;
  typedData: unknown;
  variant: "primary" | "secondary";
  children: ReactNode;
};

const SignedEnding = ({ mandate, typedData, variant, children }: SignedEndingProps) => (
  <>
    <ButtonLink variant={variant} wide href={`/mandates/${mandate.mandateId}`}>
      See the mandate and its payments
    </ButtonLink>
    <p className="text-small text-ink-2">{children}</p>
    <Disclosure summary="Exactly what you signed">
      <JsonView value={typedData} label="typed data" />
    </Disclosure>
  </>
);
