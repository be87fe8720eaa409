import { Section } from "@/components/dashboard/section";
import { Badge } from "@/components/ui/badge";
import { Disclosure } from "@/components/ui/disclosure";
import { JsonView } from "@/components/ui/json-view";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { readableUrl } from "@/lib/core/host";
import type { PayeeView } from "@/lib/payees/contract";
import { STATUS } from "./words";

/** The addresses of the hosts that a mandate may pay, newest first, each with its evidence. */
/** By version of x402: the part of the host's answer whose SHA-256 is shown. */
const ANSWERED_IN = { 1: "body", 2: "requirement", mpp: "challenge" };

export const PayeeList = ({ payees }: { payees: readonly PayeeView[] }) => (
  <Section id="payees" title="Payees">
    <ul aria-label="Payees, newest first" className="grid divide-y rounded-card border bg-card">
      {payees.map((payee) => (
        <li key={payee.payeeId} data-row={payee.payeeId} className="grid gap-2 px-5 py-3.5">
          <Entry payee={payee} />
        </li>
      ))}
    </ul>
  </Section>
);

function Entry({ payee }: { payee: PayeeView }) {
  const { tone, label } = STATUS[payee.status];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <Link href={`/authorize/payee/${payee.payeeId}`} className="text-control font-medium [overflow-wrap:anywhere]">
          <bdi>{payee.origin}</bdi>
        </Link>
        <span className="flex flex-wrap gap-1.5">
          {payee.previousPayTo !== null && <Badge tone="warn">Changed address</Badge>}
          <Badge tone={tone}>{label}</Badge>
        </span>
      </div>
      <p className="mono text-small [overflow-wrap:anywhere]">{payee.payTo}</p>
      {payee.previousPayTo !== null && (
        <p className="text-small text-ink-2 [overflow-wrap:anywhere]">
          before: <span className="mono">{payee.previousPayTo}</span>
        </p>
      )}
      {payee.confirmedAt !== null && payee.status === "confirmed" && (
        <p className="text-small text-ink-2">
          by {payee.confirmedBy === "host" ? "the host itself" : "you"}, <Time at={payee.confirmedAt} form="short" />
        </p>
      )}
      {payee.evidence && (
        <Disclosure summary="Evidence: what the host answered">
          <div className="grid gap-3">
            <p className="text-small text-ink-2 [overflow-wrap:anywhere]">
              Asked <Time at={payee.evidence.askedAt} /> with{" "}
              <span className="mono">
                {payee.method} <bdi>{readableUrl(payee.resource)}</bdi>
              </span>
              . SHA-256 of its {ANSWERED_IN[payee.evidence.accepted.x402Version ?? "mpp"]}:{" "}
              <span className="mono">{payee.evidence.answerHash}</span>
            </p>
            <JsonView value={payee.evidence.accepted} label="accepted requirement" />
          </div>
        </Disclosure>
      )}
    </>
  );
}

/** Addresses that wait for the owner's decision, each with a link to its page. */
export const WaitingPayees = ({ label, payees }: { label: string; payees: readonly PayeeView[] }) => (
  <ul aria-label={label} className="grid divide-y rounded-card border bg-card">
    {payees.map(({ payeeId, origin, payTo }) => (
      <li key={payeeId} data-row={payeeId}>
        <Link
          href={`/authorize/payee/${payeeId}`}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3.5 text-control no-underline hover:bg-sunk"
        >
          <span className="grid min-w-0 gap-0.5 [overflow-wrap:anywhere]">
            <span className="font-medium">
              New address of <bdi>{origin}</bdi>
            </span>
            <span className="mono text-small text-ink-2">{payTo}</span>
          </span>
          <Badge tone="warn">Waiting for you</Badge>
        </Link>
      </li>
    ))}
  </ul>
);
