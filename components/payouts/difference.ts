export type Parts = { head: string; middle: string; tail: string };

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
