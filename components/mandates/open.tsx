import { LinkStage, SignInStage } from "@/components/authorize/stages";
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
import type { TypedDataPayload } from "@/components/wallet/use-typed-data";
import { NETWORKS } from "@/lib/x402/networks";
import { AgentTag } from "./agent-tag";
import { Fund } from "./fund";
import { Narrow } from "./narrow";
import { SignPanel } from "./sign-panel";
import { Steps } from "./steps";
import { type Balance, Limits, RequestCard, TermFacts } from "./terms";
import { carefulOf, isPrepared, payeesOf, type ShownMandate } from "./words";

/** The four steps of the signing page. */

export function SignInStep({ mandate }: { mandate: ShownMandate }) {
  return (
    <>
      <Steps current={1} />
      <SignInStage
        asker={<Asker mandate={mandate} />}
        title="An agent asks to spend your money, within these limits"
        description="Sign in with your wallet to decide. Signing in allows nothing and costs nothing."
      >
        <RequestCard mandate={mandate} />
        <Limits mandate={mandate} />
      </SignInStage>
    </>
  );
}

export type LinkStepProps = { mandate: ShownMandate; token: string | undefined; owner: string };

export function LinkStep({ mandate, token, owner }: LinkStepProps) {
  return (
    <>
      <Steps current={2} />
      <LinkStage
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
              <Amount atomic={mandate.limitAmount} /> until{" "}
              <Time at={mandate.validUntil} form="short" show="absolute" />
            </Fact>
          </Facts>
          <Quote by="The agent says" className="mt-5">
            {mandate.naturalLanguage}
          </Quote>
        </Card>
      </LinkStage>
    </>
  );
}

export type ReviewStepProps = LinkStepProps & { typedData: TypedDataPayload; balance: Balance };

export function ReviewStep({ mandate, token, owner, typedData, balance }: ReviewStepProps) {
  const { mandateId, limitAmount, maxAmountPerPayment, validFrom, validUntil, hostAllowlist } = mandate;
  return (
    <>
      <Steps current={3} />
      <PageHeader eyebrow={<Asker mandate={mandate} />} title="Let it spend on its own, within these limits" />
      <RequestCard mandate={mandate} balance={balance} />
      <Disclosure summary="Narrow it before you sign">
        <Narrow
          mandateId={mandateId}
          terms={{ limitAmount, maxAmountPerPayment, validFrom, validUntil, hostAllowlist }}
        />
      </Disclosure>
      <Limits mandate={mandate} />
      <SignPanel
        mandateId={mandateId}
        token={token}
        owner={owner}
        chainId={NETWORKS[mandate.network].chainId}
        limit={usdcText(limitAmount)}
        careful={carefulOf(mandate)}
        payees={payeesOf(mandate)}
        shown={typedData}
      />
      <Disclosure summary="Exactly what you sign">
        <JsonView value={typedData} label="typed data" />
      </Disclosure>
    </>
  );
}

export type SignedStepProps = {
  mandate: ShownMandate;
  typedData: TypedDataPayload;
  balance: Balance;
  isDevnet: boolean;
};

export function SignedStep({ mandate, typedData, balance, isDevnet }: SignedStepProps) {
  const isShort = typeof balance === "bigint" && balance < mandate.remainingAmount;
  const isEmpty = balance === 0n;
  return (
    <>
      <Steps current={4} />
      <CameFrom
        from="review"
        otherwise={
          <PageHeader
            eyebrow={<bdi>{mandate.agentName}</bdi>}
            title="You signed this mandate already"
            description="There is nothing more to do here. These are its current limits."
          />
        }
      >
        <PageHeader
          eyebrow={<bdi>{mandate.agentName}</bdi>}
          title={isEmpty ? "Signed. Now add money" : "Signed. Your agent can pay now"}
          description={
            isEmpty
              ? "Your spending wallet is empty, so your agent cannot pay yet. These are its current limits."
              : "You can close this page and go back to your agent. These are its current limits."
          }
        />
      </CameFrom>
      <Card lift aria-label="Current limits">
        <p className="text-small text-ink-2">It can still spend</p>
        <p>
          <Amount atomic={mandate.remainingAmount} size="big" />
        </p>
        <p className="mt-1 text-small text-ink-2">
          of <Amount atomic={mandate.limitAmount} />, until{" "}
          <Time at={mandate.validUntil} className="font-medium text-ink" />
        </p>
        <hr className="my-5" />
        <TermFacts mandate={mandate} balance={balance} />
      </Card>
      {!mandate.isEnabled && <Note tone="warn">You have paused it: its payments are refused until you resume it.</Note>}
      {typeof balance === "bigint" && mandate.walletAddress !== null && (
        <Fund
          wallet={mandate.walletAddress}
          network={mandate.network}
          missing={mandate.remainingAmount - balance}
          holds={usdcText(balance)}
          isDevnet={isDevnet}
        />
      )}
      <ButtonLink variant={isDevnet && isShort ? "secondary" : "primary"} wide href={`/mandates/${mandate.mandateId}`}>
        See the mandate and its payments
      </ButtonLink>
      <p className="text-small text-ink-2">Pause or revoke it there at any time.</p>
      <Disclosure summary="Exactly what you signed">
        <JsonView value={typedData} label="typed data" />
      </Disclosure>
    </>
  );
}

const Asker = ({ mandate }: { mandate: ShownMandate }) =>
  isPrepared(mandate) ? (
    <>
      A budget that you prepared for <bdi>{mandate.agentName}</bdi>
    </>
  ) : (
    <>
      <bdi>{mandate.agentName}</bdi> asks for a budget
    </>
  );
