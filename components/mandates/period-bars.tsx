import { Amount } from "@/components/ui/amount";
import { BudgetBar } from "@/components/ui/budget-bar";
import { Time } from "@/components/ui/time";
import { ZERO } from "@/lib/core/usdc";
import type { ShownMandate } from "./words";

export type PeriodBarsProps = {
  mandate: ShownMandate;
  /** The owner can still choose a vault. */
  isPlaceOpen?: boolean | undefined;
};

/** The daily and monthly budgets, if the mandate has any: the used amount, and when the next period begins. */
export function PeriodBars({ mandate, isPlaceOpen = false }: PeriodBarsProps) {
  const { maxAmountPerDay, maxAmountPerMonth, today, thisMonth, signedAt, vault } = mandate;
  const bars = [
    { name: "Today", cap: maxAmountPerDay, period: today },
    { name: "This month", cap: maxAmountPerMonth, period: thisMonth },
  ].flatMap(({ name, cap, period }) => (cap === null || period === null ? [] : [{ name, cap, period }]));
  if (bars.length === 0) return null;
  return (
    <div className="mt-5 grid gap-4">
      {bars.map(({ name, cap, period }) => (
        <section key={name} aria-label={name}>
          <p className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-small">
            <span className="font-medium">{name}</span>
            <span className="text-ink-2">
              <Amount atomic={period.remainingAmount} className="text-ink" /> left
              {signedAt !== null && (
                <>
                  , full again <Time at={period.resetsAt} form="short" />
                </>
              )}
            </span>
          </p>
          <BudgetBar spent={period.usedAmount} pending={ZERO} limit={cap} words="bar" verb="used" />
        </section>
      ))}
      <p className="text-small text-ink-2">
        Days and months are in UTC. A signed payment counts, and returns to the budget if it expires unused.
        {(vault !== null || isPlaceOpen) &&
          " Tessera enforces these budgets: a vault’s contract has no daily or monthly ones."}
      </p>
    </div>
  );
}
