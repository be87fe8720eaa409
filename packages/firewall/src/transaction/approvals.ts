import { isFallbackHandler, isSafe, ZERO } from "../chain/accounts.ts";
import { ceilingOf } from "../chain/known-tokens.ts";
import { isUnlimited } from "../chain/unlimited.ts";
import { addressAt, isZeroWord, uintAt, type Value } from "./abi.ts";
import type { EffectOf, Path } from "./effects.ts";
import { addressesAt, isAnySet, wordsAt } from "./paths.ts";
import type { TransactionRule } from "./rules.ts";
import { inspectAddresses } from "./transfers.ts";
import { type Frame, hit, type State } from "./walk.ts";

/** Kinds of digits that a hash has at least: it nearly always has more. */
const hashKindsMin = 11;

/**
 * Whether 64 digits look drawn by lot, as the numbers of names and of packed tokens are. Amounts that mean "unlimited" are
 * round in binary or in decimal, or nearly so.
 */
function isHash(digits: string): boolean {
  if (digits.startsWith("00") || /(.)\1{5}/.test(digits)) return false;
  return new Set(digits).size >= hashKindsMin && !/0{4}$/.test(BigInt(`0x${digits}`).toString());
}

export function applyApproval(state: State, frame: Frame, effect: EffectOf<"approval">, values: Value[]): void {
  const { text, chainId } = state;
  const tokens = effect.token ? addressesAt(text, values, effect.token) : [frame.to];
  for (const [index, position] of wordsAt(values, effect.amount).entries()) {
    if (isZeroWord(text, position)) continue;
    const token = tokens[index] ?? tokens[0] ?? null;
    state.amounts?.push({ use: "approve", token, at: position });
    hit(state, frame, "approval");
    const ceiling = ceilingOf(chainId, token);
    if (!isUnlimited(uintAt(text, position), ceiling, effect.bits)) continue;
    const isOne = effect.mayBeOne === true && ceiling === null && isHash(text.slice(position, position + 64));
    hit(state, frame, isOne ? "oneOrAll" : "unlimitedApproval");
  }
  inspectAddresses(state, frame, values, effect.spender);
}

/** An allowance without an amount, or an operator. The word at `given` is zero when it is taken back. */
export function applyGrant(
  state: State,
  frame: Frame,
  values: Value[],
  given: Path | undefined,
  to: Path,
  rules: readonly TransactionRule[],
): void {
  if (given && !isAnySet(state.text, values, given)) return;
  for (const rule of rules) hit(state, frame, rule);
  inspectAddresses(state, frame, values, to);
}

/** A new account may get the code of a Safe. For one in use, or with other code, it is another account. */
export function applyCode(state: State, frame: Frame, { at: path }: EffectOf<"code">, values: Value[]): void {
  for (const offset of wordsAt(values, path)) {
    if (!frame.isSetup) hit(state, frame, "ownershipChange");
    else if (!isSafe(addressAt(state.text, offset))) hit(state, frame, "setupControl");
  }
}

/** A fallback handler also decides which signatures are valid for the account. */
export function applyHandler(
  state: State,
  frame: Frame,
  { at: path, isSetup }: EffectOf<"handler">,
  values: Value[],
): void {
  for (const offset of wordsAt(values, path)) {
    const handler = addressAt(state.text, offset);
    if (handler !== ZERO && !isFallbackHandler(handler))
      hit(state, frame, isSetup ? "setupControl" : "fallbackHandler");
  }
}
