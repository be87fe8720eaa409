import { Amount } from "@/components/ui/amount";
import { ButtonLink } from "@/components/ui/button-link";
import { usdcText } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { Time } from "@/components/ui/time";
import type { ExceededCap } from "@/lib/mandates/caps/contract";

export const PERIODS = { "24_hours": "24 hours", "30_days": "30 days" } as const satisfies Record<
  ExceededCap["window"],
  string
>;

/** The owner's cap that a request exceeds. */
export function ExceededNote({ cap, thing }: { cap: ExceededCap; thing: "payment" | "payout" }) {
  const { limitOf, window, maxAmount, remainingAmount, availableAt, canAsk } = cap;
  const whose = limitOf === "agent" ? "your limit for this agent" : "your limit";
  return (
    <Note
      tone="warn"
      title={`Above ${whose}: ${usdcText(maxAmount)} in ${PERIODS[window]}`}
      actions={
        !canAsk && (
          <ButtonLink size="small" href={limitOf === "agent" ? "/dashboard/agents" : "/dashboard/wallet"}>
            Change the limit
          </ButtonLink>
        )
      }
    >
      <Amount atomic={remainingAmount} /> is left.{" "}
      {availableAt === null ? (
        `This ${thing} never fits.`
      ) : (
        <>
          This {thing} fits from <Time at={availableAt} form="short" show="absolute" />.
        </>
      )}{" "}
      {canAsk
        ? "If you approve, it is paid all the same."
        : `${availableAt === null ? "It" : "Until then it"} is refused, also if you approve.`}
    </Note>
  );
}
