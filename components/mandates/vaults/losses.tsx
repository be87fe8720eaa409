import type { Loss } from "./words";

/** The most an owner can lose, by what goes wrong. */
export const Losses = ({ losses }: { losses: readonly Loss[] }) => (
  <div className="text-small">
    <p className="font-medium">Most you can lose, if</p>
    <dl className="mt-1.5 grid gap-x-5 gap-y-2 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-y-1.5">
      {losses.map(({ cause, most }) => (
        <div key={cause} className="contents max-sm:block">
          <dt className="text-ink-2">{cause}</dt>
          <dd className="[overflow-wrap:anywhere]">{most}</dd>
        </div>
      ))}
    </dl>
  </div>
);
