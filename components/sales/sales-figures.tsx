import type { ReactNode } from "react";
import { Amount } from "@/components/ui/amount";
import { Stat } from "@/components/ui/card";
import { formatCount, roundAverage } from "@/components/ui/format";
import type { Usdc } from "@/lib/core/usdc";
import { changeWords, wentThrough } from "./sales-words";

export type Figures = {
  volume: Usdc;
  settled: number;
  failed: number;
  pending: number;
  payers: number;
  average: Usdc | null;
};
export type SalesFiguresProps = { current: Figures; previous: Figures };

/** The figures of a period, compared with those of the previous period. */
export function SalesFigures({ current, previous }: SalesFiguresProps) {
  const ended = current.settled + current.failed;
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-5">
      <Stat
        label="Volume, before refunds"
        className="max-lg:col-span-2"
        note={
          <Change now={current.volume} before={previous.volume}>
            <Amount atomic={previous.volume} />
          </Change>
        }
      >
        <Amount atomic={current.volume} size="mid" />
      </Stat>
      <Stat
        label="Payments"
        note={
          <Change now={BigInt(current.settled)} before={BigInt(previous.settled)}>
            {formatCount(previous.settled)}
          </Change>
        }
      >
        {formatCount(current.settled)}
      </Stat>
      <Stat
        label="Success rate"
        note={
          <>
            {ended === 0 ? "Nothing completed yet" : `${formatCount(current.settled)} of ${formatCount(ended)}`}
            {current.pending > 0 && `, ${formatCount(current.pending)} on their way`}
            {previous.settled + previous.failed > 0 && <span className="block">{wentThrough(previous)} before</span>}
          </>
        }
      >
        {wentThrough(current) ?? <None />}
      </Stat>
      <Stat
        label="Payers"
        note={
          <Change now={BigInt(current.payers)} before={BigInt(previous.payers)}>
            {formatCount(previous.payers)}
          </Change>
        }
      >
        {formatCount(current.payers)}
      </Stat>
      <Stat
        label="Average"
        note={
          <Change now={current.average ?? 0n} before={previous.average ?? 0n}>
            <Amount atomic={roundAverage(previous.average ?? 0n)} />
          </Change>
        }
      >
        {current.average === null ? <None /> : <Amount atomic={roundAverage(current.average)} size="mid" />}
      </Stat>
    </div>
  );
}

/** `children` is the previous value. */
function Change({
  now: currentFigure,
  before: previousFigure,
  children,
}: {
  now: bigint;
  before: bigint;
  children: ReactNode;
}) {
  const changeText = changeWords(currentFigure, previousFigure);
  return changeText === null ? (
    "None before"
  ) : (
    <>
      {changeText} {children}
    </>
  );
}

const None = () => <span className="text-ink-2">None</span>;
