import { codeOf } from "../actors/api";
import type { Facts } from "./chain";
import type { Memory } from "./memory";
import { THEFTS } from "./thief";

const refusalLine = (kind: string) => `a theft was refused: ${kind}`;
/** Thefts that must be attempted and refused in a long enough run. */
export const REFUSED_THEFTS: readonly string[] = THEFTS.map(refusalLine);

export const refusalsOf = ({ thefts }: Pick<Memory, "thefts">): string[] =>
  thefts.filter(({ answer }) => answer && codeOf(answer) === "signature_required").map(({ kind }) => refusalLine(kind));

/** A session alone must not let money go to a new payee, and thieves must have received nothing. */
export function judgeThieves(
  { thefts, loot }: Pick<Memory, "thefts" | "loot">,
  { transfers }: Pick<Facts, "transfers">,
): string[] {
  const addresses = new Set([...loot].map((address) => address.toLowerCase()));
  const answered = thefts.flatMap(({ kind, answer }) => {
    if (!answer) return [];
    const name = `a thief with a session tried a theft (${kind}) and was answered ${answer.status}`;
    if (answer.status < 400) return [name];
    const isSilent = answer.status >= 500 && answer.status !== 503;
    return isSilent ? [`${name} ${answer.text.slice(0, 120)}, an undocumented response`] : [];
  });
  const taken = transfers
    .filter(({ to, value }) => value > 0n && addresses.has(to))
    .map(({ from, to, value }) => `the thief ${to} got ${value} from ${from}`);
  return [...answered, ...taken];
}
