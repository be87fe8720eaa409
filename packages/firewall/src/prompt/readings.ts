import { undisguised } from "../text/disguises.ts";
import { unescaped } from "../text/escapes.ts";
import { encodedRuns } from "../text/runs.ts";
import { clean, type Unseen } from "../text/unfold.ts";
import { derived, type View } from "../text/view.ts";
import type { Words } from "../text/words.ts";
import type { Rooms } from "./read-words.ts";

/** A text as a reader could take it: as written, or decoded. The words are valid until the room is cleared. */
export type Reading = { view: View; words: Words; isDecoded: boolean };

/** Bounds how much decoded text is read, in UTF-16 units, so that a small input cannot expand without limit. */
const decodedLengthMax = 12_000;
const [depthMax, viewsMax] = [2, 24];
/** Fewer words are no instruction: "C O N T E N T S" when decoded. */
export const wordsMin = 3;

/** The text, what is hidden in it, and what it decodes to, two levels deep. */
export function* readingsOf(view: View, { smuggled }: Unseen, rooms: Rooms): Generator<Reading> {
  const words = rooms.wordsOf(view.text, view.units);
  yield { view, words, isDecoded: false };
  const sources: { views: Iterable<View>; depth: number }[] = [
    { views: smuggled, depth: 1 },
    { views: decodedFrom(view, words), depth: 1 },
  ];
  let [remainingLength, views] = [decodedLengthMax, 0];
  for (const { views: decoded, depth } of sources)
    for (const next of decoded) {
      if (remainingLength <= 0 || ++views > viewsMax) return;
      const cleaned = inner({ ...next, text: next.text.slice(0, remainingLength) });
      remainingLength -= next.text.length;
      const inside = rooms.wordsOf(cleaned.text, cleaned.units);
      if (inside.count >= wordsMin) yield { view: cleaned, words: inside, isDecoded: true };
      if (depth < depthMax) sources.push({ views: decodedFrom(cleaned, inside), depth: depth + 1 });
    }
}

/** Decoded text can have disguised letters too, so it is cleaned in turn. */
function inner(view: View): View {
  const { view: plain } = clean(view.text);
  if (!plain.units) return view;
  const { text, units, from, to } = plain;
  return { ...view, text, units, ...(from && to && derived(view, text, from, to)) };
}

export function* decodedFrom(view: View, words: Words): Generator<View> {
  const plain = unescaped(view, words);
  if (plain) yield plain;
  yield* encodedRuns(view, words);
  yield* undisguised(view, words);
}
