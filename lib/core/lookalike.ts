/** Letters that are drawn alike, each with the one that stands for it: the common ones of Unicode TR 39. */
const PAIRS =
  "аa вb сc ԁd еe ѐe ёe ғf ԍg һh нh іi їi јj кk ӏl мm оo рp ԛq гr ѕs тt цu ѵv ԝw шw хx уy ү" +
  "y зz пn иn лn ьb " +
  "αa βb ϲc ςc δd εe ηn ιi ϳj κk λl μu νv οo ρp σo τt υu ωw χx γy ζz " +
  "աw գq եt հh ոn սu օo յj ɑa ɡg ɩi ıi łl øo đd ħh ŧt ƀb ƒf ᴀa ᴄc ᴇe ᴏo ᴠv ᴡw ᴢz " +
  "0o 1l |l !l il 5s 8b";

const STANDS_FOR = new Map(PAIRS.split(" ").map((pair) => [[...pair][0], [...pair][1]]));

/** What a name is drawn like: two names with the same skeleton are easily taken for each other. */
export function skeletonOf(name: string): string {
  const letters = [...name.normalize("NFKD").toLowerCase()]
    .filter((character) => !/[\p{M}\p{P}\p{Z}\p{C}\u2800]/u.test(character) || character === "!")
    .map((character) => STANDS_FOR.get(character) ?? character)
    .join("");
  return letters.replaceAll("rn", "m").replaceAll("vv", "w").replaceAll("cl", "d") || name;
}

export const looksLike = (a: string, b: string): boolean => skeletonOf(a) === skeletonOf(b);
