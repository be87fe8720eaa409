import { isFallbackHandler, isSafe, ZERO } from "../chain/accounts.ts";
import { ceilingOf } from "../chain/known-tokens.ts";
import { isUnlimited } from "../chain/unlimited.ts";
import { addressAt, isZeroWord, uintAt, type Value } from "./abi.ts";
import type { Effect } from "./effects.ts";
import { addressesAt, isAnySet, wordsAt } from "./paths.ts";
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

export function applyApproval(state: State, frame: Frame, effect: Effect & { is: "approval" }, values: Value[]): void {
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

/** An allowance for the zero address revokes one. */
export function applyOneApproval(
  state: State,
  frame: Frame,
  { spender }: Effect & { is: "oneApproval" },
  values: Value[],
): void {
  if (!isAnySet(state.text, values, spender)) return;
  hit(state, frame, "approval");
  inspectAddresses(state, frame, values, spender);
}

export function applyFullApproval(
  state: State,
  frame: Frame,
  effect: Effect & { is: "fullApproval" },
  values: Value[],
): void {
  if (!isAnySet(state.text, values, effect.allowed)) return;
  hit(state, frame, "approval");
  hit(state, frame, "unlimitedApproval");
  inspectAddresses(state, frame, values, effect.spender);
}

export function applyOperator(state: State, frame: Frame, effect: Effect & { is: "operator" }, values: Value[]): void {
  if (effect.allowed && !isAnySet(state.text, values, effect.allowed)) return;
  hit(state, frame, "operatorApproval");
  if (!effect.isLimited) hit(state, frame, "operatorUnlimited");
  inspectAddresses(state, frame, values, effect.operator);
}

/** A new account may get the code of a Safe. For one in use, or with other code, it is another account. */
export function applyCode(state: State, frame: Frame, { at: path }: Effect & { is: "code" }, values: Value[]): void {
  for (const offset of wordsAt(values, path)) {
    if (!frame.isSetup) hit(state, frame, "ownershipChange");
    else if (!isSafe(addressAt(state.text, offset))) hit(state, frame, "setupControl");
  }
}

/** A fallback handler also decides which signatures are valid for the account. */
export function applyHandler(
  state: State,
  frame: Frame,
  { at: path, isSetup }: Effect & { is: "handler" },
  values: Value[],
): void {
  for (const offset of wordsAt(values, path)) {
    const handler = addressAt(state.text, offset);
    if (handler !== ZERO && !isFallbackHandler(handler))
      hit(state, frame, isSetup ? "setupControl" : "fallbackHandler");
  }
}
