import { CircleAlert, CircleCheck, CircleDot, Clock, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { AddressTag } from "@/components/ui/address-tag";
import { cx } from "@/components/ui/cx";
import { Time } from "@/components/ui/time";
import type { Timeline as SettlementTimeline, TimelineStep } from "@/lib/settlements/timeline";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { failureWords } from "./failure-words";

export type TimelineProps = { timeline: SettlementTimeline; network: NetworkName; isPending: boolean };

/** The recorded history of a payment, oldest first. */
export function Timeline({ timeline: { steps, readTo }, network, isPending }: TimelineProps) {
  const { label } = NETWORKS[network];
  return (
    <ol className="grid">
      {steps.map((step) => (
        <Line key={`${step.kind} ${step.occurredAt.getTime()} ${hashOf(step)}`} mark={MARKS[step.kind]}>
          <Words step={step} label={label} />
          <Time at={step.occurredAt} form="short" className="text-small text-ink-2" />
        </Line>
      ))}
      {isPending && <WaitingFor label={label} readTo={readTo} />}
    </ol>
  );
}

/** The step that has not happened yet. */
export const WaitingFor = ({ label, readTo }: { label: string; readTo: SettlementTimeline["readTo"] }) => (
  <Line mark={WAITING}>
    <p className="font-medium">Waiting for {label}</p>
    <p className="text-small text-ink-2">
      {readTo === null ? (
        "We have not read this chain yet."
      ) : (
        <>
          We have read it up to block <span className="num">{readTo.block.toString()}</span>, of{" "}
          <Time at={readTo.time} form="short" />.
        </>
      )}
    </p>
  </Line>
);

export type Mark = { Icon: typeof CircleDot; colour: string };

/** One step of a timeline, with a line from its mark to the next. */
export function Line({ mark: { Icon, colour }, children }: { mark: Mark; children: ReactNode }) {
  return (
    <li className="relative flex gap-3.5 pb-5 last:pb-0 [&:not(:last-child)]:before:absolute [&:not(:last-child)]:before:top-6 [&:not(:last-child)]:before:bottom-0 [&:not(:last-child)]:before:left-2.25 [&:not(:last-child)]:before:w-px [&:not(:last-child)]:before:bg-line-2">
      <Icon aria-hidden className={cx("mt-0.5 size-4.75 shrink-0", colour)} />
      <div className="grid min-w-0 gap-0.5 text-control">{children}</div>
    </li>
  );
}

const hashOf = (step: TimelineStep): string => (step.kind === "sent" || step.kind === "settled" ? step.hash : "");

const WAITING: Mark = { Icon: Clock, colour: "text-info" };
export const STEP: Mark = { Icon: CircleDot, colour: "text-ink-3" };
const MARKS: Record<TimelineStep["kind"], Mark> = {
  claimed: STEP,
  prepared: STEP,
  sent: STEP,
  settled: { Icon: CircleCheck, colour: "text-good" },
  declined: { Icon: TriangleAlert, colour: "text-warn" },
  failed: { Icon: CircleAlert, colour: "text-bad" },
  undone: { Icon: TriangleAlert, colour: "text-warn" },
};

function Words({ step, label }: { step: TimelineStep; label: string }) {
  switch (step.kind) {
    case "claimed":
      return <Said title="Proof received and accepted" />;
    case "prepared":
      return (
        <Said title="Transaction signed and stored">
          {step.retries > 0 && `Earlier ones were mined without this transfer: ${step.retries}.`}
        </Said>
      );
    case "sent":
      return <Sent {...step} label={label} />;
    case "declined":
      return (
        <Said title="Not settled, can still be paid">
          {failureWords(step.code, "received")} <ValidUntil until={step.until} />
        </Said>
      );
    case "failed":
      return <Said title="Failed: no money moved">{failureWords(step.code, "received")}</Said>;
    case "undone":
      return <Said title="Settled, then reversed by the chain">The block was replaced. We continued from there.</Said>;
    case "settled":
      return (
        <Said title={step.block === null ? "Settled" : `Settled in block ${step.block}`}>
          {step.isLate && "Late: we had stopped submitting it. "}
          {!step.isOurs && "A transaction from outside this service made this transfer. "}
          <Hash hash={step.hash} />
        </Said>
      );
    default:
      step satisfies never;
      return null;
  }
}

type SentProps = { isTaken: boolean; attempt: number; hash: string; label: string };

/** The transaction was sent to a node. `attempt` counts replacements with a higher fee. */
export const Sent = ({ isTaken, attempt, hash, label }: SentProps) => (
  <Said title={isTaken ? `Sent to ${label}` : `Not accepted by a node of ${label} yet`}>
    {attempt > 1 && `Again, with a higher fee (${attempt}). `}
    <Hash hash={hash} />
  </Said>
);

/** How long a transfer that is no longer submitted can still be made. */
export const ValidUntil = ({ until }: { until: Date | null }) =>
  until && (
    <>
      Anybody who has the signature can still submit it until <Time at={until} form="short" />.
    </>
  );

export function Said({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <>
      <p className="font-medium">{title}</p>
      {children && <div className="text-small text-ink-2">{children}</div>}
    </>
  );
}

export const Hash = ({ hash }: { hash: string }) => <AddressTag address={hash} noun="transaction hash" tile={false} />;
