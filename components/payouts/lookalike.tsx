import { Note } from "@/components/ui/note";
import type { KnownAddress } from "@/lib/payouts/rules";
import { ownerOf } from "./words";

export type LookalikeProps = {
  address: string;
  known: Pick<KnownAddress, "address" | "name" | "kind">;
  /** Set while the person types: announces the warning to screen readers. */
  live?: "polite" | undefined;
};

/** Two addresses that look the same when shortened, one above the other. Marks the difference. */
export function Lookalike({ address, known: knownAddress, live }: LookalikeProps) {
  const [addressParts, knownParts] = differenceOf(address, knownAddress.address);
  return (
    <Note tone="bad" title="This looks like an address you know, but is a different one" live={live}>
      <p>
        It begins and ends like <bdi>{ownerOf(knownAddress)}</bdi>. Thieves create such addresses and hope that you
        compare only the ends.
      </p>
      <dl className="mt-2.5 grid gap-1.5">
        <Marked label="This address" parts={addressParts} />
        <Marked label="You know" parts={knownParts} />
      </dl>
    </Note>
  );
}

function Marked({
  label,
  parts: { head, middle, tail },
}: {
  label: string;
  parts: ReturnType<typeof differenceOf>[0];
}) {
  return (
    <div>
      <dt className="text-tiny text-ink-2">{label}</dt>
      <dd className="mono [overflow-wrap:anywhere]">
        {head}
        <mark className="bg-transparent font-bold text-bad underline decoration-2 underline-offset-3">{middle}</mark>
        {tail}
      </dd>
    </div>
  );
}

type Parts = { head: string; middle: string; tail: string };

/** Two addresses, each split where their difference begins and ends. Letter case is only a checksum and is ignored. */
export function differenceOf(a: string, b: string): [Parts, Parts] {
  const [first, right] = [a.toLowerCase(), b.toLowerCase()];
  let from = 0;
  while (from < first.length && first[from] === right[from]) from++;
  let same = 0;
  while (same < first.length - from && first.at(-1 - same) === right.at(-1 - same)) same++;
  const cut = (text: string): Parts => ({
    head: text.slice(0, from),
    middle: text.slice(from, text.length - same),
    tail: text.slice(text.length - same),
  });
  return [cut(a), cut(b)];
}
