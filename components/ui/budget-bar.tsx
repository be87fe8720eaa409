import { formatUnits } from "viem/utils";
import { cx } from "./cx";
import { formatAmount } from "./format";

export type BudgetBarProps = {
  spent: bigint;
  pending: bigint;
  limit: bigint;
  decimals?: number | undefined;
  unit?: string | undefined;
  /** What became of `spent`: "used" if it may come back. */
  verb?: "spent" | "used" | undefined;
  /** "full" writes the three figures under the bar; "bar" keeps them for screen readers. */
  words?: "full" | "bar" | undefined;
  className?: string | undefined;
};

/** The parts of a budget that are spent (solid), pending (striped) and left (empty). */
export function BudgetBar({
  spent,
  pending,
  limit,
  decimals = 6,
  unit = "USDC",
  verb = "spent",
  words: layout = "full",
  className,
}: BudgetBarProps) {
  const text = (atomic: bigint) => formatAmount(formatUnits(atomic, decimals));
  // A limit may have been lowered since, or exceeded with an approval.
  const remainingAmount = limit > spent + pending ? limit - spent - pending : 0n;
  const sentence = `${text(spent)} ${verb}, ${text(pending)} pending, ${text(remainingAmount)} left of ${text(limit)} ${unit}`;
  return (
    <div className={cx("min-w-0", className)}>
      <div role="img" aria-label={sentence} className="flex h-2 overflow-hidden rounded-full bg-line">
        <span className="bg-brand" style={{ width: share(spent, limit) }} />
        <span className="opacity-75 pending-stripes" style={{ width: share(pending, limit) }} />
      </div>
      {layout === "full" && (
        <p aria-hidden className="mt-2 flex flex-wrap justify-between gap-x-4 text-small text-ink-2 num">
          <span>
            {text(spent)} {verb}
            {pending > 0n && `, ${text(pending)} pending`}
          </span>
          <span>
            <b className="text-ink">{text(remainingAmount)}</b> left of {text(limit)} {unit}
          </span>
        </p>
      )}
    </div>
  );
}

// Keeps small amounts visible: a first small payment must not look like none.
const share = (part: bigint, total: bigint) =>
  part <= 0n || total <= 0n ? "0" : `max(3px, ${Number((part * 10_000n) / total) / 100}%)`;
