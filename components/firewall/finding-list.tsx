import { Badge } from "@/components/ui/badge";
import type { FoundCode, Place } from "./findings";
import { PlainText } from "./marked-text";
import { SEVERITY_TONES } from "./verdict-words";

export type FindingListProps = {
  found: readonly FoundCode[];
  /** The id of a place's button, the target of the link in its mark. */
  idOf: (index: number) => string;
  /** Whether this finding's place is shown on the page. */
  isShown: (index: number) => boolean;
  onPoint: (index: number | null) => void;
  /** Moves the focus to the place. */
  onVisit: (index: number) => void;
};

/** The findings with severity and part of the score. Pointing at a place highlights it in the scanned text. */
export function FindingList({ found: codes, ...placeProps }: FindingListProps) {
  return (
    <ul aria-label="Findings" className="grid divide-y rounded-control border">
      {codes.map(({ code, severity, share, entries }) => (
        <li key={code} className="grid gap-2 px-4 py-3.5">
          <div className="flex items-start justify-between gap-4">
            <p className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1.5">
              <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
              <code className="text-small font-medium [overflow-wrap:anywhere]">{code}</code>
            </p>
            <p className="py-0.5 text-small whitespace-nowrap text-ink-2 num">
              {share > 0 ? `+${share}` : "0"} <span className="sr-only">of the score</span>
            </p>
          </div>
          {entries.map(({ message, places }) => (
            <div key={message} className="grid gap-1">
              <p className="text-control text-ink-2">{message}</p>
              {places.length > 0 && <Places places={places} code={code} {...placeProps} />}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

type PlacesProps = Omit<FindingListProps, "found"> & { places: readonly Place[]; code: string };

function Places({ places, code, idOf, isShown, onPoint, onVisit }: PlacesProps) {
  return (
    <p className="-ml-1.5 flex flex-wrap gap-x-1 gap-y-1">
      {places.map(({ index, label }) =>
        isShown(index) ? (
          <button
            key={index}
            id={idOf(index)}
            type="button"
            onFocus={() => onPoint(index)}
            onBlur={() => onPoint(null)}
            onMouseEnter={() => onPoint(index)}
            onMouseLeave={() => onPoint(null)}
            onClick={() => onVisit(index)}
            className="min-h-7 rounded-tile px-1.5 text-left text-tiny text-ink-2 underline decoration-line-2 underline-offset-4 [overflow-wrap:anywhere] hover:bg-sunk hover:text-ink max-sm:min-h-11"
          >
            <span className="sr-only">Show {code}, </span>
            <PlainText text={label} />
          </button>
        ) : (
          <code key={index} className="px-1.5 py-1 text-tiny text-ink-2 [overflow-wrap:anywhere]">
            <PlainText text={label} />
          </code>
        ),
      )}
    </p>
  );
}
