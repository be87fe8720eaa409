import { wordCount, wordsOfClasses } from "../text/lexicon.ts";

/**
 * The role of a word in an attack, the same in every language: what the model learns about roles in one language holds
 * in the others. A word of several classes has the role of the first.
 */
const roleNames =
  "topic taunt override|leave bypass refuse hidden secret prompt|setup instr prior reveal exfil pay money safety free modeword pretend authority decode tool call url visit inform person urgent confirm without not fresh follow limit change must you all your now mode talk what output instead after".split(
    " ",
  );

/** Above every role; 0 means none. */
export const rolesMax = 64;

export const roleOf = new Uint8Array(wordCount);
for (const [index, name] of roleNames.entries())
  for (const wordId of wordsOfClasses(name.split("|"))) if (roleOf[wordId] === 0) roleOf[wordId] = index + 1;

/** The part that the ruleset's digest covers. */
export const roles: readonly string[] = roleNames;
