import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { canStillBePaid, failureWords } from "@/components/payments/failure-words";
import { Hash, Line, type Mark, Said, Sent, STEP, ValidUntil, WaitingFor } from "@/components/payments/timeline";
import { AddressTag } from "@/components/ui/address-tag";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { ExplorerLink } from "@/components/ui/explorer-link";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { PayoutItem } from "@/lib/payouts/responses";
import type { PayoutStep, PayoutTimeline as Timeline } from "@/lib/payouts/timeline";
import { labelWithNote, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { LegLine, MakerFacts, PayoutSum, Purpose } from "./payout-card";

type Props = { payout: PayoutItem; isDevnet: boolean };

/** The facts of a payout, except its recipients. */
export function PayoutDetails({ payout, isDevnet }: Props) {
  return (
    <Card lift aria-label="Payout">
      <PayoutSum amount={payout.amount} legs={payout.legs} />
      <hr className="my-5" />
      <Facts>
        <Fact label="Network">{labelWithNote(payout.network, isDevnet)}</Fact>
        <MakerFacts payout={payout} />
        {payout.mandateId !== null && (
          <Fact label="Allowed by">
            <Link href={`/mandates/${payout.mandateId}`} className="underline underline-offset-4">
              Your mandate
            </Link>
          </Fact>
        )}
        <Fact label="Payout">
          <bdi className="mono text-small">{payout.payoutId}</bdi>
        </Fact>
        {payout.txHash !== null && (
          <Fact label="Transaction">
            <Transaction payout={payout} hash={payout.txHash} isDevnet={isDevnet} />
          </Fact>
        )}
        {payout.executedAt && (
          <Fact label="Paid">
            <Time at={payout.executedAt} />
          </Fact>
        )}
      </Facts>
      <Purpose payout={payout} />
    </Card>
  );
}

/** On a devnet, no public explorer shows the transaction. */
function Transaction({ payout: { network }, hash, isDevnet }: Props & { hash: string }) {
  const { explorer } = NETWORKS[network];
  return (
    <span className="inline-grid max-w-full justify-items-end gap-0.5">
      <AddressTag address={hash} noun="transaction hash" tile={false} />
      {!isDevnet && <ExplorerLink explorer={explorer} hash={hash} />}
    </span>
  );
}

/** Each recipient with the state of the transfer. */
export function PayoutLegs({ payout, names }: { payout: PayoutItem; names: ReadonlyMap<string, string> }) {
  return (
    <Card title={payout.legs.length === 1 ? "Recipient" : `${payout.legs.length} recipients`}>
      <ol aria-label="Recipients" className="grid gap-5">
        {payout.legs.map((leg) => (
          <LegLine
            key={leg.index}
            address={leg.toAddress}
            name={names.get(leg.toAddress)}
            amount={payout.legs.length === 1 ? null : leg.amount}
            shareBps={leg.shareBps}
          >
            {leg.status !== null && (
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Badge tone={wordOf(leg).tone}>{wordOf(leg).label}</Badge>
                {leg.settlementId !== null && leg.status === "settled" && (
                  <Link
                    href={`/receipt/${leg.settlementId}`}
                    className="inline-flex items-center text-small font-medium text-brand underline underline-offset-4 max-sm:min-h-11"
                  >
                    Receipt
                  </Link>
                )}
              </span>
            )}
            {leg.stillValidUntil !== null && (
              <span className="text-small text-ink-2">
                {failureWords(leg.failureCode, "payout")} {canStillBePaid(leg.stillValidUntil)}
              </span>
            )}
            {leg.status === "failed" && (
              <span className="text-small text-ink-2">{failureWords(leg.failureCode, "payout")} No money moved.</span>
            )}
          </LegLine>
        ))}
      </ol>
    </Card>
  );
}

const wordOf = ({ status, stillValidUntil }: Pick<Leg, "status" | "stillValidUntil">) =>
  stillValidUntil !== null ? DECLINED : LEG_WORDS[status ?? "pending"];

type Leg = PayoutItem["legs"][number];

const DECLINED = { tone: "warn", label: "Not settled" } as const satisfies { tone: BadgeTone; label: string };
const LEG_WORDS = {
  pending: { tone: "info", label: "On its way" },
  settled: { tone: "good", label: "Paid" },
  failed: { tone: "bad", label: "Failed" },
} satisfies Record<NonNullable<PayoutItem["legs"][number]["status"]>, { tone: BadgeTone; label: string }>;

type PayoutTimelineProps = { timeline: Timeline; network: NetworkName; isPending: boolean };

/** The history of a payout, oldest first. */
export function PayoutTimeline({ timeline: { steps, readTo }, network, isPending }: PayoutTimelineProps) {
  const { label } = NETWORKS[network];
  return (
    <ol aria-label="What happened, oldest first" className="grid">
      {steps.map((step) => (
        <Line key={`${step.kind} ${step.occurredAt.getTime()} ${hashOf(step)}`} mark={MARKS[step.kind] ?? STEP}>
          <Words step={step} label={label} />
          <Time at={step.occurredAt} form="short" className="text-small text-ink-2" />
        </Line>
      ))}
      {isPending && <WaitingFor label={label} readTo={readTo} />}
    </ol>
  );
}

const GOOD: Mark = { Icon: CircleCheck, colour: "text-good" };
const MARKS: Partial<Record<PayoutStep["kind"], Mark>> = {
  settled: GOOD,
  succeeded: GOOD,
  declined: { Icon: TriangleAlert, colour: "text-warn" },
  failed: { Icon: CircleAlert, colour: "text-bad" },
  undone: { Icon: TriangleAlert, colour: "text-warn" },
};

function Words({ step, label }: { step: PayoutStep; label: string }) {
  switch (step.kind) {
    case "requested":
      return <Said title={step.by === "owner" ? "You created it" : "Your agent requested it"} />;
    case "approved":
      return <Said title={step.by === "owner" ? "You approved it" : "Your mandate allowed it"} />;
    case "denied":
      return <Said title="Rejected">Nothing moved.</Said>;
    case "cancelled":
      return <Said title="Cancelled">Nothing moved.</Said>;
    case "expired":
      return <Said title="Expired">It was not approved in time. Nothing moved.</Said>;
    case "claimed":
      return <Said title="Transfers signed and stored">It continues by itself from here.</Said>;
    case "prepared":
      return (
        <Said title="Transaction signed and stored">
          {step.retries > 0 && `Earlier ones were mined without it: ${step.retries}.`}
        </Said>
      );
    case "sent":
      return <Sent {...step} label={label} />;
    case "undone":
      return <Said title="Made, then reversed by the chain">The block was replaced. We continued from there.</Said>;
    case "settled":
      return (
        <Said title={`${transfers(step.count)} made${step.block === null ? "" : ` in block ${step.block}`}`}>
          {step.hash !== null && <Hash hash={step.hash} />}
        </Said>
      );
    case "declined":
      return (
        <Said title={`${transfers(step.count)} not settled, can still be made`}>
          {failureWords(step.code, "payout")} <ValidUntil until={step.until} />
        </Said>
      );
    case "failed":
      return <Said title={`${transfers(step.count)} failed: no money moved`}>{failureWords(step.code, "payout")}</Said>;
    case "succeeded":
      return <Said title="Confirmed">Deep enough in the chain to be final.</Said>;
    default:
      step satisfies never;
      return null;
  }
}

const hashOf = (step: PayoutStep): string => (step.kind === "sent" || step.kind === "settled" ? (step.hash ?? "") : "");

const transfers = (count: number) => (count === 1 ? "Transfer" : `${count} transfers`);
