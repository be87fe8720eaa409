import { ExceededNote } from "@/components/approvals/exceeded-note";
import { Columns } from "@/components/authorize/columns";
import { PayoutDecision } from "@/components/authorize/decision";
import { Outcome } from "@/components/authorize/stages";
import { TooLittle } from "@/components/authorize/too-little";
import { LiveRefresh } from "@/components/site/live-refresh";
import { ButtonLink } from "@/components/ui/button-link";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { shorten } from "@/components/ui/shorten";
import type { ExceededCap } from "@/lib/mandates/caps/contract";
import type { PayoutItem } from "@/lib/payouts/responses";
import { endingOf } from "./endings";
import { PayoutCard, type PayoutCardProps, type Weighed } from "./payout-card";
import { isMoving, payoutHref, STATUS_WORDS } from "./words";

type ReviewStageProps = PayoutCardProps & { weighed: Weighed; exceededCap: ExceededCap | null };

export function ReviewStage({ weighed, exceededCap, ...props }: ReviewStageProps) {
  const { payout } = props;
  const missing = missingFor(payout, weighed);
  const lookalikes = weighed.legs.filter(({ looksLike }) => looksLike !== null).length;
  return (
    <>
      <PageHeader eyebrow={<Asker payout={payout} />} title={questionOf(payout)} />
      {lookalikes > 0 && (
        <Note tone="bad" title="Stop and compare: an address here imitates one you know">
          Both are shown below, one above the other, with the differences marked. If you did not expect a new address,
          reject this payout and ask the person who gave it to your agent.
        </Note>
      )}
      {exceededCap && <ExceededNote cap={exceededCap} thing="payout" />}
      <Columns
        decision={
          <>
            <p className="text-control text-ink-2">
              {payout.legs.length === 1
                ? "You approve only this payout, once. Nothing moves before that."
                : "All of these in one transaction, or none of them. Nothing moves before you approve it."}
            </p>
            <TooLittle thing="payout" network={payout.network} missing={missing} />
            <PayoutDecision
              recordId={payout.payoutRecordId}
              sum={usdcText(payout.amount)}
              canPay={missing <= 0n}
              lookalikes={lookalikes}
              isOwn={payout.agentId === null}
            />
            <p className="text-small text-ink-2">
              The money goes to {payout.legs.length === 1 ? "this address" : "these addresses"} only. No gas: we pay the
              network for you. A payout cannot be reversed.
            </p>
          </>
        }
      >
        <PayoutCard {...props} weighed={weighed} />
      </Columns>
      <LiveRefresh news="Waiting for your decision" />
    </>
  );
}

/** The amount that the wallet lacks for the payout and pending transfers. Zero while the chain does not respond. */
const missingFor = ({ amount }: PayoutItem, { balance, reserved }: Weighed): bigint =>
  balance === null ? 0n : amount + reserved - balance;

/** The payout was decided or has expired. */
export function OverStage({ isOwner, ...props }: PayoutCardProps & { isOwner: boolean }) {
  const { payout } = props;
  const [only] = payout.legs;
  return (
    <Outcome
      asker={<Asker payout={payout} />}
      {...endingOf(payout)}
      {...STATUS_WORDS[payout.status]}
      card={<PayoutCard {...props} />}
      isOwner={isOwner}
      isMoving={isMoving(payout.status)}
    >
      {payout.status === "succeeded" && payout.legs.length === 1 && only?.settlementId && (
        <ButtonLink variant="primary" href={`/receipt/${only.settlementId}`}>
          See the receipt
        </ButtonLink>
      )}
      <ButtonLink href={payoutHref(payout.payoutRecordId)}>
        {payout.legs.length === 1 ? "Open the payout" : "Open the payout and its receipts"}
      </ButtonLink>
    </Outcome>
  );
}

/** The agent's name is untrusted text: isolated and quoted. */
export const Asker = ({ payout: { agentId, agentName, status } }: { payout: PayoutItem }) =>
  agentId === null ? (
    "You created this payout"
  ) : (
    <>
      <bdi className="[overflow-wrap:anywhere]">{agentName ?? "A deleted agent"}</bdi>{" "}
      {status === "pending_authorization" ? "asks" : "asked"} for a payout
    </>
  );

export const questionOf = (payout: PayoutItem): string =>
  `Pay ${usdcText(payout.amount)} to ${payout.toAddress === null ? `${payout.legs.length} recipients` : shorten(payout.toAddress)}?`;
