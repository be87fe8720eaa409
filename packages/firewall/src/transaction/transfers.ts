import { isBurn, isLookalike, isNotable, isReserved, isTokenContract, ZERO } from "../chain/accounts.ts";
import { addressAt, isZeroWord, type Value } from "./abi.ts";
import type { EffectOf, Path } from "./effects.ts";
import { addressesAt, isAnySet, wordAt, wordsAt } from "./paths.ts";
import { type Frame, hit, type State } from "./walk.ts";

const PREFIX = 2;
const ADDRESS_DIGITS = 40;
/** Offset of the address in a word, in digits. */
const ADDRESS_FROM = 24;

export function applyTransfer(state: State, frame: Frame, effect: EffectOf<"transfer">, values: Value[]): void {
  const { to, token } = effect;
  const isRouted = effect.isRouted === true;
  const tokens = token ? addressesAt(state.text, values, token) : null;
  const only = wordAt(values, to);
  if (only !== null) inspectRecipient(state, frame, only, tokens, isRouted);
  else for (const index of wordsAt(values, to)) inspectRecipient(state, frame, index, tokens, isRouted);
  if (state.amounts !== null && effect.amount) noteMoved(state, frame, wordsAt(values, effect.amount), tokens);
}

/**
 * A payment in addition to the function's purpose, to an account in the arguments. The zero address means the sender.
 */
export function applyRefund(state: State, frame: Frame, effect: EffectOf<"refund">, values: Value[]): void {
  if (!isAnySet(state.text, values, effect.price)) return;
  hit(state, frame, "refund");
  const tokens = addressesAt(state.text, values, effect.token);
  for (const index of wordsAt(values, effect.to))
    if (!isZeroWord(state.text, index)) inspectRecipient(state, frame, index, tokens, false);
  if (effect.amount) noteMoved(state, frame, wordsAt(values, effect.amount), tokens);
}

function noteMoved(
  { amounts }: State,
  frame: Frame,
  offsets: readonly number[],
  tokens: readonly string[] | null,
): void {
  for (const [index, position] of offsets.entries()) {
    const token = tokens ? (tokens[index] ?? tokens[0] ?? null) : frame.to;
    amounts?.push({ use: "move", token, at: position });
  }
}

/**
 * `index` is the offset of the word with the recipient. `tokens` is what is moved, if not the tokens of the called
 * contract.
 */
function inspectRecipient(
  state: State,
  frame: Frame,
  index: number,
  tokens: readonly string[] | null,
  isRouted: boolean,
): void {
  const from = index + ADDRESS_FROM;
  const isOwnToken = tokens ? tokens.includes(addressAt(state.text, index)) : isSameAddress(state.text, from, frame.to);
  if (!isOwnToken && !isNotable(state.text, from, state.named)) return;
  const to = addressAt(state.text, index);
  if (isRouted && ROUTER_RECIPIENTS.has(to)) return;
  if (to === ZERO) hit(state, frame, "zeroRecipient");
  else if (isBurn(to)) hit(state, frame, "burnRecipient");
  else if (isReserved(to)) hit(state, frame, "reservedRecipient");
  else if (isOwnToken || isTokenContract(to)) hit(state, frame, "transferToToken");
  inspectLookalike(state, frame, to);
}

function isSameAddress(text: string, index: number, address: string | null): boolean {
  if (address === null) return false;
  for (let i = 0; i < ADDRESS_DIGITS; i++)
    if (text.charCodeAt(index + i) !== address.charCodeAt(PREFIX + i)) return false;
  return true;
}

const ROUTER_RECIPIENTS: ReadonlySet<string> = new Set([0, 1, 2].map((low) => `${ZERO.slice(0, -1)}${low}`));

export function inspectDestination(state: State, frame: Frame, to: string): void {
  if (!isNotable(to, PREFIX, state.named)) return;
  if (to === ZERO) hit(state, frame, "zeroDestination");
  else if (isReserved(to)) hit(state, frame, "reservedDestination");
  else if (isBurn(to)) hit(state, frame, frame.value > 0n ? "nativeToBurn" : "burnDestination");
  inspectLookalike(state, frame, to);
}

export function inspectAddresses(state: State, frame: Frame, values: Value[], path: Path): void {
  for (const index of wordsAt(values, path))
    if (isNotable(state.text, index + ADDRESS_FROM, state.named))
      inspectLookalike(state, frame, addressAt(state.text, index));
}

function inspectLookalike(state: State, frame: Frame, address: string): void {
  if (isLookalike(address, state.named)) hit(state, frame, "lookalike");
}
