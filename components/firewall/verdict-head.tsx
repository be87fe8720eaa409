import { blockFrom, reviewFrom, scoreMax } from "@tessera/firewall/verdict";
import { cx } from "@/components/ui/cx";
import type { Report } from "./engine";
import { meaningOf, VERDICTS } from "./verdict-words";

/** The verdict in a word and a sentence, and the score on a scale with the thresholds. */
export function VerdictHead({ report }: { report: Report }) {
  const { verdict, riskScore } = report.scan;
  const { Icon, label, colour, ground } = VERDICTS[verdict];
  return (
    <div className={cx("grid gap-4 rounded-control px-4 py-4 sm:px-5", ground)}>
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className={cx("flex items-center gap-2 text-mid font-bold", colour)}>
            <Icon aria-hidden className="size-6 shrink-0" />
            {label}
          </p>
          <p className="mt-1 text-control">{meaningOf(report.scanner, report.scan)}</p>
        </div>
        <p className="shrink-0 text-right">
          <span className="text-mid font-bold num">{riskScore}</span>
          <span className="block text-tiny text-ink-2">of {scoreMax}</span>
        </p>
      </div>
      <Scale report={report} />
    </div>
  );
}

function Scale({ report: { scan } }: { report: Report }) {
  const { verdict, riskScore } = scan;
  return (
    <div>
      <meter className="sr-only" aria-label="Risk score" min={0} max={scoreMax} value={riskScore}>
        {riskScore} of {scoreMax}: review from {reviewFrom}, block from {blockFrom}
      </meter>
      <div aria-hidden className="relative h-2 rounded-full bg-card ring-1 ring-line-2">
        <span
          className={cx("absolute inset-y-0 left-0 rounded-full", VERDICTS[verdict].bar)}
          style={{ width: `${(riskScore / scoreMax) * 100}%` }}
        />
        {[reviewFrom, blockFrom].map((index) => (
          <span
            key={index}
            className="absolute -inset-y-1 w-px bg-ink-2"
            style={{ left: `${(index / scoreMax) * 100}%` }}
          />
        ))}
      </div>
      <div aria-hidden className="relative mt-1.5 h-4 text-tiny text-ink-2">
        <span className="absolute -translate-x-1/2" style={{ left: `${(reviewFrom / scoreMax) * 100}%` }}>
          Review {reviewFrom}
        </span>
        <span className="absolute -translate-x-1/2" style={{ left: `${(blockFrom / scoreMax) * 100}%` }}>
          Block {blockFrom}
        </span>
      </div>
    </div>
  );
}
