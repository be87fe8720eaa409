import { isBurn, isLookalike, isReserved, isTokenContract, ZERO } from "../chain/accounts.ts";
import type { Value } from "./abi.ts";
import type { Effect, Path } from "./effects.ts";
import { addressesAt, isAnySet, wordsAt } from "./paths.ts";
import { type Frame, hit, type State } from "./walk.ts";

export function applyTransfer(state: State, frame: Frame, effect: Effect & { is: "transfer" }, values: Value[]): void {
  const tokens = effect.token ? addressesAt(state.text, values, effect.token) : [frame.to];
  for (const to of addressesAt(state.text, values, effect.to))
    if (!effect.isRouted || !ROUTER_RECIPIENTS.has(to)) inspectRecipient(state, frame, to, tokens);
  if (effect.amount) noteMoved(state, wordsAt(values, effect.amount), tokens);
}

/**
 * A payment in addition to the function's purpose, to an account in the arguments. The zero address means the sender.
 */
export function applyRefund(state: State, frame: Frame, effect: Effect & { is: "refund" }, values: Value[]): void {
  if (!isAnySet(state.text, values, effect.price)) return;
  hit(state, frame, "refund");
  const tokens = addressesAt(state.text, values, effect.token);
  for (const to of addressesAt(state.text, values, effect.to))
    if (to !== ZERO) inspectRecipient(state, frame, to, tokens);
  if (effect.amount) noteMoved(state, wordsAt(values, effect.amount), tokens);
}

/** What is moved: null for a contract that is not known. */
type Tokens = readonly (string | null)[];

function noteMoved({ amounts }: State, offsets: readonly number[], tokens: Tokens): void {
  for (const [index, position] of offsets.entries())
    amounts?.push({ use: "move", token: tokens[index] ?? tokens[0] ?? null, at: position });
}

function inspectRecipient(state: State, frame: Frame, to: string, tokens: Tokens): void {
  if (to === ZERO) hit(state, frame, "zeroRecipient");
  else if (isBurn(to)) hit(state, frame, "burnRecipient");
  else if (isReserved(to)) hit(state, frame, "reservedRecipient");
  else if (tokens.includes(to) || isTokenContract(to)) hit(state, frame, "transferToToken");
  inspectLookalike(state, frame, to);
}

const ROUTER_RECIPIENTS: ReadonlySet<string> = new Set([0, 1, 2].map((low) => `${ZERO.slice(0, -1)}${low}`));

export function inspectDestination(state: State, frame: Frame, to: string): void {
  if (to === ZERO) hit(state, frame, "zeroDestination");
  else if (isReserved(to)) hit(state, frame, "reservedDestination");
  else if (isBurn(to)) hit(state, frame, frame.value > 0n ? "nativeToBurn" : "burnDestination");
  inspectLookalike(state, frame, to);
}

export function inspectAddresses(state: State, frame: Frame, values: Value[], path: Path): void {
  for (const address of addressesAt(state.text, values, path)) inspectLookalike(state, frame, address);
}

function inspectLookalike(state: State, frame: Frame, address: string): void {
  if (isLookalike(address, state.named)) hit(state, frame, "lookalike");
}
