/** How a unit above ASCII is folded before matching. Values from 32 are the folded unit itself. */
export const KEEP = 0;
export const DROP = 1;
export const BREAK = 2;
export const EXPAND = 3;
export const PAIR = 4;

/** Letters that look like Latin ones in any context and have no decomposition in Unicode. */
const drawnLatin =
  "ɪi ɢg ɴn ʀr ʟl ʏy ʙb ʜh ғf ǫq ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ꜰf ꜱs ꞯq ɩi ıi łl øo đd ħh ŧt ƀb ɓb ƈc ɖd ɗd ƒf ɠg ɦh ƙk ɫl ɱm ɲn ɳn ɵo ƥp ɾr ʂs ƭt ʈt ʉu ʋv ⱳw ƴy ȥz ʐz ɑa ɡg ɣy ʝj " +
  // Upside down, as in "flip text".
  "ɐa ɔc ǝe əe ɟf ƃg ɥh ᴉi ɾj ʞk ꞁl ɯm ɹr ʇt ʌv ʍw ʎy " +
  "⠁a ⠃b ⠉c ⠙d ⠑e ⠋f ⠛g ⠓h ⠊i ⠚j ⠅k ⠇l ⠍m ⠝n ⠕o ⠏p ⠟q ⠗r ⠎s ⠞t ⠥u ⠧v ⠺w ⠭x ⠽y ⠵z";

/** Ligatures: several letters in one character. */
const several = "ßss æae œoe þth ﬀff ﬁfi ﬂfl ﬃffi ﬄffl ﬅst ﬆst …... €e £l ¢c ¥y ₿b";

/** Letters of other scripts that look like Latin ones inside an otherwise Latin word (Unicode TR 39, letters only). */
const lookalikes =
  "аa вb сc ԁd еe ҽe ғf ԍg һh нh іi їi јj кk ӏl мm оo рp ԛq гr ѕs тt цu υu ѵv ԝw шw хx уy ү" +
  "y зz пn иn лn ьb яr ёe йn " +
  "αa βb ϲc ςc δd εe ϝf ɡg ηn ιi ϳj κk λl μu νv οo ρp σo τt ωw χx γy ζz θo πn " +
  "աw բf գq եt զq հh ցg ոn սu օo ԁd յj ս" +
  "u ѡw ⲟo ⲣp ⲥc ⲉe ꮪs ꭺa ꭼe ꮯc ꮃw ꭻj ꮲp ꭱe ꭲi ꮓz ꮮl ꮇm ꮋh";

const ranges = (text: string): [number, number][] =>
  text.split(" ").map((range) => {
    const [from = "", to = from] = range.split("-");
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });

/** Displayed as nothing, or on top of the letter before. */
const unseen = ranges(
  "ad 300-36f 483-489 61c 115f-1160 17b4-17b5 180b-180f 1ab0-1aff 1dc0-1dff 200b-200f 202a-202e 2060-206f 20d0-20ff 3164 fe00-fe0f fe20-fe2f feff ffa0 fff9-fffb",
);

const between = ranges(
  "80-a9 ab-ac ae-b1 b4 b6-b8 bb-bf d7 f7 2c2-2c5 2d2-2df 37e 387 55a-55f 589-58a 5be 5c0 5c3 5f3-5f4 60c 61b 61f 66a-66d 6d4 964-965 e5a-e5b 1680 2000-200a 2010-2029 202f-205f 20a0-20cf 2190-245f 2500-2800 2900-2bff 2e00-2e7f 3000-3004 3008-3020 3030 303d 30fb fd3e-fd3f fe10-fe19 fe30-fe6f ff61-ff65 fffc-fffd e000-f8ff",
);

/** Blocks of compatibility forms of Latin letters, digits and kana. */
const compatible = ranges(
  "aa-ff 100-24f 1d2c-1dbf 1e00-1eff 2000-200a 202f 205f 2070-209c 2100-218f 2460-24ff 3000 fe50-fe6f ff01-ffef 3131-318e",
);

const unspaced = ranges(
  "e00-e7f e80-eff 1000-109f 1780-17ff 3005-3007 3040-30ff 31f0-31ff 3400-9fff ac00-d7af f900-faff",
);

const expansions = new Map<number, string>();
const fold = new Uint16Array(0x10000);
const lookalike = new Uint8Array(0x10000);
const isUnspaced = new Uint8Array(0x10000);

for (const [from, to] of compatible) {
  for (let unit = from; unit <= to; unit++) setFold(unit, latinised(String.fromCharCode(unit)));
}
for (const [from, to] of between) for (let unit = from; unit <= to; unit++) if (fold[unit] === KEEP) fold[unit] = BREAK;
for (const pair of drawnLatin.split(" ")) fold[pair.charCodeAt(0)] = pair.charCodeAt(1);
for (const [letter = "", ...letters] of several.split(" "))
  for (const form of [letter, letter.toUpperCase()])
    if (form.length === 1) setFold(form.charCodeAt(0), letters.join(""));
for (let unit = 0x370; unit < 0x590; unit++) {
  const lower = String.fromCharCode(unit).toLowerCase();
  if (fold[unit] === KEEP && lower.length === 1 && lower.charCodeAt(0) !== unit) fold[unit] = lower.charCodeAt(0);
}
for (const [from, to] of unseen) for (let unit = from; unit <= to; unit++) fold[unit] = DROP;
fold.fill(PAIR, 0xd800, 0xe000);
for (const pair of lookalikes.split(" ")) lookalike[pair.charCodeAt(0)] = pair.charCodeAt(1);
const mathematical = Uint8Array.from({ length: 0x400 }, (_, index) => mathematicalLetter(0x1d400 + index));
for (const [from, to] of unspaced) isUnspaced.fill(1, from, to + 1);

export const foldOf = (unit: number): number => fold[unit] ?? KEEP;
export const lookalikeOf = (unit: number): number => lookalike[unit] ?? 0;
export const expansionOf = (unit: number): string => expansions.get(unit) ?? "";
/** Whether a character is a word by itself: in scripts without spaces, every character is. */
export const standsAlone = (unit: number): boolean => isUnspaced[unit] === 1;

/** The Latin letter or digit that a code point above the basic plane is a variant of, or 0. */
export function foldPair(point: number): number {
  if (point >= 0x1d400 && point <= 0x1d7ff) return mathematical[point - 0x1d400] ?? 0;
  // Squared, negative circled and negative squared letters: three alphabets, 32 apart.
  if (point >= 0x1f130 && point <= 0x1f189 && (point - 0x1f130) % 32 < 26) return 97 + ((point - 0x1f130) % 32);
  if (point >= 0x1f1e6 && point <= 0x1f1ff) return 97 + point - 0x1f1e6;
  return 0;
}

function mathematicalLetter(point: number): number {
  const plain = String.fromCodePoint(point).normalize("NFKD").toLowerCase().charCodeAt(0);
  return plain < 128 ? plain : (lookalike[plain] ?? 0);
}

/** The form to match: without accents for Latin letters, composed otherwise. */
function latinised(letter: string): string {
  const parts = letter
    .toLowerCase()
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "");
  if (/^\(\w+\)$/.test(parts)) return parts.slice(1, -1);
  return /^[\x20-\x7e]+$/.test(parts) ? parts : letter.normalize("NFKC");
}

function setFold(unit: number, letters: string): void {
  if (letters.length === 1) {
    const folded = letters.charCodeAt(0);
    if (folded !== unit) fold[unit] = folded;
  } else if (letters.length > 1) {
    fold[unit] = EXPAND;
    expansions.set(unit, letters);
  }
}
