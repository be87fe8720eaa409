import { receiptHref } from "@/components/payments/money-row";
import { ButtonLink } from "@/components/ui/button-link";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import type { MovementKind, Outcome } from "./movement";

export type MovementNoteProps = {
  kind: MovementKind;
  /** For example "12.50 USDC". */
  sum: string;
  outcome: Outcome;
};

export function MovementNote({ kind, sum, outcome }: MovementNoteProps) {
  const phrases = WORDS[kind];
  switch (outcome.type) {
    case "pending":
      return (
        <Note tone="info" live="polite" title={`${sum} on the way`}>
          {phrases.pending} You can close this page.
        </Note>
      );
    case "unknown":
      return (
        <Note tone="warn" live="assertive" title="We do not know yet">
          We had no clear answer. {phrases.unknown}
        </Note>
      );
    case "settled":
      return (
        <Note
          tone="good"
          live="polite"
          title={`${sum} ${phrases.settled}`}
          actions={
            <ButtonLink size="small" href={receiptHref(outcome.settlementId)}>
              See the receipt
            </ButtonLink>
          }
        />
      );
    case "declined":
      return (
        <Note tone="warn" live="assertive" title={`${sum} not settled`}>
          {outcome.reason} It can still go through until <Time at={outcome.until} form="short" />.{" "}
          {outcome.settlementId === null
            ? "Try again with the same signature, or wait until then."
            : "Wait until then before you try again; this page shows the outcome."}
        </Note>
      );
    case "failed":
      return (
        <Note tone="bad" live="assertive" title="No money moved">
          {outcome.reason}
        </Note>
      );
    default:
      outcome satisfies never;
      return null;
  }
}

const WORDS = {
  deposit: {
    pending: "Your deposit has been sent to the network. Do not pay again: this page shows when it has arrived.",
    unknown: "Check again: it sends the same signature, which can move the money only once.",
    settled: "arrived in your spending wallet",
  },
  withdrawal: {
    pending:
      "Your withdrawal has been sent to the network. Do not request it again: this page shows when it has arrived.",
    unknown: "Check the balance and the history on this page before you withdraw again.",
    settled: "arrived at your own address",
  },
  credits: {
    pending: "Your payment has been sent to the network. Do not buy again: the credits appear once it has settled.",
    unknown: "Check your credits and the history on this page before you buy again.",
    settled: "paid for service credits",
  },
} as const;
