import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { failureWords } from "@/components/payments/failure-words";
import { Hash, Line, type Mark, Said, Sent, STEP, ValidUntil, WaitingFor } from "@/components/payments/timeline";
import { Time } from "@/components/ui/time";
import type { PayoutStep, PayoutTimeline as Timeline } from "@/lib/payouts/timeline";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";

export type PayoutTimelineProps = { timeline: Timeline; network: NetworkName; isPending: boolean };

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
