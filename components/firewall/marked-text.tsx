import { type Finding, type Severity, type Span, severities } from "@tessera/firewall/verdict";
import { cx } from "@/components/ui/cx";
import { type Hidden, type Piece, piecesOf } from "./pieces";

export type MarkedTextProps = {
  label: string;
  text: string;
  findings: readonly Finding[];
  /** The span of each finding; undefined for those that are not marked. */
  spans: readonly (Span | undefined)[];
  /** The highlighted finding. */
  pointed: number | null;
  /** The id of the mark at which a finding begins. */
  idOf: (index: number) => string;
  /** The id of a finding in the list, the target of the link in its mark. */
  backTo: (index: number) => string;
};

/** Limits the render time for texts with many marks. */
const PIECES_MAX = 1_200;

/** The scanned text with its findings marked and invisible characters made visible. Always rendered as text. */
export function MarkedText({ label, text, findings, spans, pointed, idOf, backTo }: MarkedTextProps) {
  const pieces = piecesOf(text, spans);
  const visiblePieces = pieces.slice(0, PIECES_MAX);
  const omittedPiece = pieces[PIECES_MAX];
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
      tabIndex={0}
      className="relative max-h-96 overflow-auto rounded-control border bg-card px-4 py-3.5"
    >
      <bdi dir="auto" className="block text-control leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
        {visiblePieces.map((piece, position) => (
          <MarkedPiece
            key={`${piece.start} ${piece.text.length}`}
            piece={piece}
            begins={piece.spans.filter((index) => !visiblePieces[position - 1]?.spans.includes(index))}
            findings={findings}
            isPointed={pointed !== null && piece.spans.includes(pointed)}
            idOf={idOf}
            backTo={backTo}
          />
        ))}
      </bdi>
      {visiblePieces.some(({ hidden }) => hidden !== null) && (
        <p className="mt-3 text-small text-ink-2">In dashed boxes: characters that do not show.</p>
      )}
      {omittedPiece && (
        <p className="mt-3 text-small text-ink-2">
          The rest, from character {(omittedPiece.start + 1).toLocaleString("en-US")} on, was scanned and is not drawn.
        </p>
      )}
    </section>
  );
}

type MarkedPieceProps = Pick<MarkedTextProps, "findings" | "idOf" | "backTo"> & {
  piece: Piece;
  /** The findings that begin at this piece. */
  begins: readonly number[];
  isPointed: boolean;
};

function MarkedPiece({ piece, begins, findings, isPointed, idOf, backTo }: MarkedPieceProps) {
  const content = piece.hidden ? <HiddenChip hidden={piece.hidden} /> : piece.text;
  const covering = piece.spans.flatMap((index) => findings[index] ?? []);
  const gravest = covering.reduce<Severity>((most, { severity }) => graver(most, severity), "low");
  if (covering.length === 0) return content;
  const isWordingAlone = covering.every(({ code }) => code === "INJECTION_LIKELIHOOD");
  const [first] = begins;
  const codes = [...new Set(begins.flatMap((index) => findings[index]?.code ?? []))].join(", ");
  return (
    <mark
      {...(isPointed && { "data-pointed": "" })}
      className={cx(
        "py-0.5 text-ink underline underline-offset-4",
        isWordingAlone ? WORDING : MARKS[gravest],
        isPointed && POINTED,
      )}
    >
      {begins.map((index) => (
        <span key={index} id={idOf(index)} />
      ))}
      {first === undefined ? (
        content
      ) : (
        <a
          href={`#${backTo(first)}`}
          title={codes}
          onClick={(event) => {
            // The page's URL stays unchanged: people share it.
            event.preventDefault();
            document.getElementById(backTo(first))?.focus();
          }}
          className="decoration-inherit"
        >
          {content}
          <span className="sr-only"> ({codes})</span>
        </a>
      )}
    </mark>
  );
}

/** Untrusted text inside the page's own text; `bdi` isolates its direction. */
export function PlainText({ text }: { text: string }) {
  return (
    <bdi>
      {piecesOf(text, []).map((piece) =>
        piece.hidden ? <HiddenChip key={piece.start} hidden={piece.hidden} /> : piece.text,
      )}
    </bdi>
  );
}

/** A label in place of invisible characters, so that they cannot hide text or reverse the line. */
function HiddenChip({ hidden: { label, name } }: { hidden: Hidden }) {
  return (
    <span
      title={name}
      dir="ltr"
      className="mx-px inline rounded-tile border border-dashed border-field bg-sunk px-1 py-px whitespace-pre-wrap mono text-tiny text-ink-2 [overflow-wrap:anywhere]"
    >
      {label}
      <span className="sr-only">, {name}</span>
    </span>
  );
}

const graver = (a: Severity, b: Severity) => (severities.indexOf(a) >= severities.indexOf(b) ? a : b);

/** Distinguished by underline as well as by colour. */
const MARKS: Record<Severity, string> = {
  low: "bg-sunk decoration-field decoration-dotted decoration-2",
  medium: "bg-warn-soft decoration-warn decoration-dashed decoration-2",
  high: "bg-bad-soft decoration-bad decoration-2",
  critical: "bg-bad-soft decoration-bad decoration-4",
};

/** The model marks a long passage; other findings inside it should remain visible. */
const WORDING = "bg-transparent decoration-bad decoration-dotted decoration-1";

const POINTED = "outline-2 outline-brand";
