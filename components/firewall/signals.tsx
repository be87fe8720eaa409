import type { Signal } from "@tessera/firewall";
import { PlainText } from "./marked-text";

/** The parts of the text that made the statistical model suspicious, heaviest first. */
export function Signals({ text, signals }: { text: string; signals: readonly Signal[] }) {
  return (
    <ol aria-label="Wording that weighed most" className="grid divide-y overflow-hidden rounded-control border">
      {signals.map(({ start, end, share }) => (
        <li key={`${start} ${end}`} className="flex items-start justify-between gap-4 px-3.5 py-2">
          <q className="min-w-0 text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
            <PlainText text={text.slice(start, end)} />
          </q>
          <span className="text-small whitespace-nowrap text-ink-2 num">{share} %</span>
        </li>
      ))}
    </ol>
  );
}
