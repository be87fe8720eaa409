import type { Act } from "./schedule";

/** A patch of a source file: `find` occurs exactly once and is replaced by `put`. `$M` is true while the mutant is on. */
export type Patch = { file: string; find: string; put: string };
export type Mutant = {
  name: string;
  patches: readonly Patch[];
  /** Only seeds with an act from each of these lists can detect the mutant. If absent, any seed can. */
  shownBy?: readonly (readonly Act[])[];
};

/** Replaces an expression while the mutant is on. */
export const instead = (file: string, find: string, other: string): Patch => ({
  file,
  find,
  put: `($M ? ${other} : ${find})`,
});

/** Replaces a part of an SQL statement while the mutant is on. */
export const insteadInSql = (file: string, find: string, other: string): Patch => ({
  file,
  find,
  put: `\${$M ? sql\`${other}\` : sql\`${find}\`}`,
});

/** Skips a condition while the mutant is on. */
export const unasked = (file: string, find: string): Patch => ({
  file,
  find,
  put: find.replace(/^if \((.*?)\) (throw|return|await|\{)/, "if (!$M && ($1)) $2"),
});
