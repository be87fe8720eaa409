import {
  type AbiType,
  addressAt,
  decode,
  isZeroWord,
  type Reader,
  readerOf,
  type Slice,
  select,
  uintAt,
  type Value,
} from "./abi";
import {
  isBurn,
  isLookalike,
  isMultiSend,
  isNotable,
  isReserved,
  isToken,
  isTokenContract,
  isUsdc,
  type Named,
  ZERO,
} from "./accounts";
import { hexAt } from "./hex";
import { type Inner, isSlice, type Nested, readNested } from "./nested";
import { commandOf, type Effect, functionOf, type KnownFunction, type Path } from "./selectors";
import { type TransactionRule, transactionRules } from "./transaction-rules";
import type { Hit } from "./verdict";

export type Argument = { type: string; value: string | null };

/** One call of the decoded tree. Addresses are lower case; long and composite arguments show as null. */
export type Call = {
  to: string | null;
  selector: string | null;
  function: string | null;
  valueWei: string;
  arguments: Argument[];
  calls: Call[];
};

/** What a whole transaction's calldata tells. */
export type Walk = {
  /** The calldata in lower-case hex with its prefix. */
  text: string;
  chainId: number | null;
  named: Named;
  hits: Hit[];
  /** The amounts of tokens that would be approved or moved. */
  amounts: Amount[];
  /** Names of the functions called, in lower case. */
  names: Set<string>;
  /** Of the functions called. */
  selectors: Set<string>;
};

/** `token` is null where the calldata does not tell it, `at` is where its word stands: only a declared amount asks for its value. */
export type Amount = { use: "approve" | "move"; token: string | null; at: number };

const PREFIX = 2;
/** Where in a word an address begins. */
const ADDRESS_FROM = 24;
const DEPTH_MAX = 12;
const CALLS_MAX = 512;
/** Past this many calls the tree leaves their arguments out. */
const CALLS_WITH_ARGUMENTS = 48;
const ARGUMENT_DIGITS_MAX = 128;

export const UINT256_MAX = 2n ** 256n - 1n;
/** A trillion USDC: more than all money that could back it. */
const USDC_UNLIMITED = 10n ** 18n;
const ANY_UNLIMITED = 2n ** 120n;
const PERMIT2_UNLIMITED = 2n ** 119n;
const ALL_ONES_FROM = 2n ** 80n - 1n;

/** Judges a call and all calls inside it. */
export function inspectCall(walk: Walk, to: string | null, value: bigint): Call {
  const end = walk.text.length;
  // Four levels that each hold nearly everything are more than honest calldata has.
  const state: State = {
    ...walk,
    reader: readerOf(walk.text, Math.ceil(end / 64) * 4 + 256),
    callsLeft: CALLS_MAX,
    frames: [],
  };
  return visit(state, { to, value, start: PREFIX, end, depth: 0, parent: null, index: 0 });
}

/** Whether an allowance is without limit in practice: all ones of any usual width, or more than a token could amount to. */
export function isUnlimited(amount: bigint, isKnownUsdc: boolean, bits: 160 | 256): boolean {
  if (isKnownUsdc && amount >= USDC_UNLIMITED) return true;
  if (amount >= (bits === 160 ? PERMIT2_UNLIMITED : ANY_UNLIMITED)) return true;
  return amount >= ALL_ONES_FROM && (amount & (amount + 1n)) === 0n;
}

/** `frames` are those of the calls inside, by their depth less one. */
type State = Walk & { reader: Reader; callsLeft: number; frames: Frame[] };

type Frame = {
  to: string | null;
  value: bigint;
  start: number;
  end: number;
  depth: number;
  parent: Frame | null;
  /** Which of its parent's calls this is. */
  index: number;
};

function visit(state: State, frame: Frame): Call {
  const { text } = state;
  const { to, value, start, end } = frame;
  state.callsLeft--;
  const hasSelector = end - start >= 8;
  const target = hasSelector ? functionOf(hexAt(text, start, 8)) : undefined;
  const selector = hasSelector ? (target?.selector ?? `0x${text.slice(start, start + 8)}`) : null;
  const valueWei = value === 0n ? "0" : value.toString();
  const call: Call = { to, selector, function: null, valueWei, arguments: NO_ARGUMENTS, calls: NO_CALLS };
  // A contract that calls itself was judged with the call around.
  const isKnown = value === 0n && to === frame.parent?.to;
  if (to !== null && !isKnown) inspectDestination(state, frame, to);
  if (isDelegation(text, frame)) hit(state, frame, "delegation");
  else if (end > start && selector === null) hit(state, frame, "shortSelector");
  if (value > 0n) inspectValue(state, frame, target);
  if (selector === null) return call;
  if (target === undefined) hit(state, frame, "unknownSelector");
  else apply(state, frame, start + 8, target, call);
  return call;
}

function inspectDestination(state: State, frame: Frame, to: string): void {
  if (!isNotable(to, PREFIX, state.named)) return;
  if (to === ZERO) hit(state, frame, "zeroDestination");
  else if (isReserved(to)) hit(state, frame, "reservedDestination");
  else if (isBurn(to)) hit(state, frame, frame.value > 0n ? "nativeToBurn" : "burnDestination");
  inspectLookalike(state, frame, to);
}

function inspectValue(state: State, frame: Frame, target: KnownFunction | undefined): void {
  hit(state, frame, target && !target.isPayable ? "valueToNonPayable" : "nativeTransfer");
  const isPlainSend = frame.end === frame.start;
  if (isPlainSend && frame.to !== null && isToken(frame.to)) hit(state, frame, "transferToToken");
}

function inspectLookalike(state: State, frame: Frame, address: string): void {
  if (isLookalike(address, state.named)) hit(state, frame, "lookalike");
}

/** Decodes the arguments, which begin at `start`, and applies what the function is known to do. */
function apply(state: State, frame: Frame, start: number, target: KnownFunction, call: Call): void {
  const { text, reader } = state;
  call.function = target.signature;
  state.names.add(target.name);
  state.selectors.add(target.selector);
  for (const effect of target.effects) if (effect.is === "rule") hit(state, frame, effect.rule);
  const values = decode(reader, start, frame.end, target.types);
  if (values === null) {
    hit(state, frame, reader.words > 0 ? "shortArguments" : "tooMuch");
    return;
  }
  if (reader.isDirty) hit(state, frame, "dirtyArguments");
  if (reader.end < frame.end && !isAttribution(text, frame.end)) hit(state, frame, "trailingBytes");
  if (state.callsLeft > CALLS_MAX - CALLS_WITH_ARGUMENTS) call.arguments = argumentsOf(text, target.types, values);
  for (const value of values) if (isSlice(value) && isDelegation(text, value)) hit(state, frame, "delegation");
  for (const effect of target.effects) applyEffect(state, frame, effect, values, call);
}

function applyEffect(state: State, frame: Frame, effect: Effect, values: Value[], call: Call): void {
  switch (effect.is) {
    case "rule":
      break;
    case "approval":
      applyApproval(state, frame, effect, values);
      break;
    case "fullApproval":
      applyFullApproval(state, frame, effect, values);
      break;
    case "operator":
      applyOperator(state, frame, effect, values);
      break;
    case "transfer":
      applyTransfer(state, frame, effect, values);
      break;
    case "claim":
      if (frame.value > 0n) hit(state, frame, "paidClaim");
      break;
    case "delegates":
      for (const to of addressesAt(state, values, effect.to)) if (to !== ZERO) hit(state, frame, "delegatecall");
      break;
    case "commands":
      visitCommands(state, frame, values[effect.commands], values[effect.inputs], call);
      break;
    case "calls":
    case "parallel":
    case "multiSend":
    case "mode":
      visitNested(state, frame, readNested(state.reader, effect, values, frame.to, state.callsLeft), call);
      break;
    default:
      effect satisfies never;
  }
}

function applyApproval(state: State, frame: Frame, effect: Effect & { is: "approval" }, values: Value[]): void {
  const tokens = tokensOf(state, frame, effect.token, values);
  for (const [index, at] of wordsAt(values, effect.amount).entries()) {
    if (isZeroWord(state.text, at)) continue;
    const amount = uintAt(state.text, at);
    const token = tokens[index] ?? tokens[0];
    const isKnownUsdc = token !== undefined && isUsdc(state.chainId, token);
    state.amounts.push({ use: "approve", token: token ?? null, at });
    hit(state, frame, "approval");
    if (isUnlimited(amount, isKnownUsdc, effect.bits)) hit(state, frame, "unlimitedApproval");
  }
  inspectAddresses(state, frame, values, effect.spender);
}

function applyFullApproval(state: State, frame: Frame, effect: Effect & { is: "fullApproval" }, values: Value[]): void {
  if (!isTrue(state, values, effect.allowed)) return;
  hit(state, frame, "approval");
  hit(state, frame, "unlimitedApproval");
  inspectAddresses(state, frame, values, effect.spender);
}

function applyOperator(state: State, frame: Frame, effect: Effect & { is: "operator" }, values: Value[]): void {
  if (effect.allowed && !isTrue(state, values, effect.allowed)) return;
  hit(state, frame, "operatorApproval");
  if (!effect.isLimited) hit(state, frame, "operatorUnlimited");
  inspectAddresses(state, frame, values, effect.operator);
}

function applyTransfer(state: State, frame: Frame, effect: Effect & { is: "transfer" }, values: Value[]): void {
  const { to, amount, token } = effect;
  const isRouted = effect.isRouted === true;
  const tokens = token ? addressesAt(state, values, token) : null;
  const only = wordAt(values, to);
  if (only !== null) inspectRecipient(state, frame, only, tokens, isRouted);
  else for (const at of wordsAt(values, to)) inspectRecipient(state, frame, at, tokens, isRouted);
  const moved = (at: number, index: number) => {
    const moves = tokens ? (tokens[index] ?? tokens[0] ?? null) : frame.to;
    state.amounts.push({ use: "move", token: moves, at });
  };
  const onlyAmount = amount ? wordAt(values, amount) : null;
  if (onlyAmount !== null) moved(onlyAmount, 0);
  else if (amount) wordsAt(values, amount).forEach(moved);
}

/** `at` is the place of the word that holds the recipient, `tokens` what is moved if not the called contract's own. */
function inspectRecipient(
  state: State,
  frame: Frame,
  at: number,
  tokens: readonly string[] | null,
  isRouted: boolean,
): void {
  const from = at + ADDRESS_FROM;
  const isOwnToken = tokens ? tokens.includes(addressAt(state.text, at)) : isSameAddress(state.text, from, frame.to);
  if (!isOwnToken && !isNotable(state.text, from, state.named)) return;
  const to = addressAt(state.text, at);
  if (isRouted && ROUTER_RECIPIENTS.has(to)) return;
  if (to === ZERO) hit(state, frame, "zeroRecipient");
  else if (isBurn(to)) hit(state, frame, "burnRecipient");
  else if (isReserved(to)) hit(state, frame, "reservedRecipient");
  else if (isOwnToken || isTokenContract(to)) hit(state, frame, "transferToToken");
  inspectLookalike(state, frame, to);
}

function isSameAddress(text: string, at: number, address: string | null): boolean {
  if (address === null) return false;
  for (let i = 0; i < ADDRESS_DIGITS; i++) if (text.charCodeAt(at + i) !== address.charCodeAt(PREFIX + i)) return false;
  return true;
}

const ADDRESS_DIGITS = 40;

const ROUTER_RECIPIENTS: ReadonlySet<string> = new Set([0, 1, 2].map((low) => `${ZERO.slice(0, -1)}${low}`));

function tokensOf(state: State, frame: Frame, path: Path | undefined, values: Value[]): string[] {
  if (path) return addressesAt(state, values, path);
  return frame.to === null ? [] : [frame.to];
}

function inspectAddresses(state: State, frame: Frame, values: Value[], path: Path): void {
  for (const at of wordsAt(values, path))
    if (isNotable(state.text, at + ADDRESS_FROM, state.named))
      inspectLookalike(state, frame, addressAt(state.text, at));
}

function visitNested(state: State, frame: Frame, { calls, fault }: Nested, call: Call): void {
  if (fault !== null) hit(state, frame, fault);
  if (calls.length > 0) hit(state, frame, "nestedCall");
  for (const inner of calls) {
    if (!mayDescend(state, frame)) return;
    if (inner.isDelegate) hitDelegatecall(state, frame, inner);
    const { start, end } = inner.data;
    addCall(call, visit(state, innerFrame(state, frame, call, inner.to, inner.value, start, end)));
  }
}

function visitCommands(
  state: State,
  frame: Frame,
  commands: Value | undefined,
  inputs: Value | undefined,
  call: Call,
): void {
  if (!isSlice(commands) || !Array.isArray(inputs)) return;
  if (commands.end - commands.start !== inputs.length * 2) hit(state, frame, "shortArguments");
  if (inputs.length > 0) hit(state, frame, "nestedCall");
  for (const [index, input] of inputs.entries()) {
    const at = commands.start + index * 2;
    if (!isSlice(input) || at >= commands.end || !mayDescend(state, frame)) return;
    visitCommand(state, frame, state.text.slice(at, at + 2), input, call);
  }
}

/** Commands move what the router holds; the value they carry was counted with the call to the router. */
function visitCommand(state: State, frame: Frame, command: string, input: Slice, call: Call): void {
  state.callsLeft--;
  const target = commandOf(command);
  if (target === undefined) {
    hit(state, frame, "opaqueNestedCall");
    return;
  }
  const inner: Call = {
    to: frame.to,
    selector: null,
    function: null,
    valueWei: "0",
    arguments: NO_ARGUMENTS,
    calls: NO_CALLS,
  };
  apply(state, innerFrame(state, frame, call, null, 0n, input.start, input.end), input.start, target, inner);
  addCall(call, inner);
}

/** Most calls carry none: they share an empty list. */
function addCall(call: Call, inner: Call): void {
  if (call.calls === NO_CALLS) call.calls = [inner];
  else call.calls.push(inner);
}

const NO_ARGUMENTS: Argument[] = [];
const NO_CALLS: Call[] = [];
Object.freeze(NO_ARGUMENTS);
Object.freeze(NO_CALLS);

/** The frame of a depth serves all calls there, one after the other: only one of them is looked at at a time. */
function innerFrame(
  { frames }: State,
  parent: Frame,
  call: Call,
  to: string | null,
  value: bigint,
  start: number,
  end: number,
): Frame {
  const index = call.calls.length;
  const used = frames[parent.depth];
  if (used === undefined) {
    const frame = { to, value, start, end, depth: parent.depth + 1, parent, index };
    frames.push(frame);
    return frame;
  }
  used.to = to;
  used.value = value;
  used.start = start;
  used.end = end;
  used.index = index;
  return used;
}

function mayDescend(state: State, frame: Frame): boolean {
  const isAllowed = frame.depth < DEPTH_MAX && state.callsLeft > 0;
  if (!isAllowed) hit(state, frame, "tooMuch");
  return isAllowed;
}

function hitDelegatecall(state: State, frame: Frame, { to }: Inner): void {
  hit(state, frame, to !== null && isMultiSend(to) ? "batchDelegatecall" : "delegatecall");
}

function hit(state: State, frame: Frame, rule: TransactionRule): void {
  state.hits.push({ rule: transactionRules[rule], field: fieldOf(frame) });
}

/** A call inside is named as in the reply's `normalized.calls`. */
function fieldOf(frame: Frame): string {
  if (frame.parent === null) return "data";
  const above = frame.parent.parent === null ? "calls[0]" : fieldOf(frame.parent);
  return `${above}.calls[${frame.index}]`;
}

const isWord = (value: Value | undefined): value is number => typeof value === "number";

/** The one word at a path without branches; null where there is none. */
function wordAt(values: Value[], path: Path): number | null {
  const [first] = path;
  if (path.length !== 1 || typeof first !== "number") return null;
  const value = values[first];
  return isWord(value) ? value : null;
}

function wordsAt(values: Value[], path: Path): number[] {
  const word = wordAt(values, path);
  return word === null ? select(values, path).filter(isWord) : [word];
}

const addressesAt = (state: State, values: Value[], path: Path): string[] =>
  path.length === 0 ? [] : wordsAt(values, path).map((at) => addressAt(state.text, at));

const isTrue = (state: State, values: Value[], path: Path): boolean =>
  wordsAt(values, path).some((at) => !isZeroWord(state.text, at));

/** 0xef0100 and an address (EIP-7702). The zero address takes a delegation back. */
function isDelegation(text: string, { start, end }: Slice): boolean {
  return end - start === 46 && text.startsWith("ef0100", start) && !text.startsWith(ZERO.slice(2), start + 6);
}

/** ERC-8021: wallets and apps on Base put a note of who built the transaction behind the arguments. */
const isAttribution = (text: string, end: number): boolean => text.startsWith(ATTRIBUTION, end - ATTRIBUTION.length);

const ATTRIBUTION = "8021".repeat(8);

function argumentsOf(text: string, types: readonly AbiType[], values: readonly Value[]): Argument[] {
  return types.map((type, index) => ({ type: type.name, value: show(text, type, values[index]) }));
}

function show(text: string, type: AbiType, value: Value | undefined): string | null {
  if (isSlice(value)) {
    return value.end - value.start > ARGUMENT_DIGITS_MAX ? null : `0x${text.slice(value.start, value.end)}`;
  }
  if (typeof value !== "number" || type.kind !== "word") return null;
  if (type.name === "address") return addressAt(text, value);
  if (type.name === "bool") return isZeroWord(text, value) ? "false" : "true";
  return type.check === "left" ? `0x${text.slice(value, value + type.digits)}` : uintAt(text, value).toString();
}
