import { formatCount, formatPercent } from "@/components/ui/format";

export type LinkFunnelProps = {
  /** Visits that reached each step; never increases from one step to the next. */
  viewed: number;
  connected: number;
  signed: number;
  settled: number;
  /** Payments without a recorded visit. */
  byAgents: number;
};

/** Visits from opening the link to payment. The list is complete; the bars only illustrate it. */
export function LinkFunnel({ byAgents, ...counts }: LinkFunnelProps) {
  return (
    <div className="grid gap-5">
      <ol aria-label="Visits by step" className="grid gap-4">
        {STEPS.map(({ key, label }) => (
          <li key={key} className="grid gap-1.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-control">
              <span>{label}</span>
              <span className="num">
                <b>{formatCount(counts[key])}</b>
                {key !== "viewed" && <span className="text-ink-2"> · {share(counts[key], counts.viewed)}</span>}
              </span>
            </p>
            <div aria-hidden className="h-2.5 overflow-hidden rounded-full bg-sunk">
              <div className="h-full rounded-full bg-brand" style={{ width: width(counts[key], counts.viewed) }} />
            </div>
          </li>
        ))}
      </ol>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-t pt-4 text-control">
        <span>Paid without a visit, for example, by agents</span>
        <b className="num">{formatCount(byAgents)}</b>
      </p>
    </div>
  );
}

const STEPS = [
  { key: "viewed", label: "Opened the link" },
  { key: "connected", label: "Connected a wallet" },
  { key: "signed", label: "Signed the payment" },
  { key: "settled", label: "Paid" },
] as const;

const share = (part: number, total: number): string =>
  total === 0 ? "0%" : formatPercent(BigInt(part), BigInt(total));

// Anything above zero stays visible.
const width = (part: number, total: number) => (part === 0 ? "0" : `max(4px, ${(part * 100) / total}%)`);
