/** The entries of a list that is written with bars between them. */
export const split = (list: string): readonly string[] => list.split("|");
