/** Letters that look alike, each with its representative: the common confusables of Unicode TR 39. */
const PAIRS =
  "аa вb сc ԁd еe ѐe ёe ғf ԍg һh нh іi їi јj кk ӏl мm оo рp ԛq гr ѕs тt цu ѵv ԝw шw хx уy ү" +
  "y зz пn иn лn ьb " +
  "αa βb ϲc ςc δd εe ηn ιi ϳj κk λl μu νv οo ρp σo τt υu ωw χx γy ζz " +
  "աw գq եt հh ոn սu օo յj ɑa ɡg ɩi ıi łl øo đd ħh ŧt ƀb ƒf ᴀa ᴄc ᴇe ᴏo ᴠv ᴡw ᴢz " +
  "0o 1l |l !l il 5s 8b";

const REPRESENTATIVES = new Map(PAIRS.split(" ").map((pair) => [[...pair][0], [...pair][1]]));

/** The representative spelling of a name: names with equal skeletons are easily confused. */
function skeletonOf(name: string): string {
  const letters = [...name.normalize("NFKD").toLowerCase()]
    .filter((character) => !/[\p{M}\p{P}\p{Z}\p{C}\u2800]/u.test(character) || character === "!")
    .map((character) => REPRESENTATIVES.get(character) ?? character)
    .join("");
  return letters.replaceAll("rn", "m").replaceAll("vv", "w").replaceAll("cl", "d") || name;
}

/** For each of `names`, another one that looks like it. Linear in the number of names. */
export function lookalikesOf(names: readonly string[]): (string | undefined)[] {
  const skeletons = names.map(skeletonOf);
  const places = new Map<string, number[]>();
  skeletons.forEach((skeleton, index) => {
    const positions = places.get(skeleton);
    // Two are enough: they warn about each other, and either warns about a third.
    if (!positions) places.set(skeleton, [index]);
    else if (positions.length < 2) positions.push(index);
  });
  return skeletons.map((skeleton, index) => {
    const twin = places.get(skeleton)?.find((position) => position !== index);
    return twin === undefined ? undefined : names[twin];
  });
}

export const looksLike = (a: string, b: string): boolean => skeletonOf(a) === skeletonOf(b);
