import { LinkStage, SignInStage } from "@/components/authorize/stages";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Quote } from "@/components/ui/quote";
import { Time } from "@/components/ui/time";
import type { TypedDataPayload } from "@/components/wallet/typed-data";
import { NETWORKS } from "@/lib/x402/networks";
import { AgentTag } from "./agent-tag";
import { MandateEdits } from "./edits";
import { Narrow } from "./narrow";
import type { Terms } from "./narrower";
import { SignPanel } from "./sign-panel";
import { Steps } from "./steps";
import { type Balance, Limits, RequestCard } from "./terms";
import { Adjust } from "./vaults/adjust";
import { MoveNote } from "./vaults/moved";
import type { Offer } from "./vaults/types";
import { termsOf } from "./vaults/vault-terms";
import { carefulOf, coversPayouts, isAnyHost, isPrepared, payeesOf, REVIEW_TITLE, type ShownMandate } from "./words";

/** The four steps of the signing page. */

/** `isPlaceOpen`: the owner has not chosen between vault and spending wallet yet. */
export function SignInStep({ mandate, isPlaceOpen }: { mandate: ShownMandate; isPlaceOpen: boolean }) {
  return (
    <>
      <Steps current={1} />
      <SignInStage
        asker={<Asker mandate={mandate} />}
        title="An agent asks to spend your money, within these limits"
        description="Sign in with your wallet to decide. Signing in allows nothing and costs nothing."
      >
        <RequestCard mandate={mandate} isPlaceOpen={isPlaceOpen} />
        <Limits mandate={mandate} isPlaceOpen={isPlaceOpen} />
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
  return (
    <MandateEdits>
      <Steps current={3} />
      <PageHeader eyebrow={<Asker mandate={mandate} />} title={REVIEW_TITLE} />
      <RequestCard
        mandate={mandate}
        balance={balance}
        isPlaceOpen={isPlaceOpen}
        change={
          <Disclosure summary="Narrow it before you sign">
            <Narrow
              mandateId={mandateId}
              validFrom={mandate.validFrom}
              asked={changeable(mandate.asked ?? mandate)}
              current={changeable(mandate)}
            />
          </Disclosure>
        }
      />
      {replaces !== null && <MoveNote replaces={replaces} />}
      {offer && (
        <Disclosure summary="Release it in parts, or name the addresses it may pay">
          <Adjust mandateId={mandateId} terms={termsOf(offer.draft.mandate.message)} />
        </Disclosure>
      )}
      <Limits mandate={mandate} isPlaceOpen={isPlaceOpen} />
      {isChainDown && (
        <Note tone="warn" title={`${label} does not answer`}>
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
          payees={payeesOf(mandate)}
          shown={typedData}
          rejectLabel={replaces === null ? undefined : "Leave it in the spending wallet"}
          offer={
            offer && {
              ...offer,
              walletBalance: balance ?? null,
              coversPayouts: coversPayouts(mandate),
              isMove: replaces !== null,
              // A vault makes no payouts, so it is not preselected for a mandate that lists payouts.
              proposed: replaces === null && coversPayouts(mandate) && !isAnyHost(mandate) ? "wallet" : "vault_now",
              faucetOn: isDevnet ? mandate.network : undefined,
            }
          }
        />
      )}
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
