import { z } from "zod";
import { NAME_MAX } from "./lengths";

/**
 * Texts that people base decisions on. Such a text contains no invisible characters, no characters that change the
 * direction of the text around them, and no blanks that pass for letters.
 */

/** Visible although Unicode lists them as format characters: signs that enclose Arabic, Syriac and Kaithi numbers. */
const DRAWN_FORMAT = "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}";

/** Control, format, private and unassigned characters, lone surrogates, line separators, default ignorables, and blanks that pass for letters. */
const UNSEEN = new RegExp(
  `(?![${DRAWN_FORMAT}])[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ufffc]`,
  "u",
);

/** Scripts that use an invisible character to join letters or to keep them apart. */
const JOINING =
  "\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}";

/** Invisible characters that these scripts and emoji need, where they change the rendering. */
const NEEDED = new RegExp(
  [
    `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
    "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})",
    "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]",
    "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
  ].join("|"),
  "gu",
);

/** Seven or more combining marks would cover the lines above and below. */
const PILED = /\p{M}{7}/u;
const PILES = /(\p{M}{6})\p{M}+/gu;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether at least one character of `text` is visible. */
export const isVisible = (text: string): boolean =>
  VISIBLE.test(text.replace(/[\u2800\u3164\uffa0\u115f\u1160]/gu, ""));

/** Whether every character of `text` is visible in place; `hasLines` allows line ends and tabs. */
export function isFullyVisible(text: string, hasLines: boolean): boolean {
  const strippedText = (hasLines ? text.replace(/\r\n|[\n\t]/g, " ") : text).replace(NEEDED, "");
  return !UNSEEN.test(strippedText) && !PILED.test(text);
}

const INVISIBLE_ERROR = "must not contain control, invisible or direction-changing characters";

type Shape = { max: number; hasLines?: boolean; error: string };

/** At most `max` characters (code points), all visible; may be empty. */
export const shownText = ({ max, hasLines = false, error }: Shape) =>
  z
    .string({ error })
    .refine((text) => text.length <= 2 * max && [...text].length <= max, `must have at most ${max} characters`)
    .refine((text) => text.isWellFormed(), "must be well-formed Unicode")
    .refine((text) => isFullyVisible(text, hasLines), INVISIBLE_ERROR)
    .meta({ maxLength: max });

/** A name on one line, with at least one visible character. */
export const shownName = (error = `must be 1 to ${NAME_MAX} characters on one line`) =>
  shownText({ max: NAME_MAX, error })
    .refine((text) => text !== "", error)
    .refine(isVisible, "must not be blank")
    .meta({ minLength: 1, maxLength: NAME_MAX });

/** Removes invisible characters and piled marks from a stranger's text before it is stored. */
export function withoutInvisible(text: string): string {
  const formed = text.toWellFormed();
  const needed = new Set([...formed.matchAll(NEEDED)].map(({ index }) => index));
  let visibleText = "";
  let position = 0;
  for (const character of formed) {
    if (needed.has(position) || /[\n\r\t]/.test(character) || !UNSEEN.test(character)) visibleText += character;
    position += character.length;
  }
  return visibleText.replace(PILES, "$1");
}
