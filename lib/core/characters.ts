// Browser code imports this file, so it must not import zod. Why: docs/decisions.md, 444.

/** Text that PostgreSQL can store, also in JSON: well-formed Unicode without U+0000. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** What is wrong with a text that is not storable. */
export const NOT_STORABLE = "must be well-formed Unicode without the character U+0000";

/** The first `max` characters (code points): a cut inside a surrogate pair would produce text that UTF-8 cannot encode. */
export const firstCharacters = (text: string, max: number): string => [...text].slice(0, max).join("");
