/**
 * The entries of lists that are written with bars between them. Forms name a list in braces: `{x}` is replaced by an entry of list x, which can
 * name others.
 */
export function splitLists<Name extends string>(lists: Record<Name, string>): Record<Name, readonly string[]> {
  const entries = Object.entries<string>(lists).map(([name, list]) => [name, list.split("|")]);
  return Object.fromEntries(entries); // The same names as `lists`.
}

/** The forms of a list with bars between them. White space around a bar is layout. */
export const splitForms = (list: string): readonly string[] => list.trim().split(/\s*\|\s*/);

export type Grammar = readonly [forms: readonly string[], lists: Readonly<Record<string, readonly string[]>>];
/** Attacks, and harmless texts in the same words: the model must learn what is said and not its words alone. */
export type Grammars = { attack: Grammar; ordinary: Grammar };
