// Browser code imports this file, so it must not import zod. Why: docs/decisions.md, 444.

/** The first `max` characters (code points): a cut inside a surrogate pair would produce text that UTF-8 cannot encode. */
export const firstCharacters = (text: string, max: number): string => [...text].slice(0, max).join("");
