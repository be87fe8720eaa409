import {
  type AbiType,
  addressAt,
  type Budget,
  decode,
  hexOf,
  isZeroWord,
  type Slice,
  select,
  uintAt,
  type Value,
} from "./abi";
import {
  isBurn,
  isLookalike,
  isMultiSend,
  isReserved,
  isToken,
  isTokenContract,
  isUsdc,
  type Named,
  ZERO,
} from "./accounts";
import { BATCH_TYPES, commandOf, type Effect, functionOf, type KnownFunction, type Path } from "./selectors";
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
  bytes: Uint8Array;
  chainId: number | null;
  named: Named;
  hits: Hit[];
  /** Amounts of tokens that would be approved or moved. */
  amounts: bigint[];
  /** Names of the functions called, in lower case. */
  names: Set<string>;
};

const DEPTH_MAX = 12;
const CALLS_MAX = 512;
/** Past this many calls the tree leaves their arguments out. */
const CALLS_WITH_ARGUMENTS = 64;
const ARGUMENT_BYTES_MAX = 64;

export const UINT256_MAX = 2n ** 256n - 1n;
/** A trillion USDC: more than all money that could back it. */
const USDC_UNLIMITED = 10n ** 18n;
const ANY_UNLIMITED = 2n ** 120n;
const PERMIT2_UNLIMITED = 2n ** 119n;
const ALL_ONES_FROM = 2n ** 80n - 1n;

/** Judges a call and all calls inside it. */
export function inspectCall(walk: Walk, to: string | null, value: bigint): Call {
  const budget = { words: Math.ceil(walk.bytes.length / 32) * 4 + 256 };
  return visit(
    { ...walk, budget, callsLeft: CALLS_MAX },
    {
      to,
      value,
      start: 0,
      end: walk.bytes.length,
      depth: 0,
      field: "",
    },
  );
}

/** Whether an allowance is without limit in practice: all ones of any usual width, or more than a token could amount to. */
export function isUnlimited(amount: bigint, isKnownUsdc: boolean, bits: 160 | 256): boolean {
  if (isKnownUsdc && amount >= USDC_UNLIMITED) return true;
  if (amount >= (bits === 160 ? PERMIT2_UNLIMITED : ANY_UNLIMITED)) return true;
  return amount >= ALL_ONES_FROM && (amount & (amount + 1n)) === 0n;
}

type State = Walk & { budget: Budget; callsLeft: number };

type Frame = { to: string | null; value: bigint; start: number; end: number; depth: number; field: string };

function visit(state: State, frame: Frame): Call {
  const { bytes } = state;
  const { to, start, end } = frame;
  state.callsLeft--;
  const call: Call = {
    to,
    selector: end - start >= 4 ? `0x${hexOf(bytes, start, start + 4)}` : null,
    function: null,
    valueWei: frame.value.toString(),
    arguments: [],
    calls: [],
  };
  if (to !== null) inspectDestination(state, frame, to);
  if (isDelegation(bytes, { start, end })) hit(state, frame, "delegation");
  else if (end > start && end - start < 4) hit(state, frame, "shortSelector");
  const target = call.selector === null ? undefined : functionOf(selectorAt(bytes, start));
  if (frame.value > 0n) inspectValue(state, frame, target);
  if (call.selector === null) return call;
  if (target === undefined) hit(state, frame, "unknownSelector");
  else apply(state, { ...frame, start: start + 4 }, target, call);
  return call;
}

function inspectDestination(state: State, frame: Frame, to: string): void {
  if (to === ZERO) hit(state, frame, "zeroDestination");
  else if (isReserved(to)) hit(state, frame, "reservedDestination");
  else if (isBurn(to)) hit(state, frame, frame.value > 0n ? "nativeToBurn" : "burnDestination");
  inspectLookalike(state, frame, to);
}

function inspectValue(state: State, frame: Frame, target: KnownFunction | undefined): void {
  const isEmpty = frame.end === frame.start;
  hit(state, frame, target && !target.isPayable ? "valueToNonPayable" : "nativeTransfer");
  if (isEmpty && frame.to !== null && isToken(frame.to)) hit(state, frame, "transferToToken");
}

function inspectLookalike(state: State, frame: Frame, address: string): void {
  if (isLookalike(address, state.named)) hit(state, frame, "lookalike");
}

/** Decodes the arguments and applies what the function is known to do. */
function apply(state: State, frame: Frame, target: KnownFunction, call: Call): void {
  call.function = target.signature;
  state.names.add(target.name.toLowerCase());
  const { values, isDirty, end } = decode(state.bytes, frame.start, frame.end, target.types, state.budget);
  for (const effect of target.effects) if (effect.is === "rule") hit(state, frame, effect.rule);
  if (values === null) {
    hit(state, frame, state.budget.words > 0 ? "shortArguments" : "tooMuch");
    return;
  }
  if (isDirty) hit(state, frame, "dirtyArguments");
  if (end < frame.end && !isAttribution(state.bytes, frame.end)) hit(state, frame, "trailingBytes");
  if (state.callsLeft > CALLS_MAX - CALLS_WITH_ARGUMENTS)
    call.arguments = argumentsOf(state.bytes, target.types, values);
  for (const value of values) {
    if (isSlice(value) && isDelegation(state.bytes, value)) hit(state, frame, "delegation");
  }
  for (const effect of target.effects) applyEffect(state, frame, effect, values, call);
}

function applyEffect(state: State, frame: Frame, effect: Effect, values: Value[], call: Call): void {
  switch (effect.is) {
    case "rule":
      return;
    case "approval":
      applyApproval(state, frame, effect, values);
      return;
    case "fullApproval":
      if (!isTrue(state, values, effect.allowed)) return;
      hit(state, frame, "approval");
      hit(state, frame, "unlimitedApproval");
      return;
    case "operator":
      if (effect.allowed && !isTrue(state, values, effect.allowed)) return;
      hit(state, frame, "operatorApproval");
      if (!effect.isLimited) hit(state, frame, "operatorUnlimited");
      inspectAddresses(state, frame, values, effect.operator);
      return;
    case "transfer":
      applyTransfer(state, frame, effect, values);
      return;
    case "claim":
      if (frame.value > 0n) hit(state, frame, "paidClaim");
      return;
    case "delegates":
      for (const to of addressesAt(state, values, effect.to)) if (to !== ZERO) hit(state, frame, "delegatecall");
      return;
    case "calls":
      visitItems(state, frame, select(values, effect.each), effect, call);
      return;
    case "parallel":
      visitParallel(state, frame, effect, values, call);
      return;
    case "multiSend":
      visitMultiSend(state, frame, values[effect.data], call);
      return;
    case "mode":
      visitMode(state, frame, values[effect.mode], values[effect.data], call);
      return;
    case "commands":
      visitCommands(state, frame, values[effect.commands], values[effect.inputs], call);
      return;
    default:
      effect satisfies never;
  }
}

function applyApproval(state: State, frame: Frame, effect: Effect & { is: "approval" }, values: Value[]): void {
  const tokens = effect.token ? addressesAt(state, values, effect.token) : frame.to === null ? [] : [frame.to];
  wordsAt(values, effect.amount).forEach((at, index) => {
    if (isZeroWord(state.bytes, at)) return;
    const amount = uintAt(state.bytes, at);
    const token = tokens[index] ?? tokens[0];
    state.amounts.push(amount);
    hit(state, frame, "approval");
    if (isUnlimited(amount, token !== undefined && isUsdc(state.chainId, token), effect.bits)) {
      hit(state, frame, "unlimitedApproval");
    }
  });
  inspectAddresses(state, frame, values, effect.spender);
}

function applyTransfer(state: State, frame: Frame, effect: Effect & { is: "transfer" }, values: Value[]): void {
  const tokens = effect.token ? addressesAt(state, values, effect.token) : frame.to === null ? [] : [frame.to];
  for (const to of addressesAt(state, values, effect.to)) {
    if (to === ZERO) hit(state, frame, "zeroRecipient");
    else if (isBurn(to)) hit(state, frame, "burnRecipient");
    else if (tokens.includes(to) || isTokenContract(to)) hit(state, frame, "transferToToken");
    inspectLookalike(state, frame, to);
  }
  if (effect.amount) for (const at of wordsAt(values, effect.amount)) state.amounts.push(uintAt(state.bytes, at));
}

function inspectAddresses(state: State, frame: Frame, values: Value[], path: Path): void {
  for (const address of addressesAt(state, values, path)) inspectLookalike(state, frame, address);
}

function visitItems(state: State, frame: Frame, items: Value[], effect: Effect & { is: "calls" }, call: Call): void {
  for (const item of items) {
    if (!mayDescend(state, frame)) return;
    const part = (index: number | undefined) => (Array.isArray(item) && index !== undefined ? item[index] : undefined);
    const to = part(effect.to);
    const value = part(effect.value);
    const operation = part(effect.operation);
    const target = typeof to === "number" ? addressAt(state.bytes, to) : frame.to;
    if (typeof operation === "number" && !isZeroWord(state.bytes, operation)) hitDelegatecall(state, frame, target);
    visitInner(state, frame, call, {
      to: target,
      value: typeof value === "number" ? uintAt(state.bytes, value) : 0n,
      data: Array.isArray(item) ? part(effect.data) : item,
    });
  }
}

function visitParallel(
  state: State,
  frame: Frame,
  effect: Effect & { is: "parallel" },
  values: Value[],
  call: Call,
): void {
  const targets = select(values, [effect.to, "*"]);
  const amounts = effect.value === undefined ? [] : select(values, [effect.value, "*"]);
  const data = select(values, [effect.data, "*"]);
  // Some accounts take an empty list of values for "none".
  const isUneven = targets.length !== data.length || (amounts.length > 0 && amounts.length !== data.length);
  if (isUneven) hit(state, frame, "shortArguments");
  for (const [index, item] of data.entries()) {
    if (!mayDescend(state, frame)) return;
    const to = targets[index];
    const value = amounts[index];
    visitInner(state, frame, call, {
      to: typeof to === "number" ? addressAt(state.bytes, to) : frame.to,
      value: typeof value === "number" ? uintAt(state.bytes, value) : 0n,
      data: item,
    });
  }
}

/** operation (1 byte), to (20), value (32), length (32), data: packed without padding. */
function visitMultiSend(state: State, frame: Frame, packed: Value | undefined, call: Call): void {
  if (!isSlice(packed)) return;
  let at = packed.start;
  while (at < packed.end) {
    if (!mayDescend(state, frame)) return;
    const start = at + 85;
    const length = start <= packed.end ? uintAt(state.bytes, at + 53) : UINT256_MAX;
    if (length > BigInt(packed.end - start)) {
      hit(state, frame, "shortArguments");
      return;
    }
    const target = `0x${hexOf(state.bytes, at + 1, at + 21)}`;
    if (state.bytes[at] !== 0) hitDelegatecall(state, frame, target);
    const end = start + Number(length);
    // The zero address stands for the calling account in newer versions.
    const to = target === ZERO ? frame.to : target;
    visitInner(state, frame, call, { to, value: uintAt(state.bytes, at + 21), data: { start, end } });
    at = end;
  }
}

function visitMode(state: State, frame: Frame, mode: Value | undefined, data: Value | undefined, call: Call): void {
  if (typeof mode !== "number" || !isSlice(data)) return;
  const { bytes } = state;
  const kind = bytes[mode];
  if (kind === 0x01) {
    visitModeBatch(state, frame, mode, data, call);
    return;
  }
  if (kind !== 0x00 && kind !== 0xfe && kind !== 0xff) {
    hit(state, frame, "opaqueNestedCall");
    return;
  }
  const head = kind === 0x00 ? 52 : 20;
  if (data.end - data.start < head) {
    hit(state, frame, "shortArguments");
    return;
  }
  const target = `0x${hexOf(bytes, data.start, data.start + 20)}`;
  if (kind === 0xff) hitDelegatecall(state, frame, target);
  visitInner(state, frame, call, {
    to: target === ZERO ? frame.to : target,
    value: head === 52 ? uintAt(bytes, data.start + 20) : 0n,
    data: { start: data.start + head, end: data.end },
  });
}

/** ERC-7821 marks a batch of batches in the mode's seventh to tenth byte with 78210002. */
function visitModeBatch(state: State, frame: Frame, mode: number, data: Slice, call: Call): void {
  if (hexOf(state.bytes, mode + 6, mode + 10) === "78210002") {
    hit(state, frame, "opaqueNestedCall");
    return;
  }
  const { values } = decode(state.bytes, data.start, data.end, BATCH_TYPES, state.budget);
  if (values === null) {
    hit(state, frame, state.budget.words > 0 ? "shortArguments" : "tooMuch");
    return;
  }
  for (const item of select(values, [0, "*"])) {
    if (!mayDescend(state, frame)) return;
    const [to, value, inner] = Array.isArray(item) ? item : [];
    const target = typeof to === "number" ? addressAt(state.bytes, to) : ZERO;
    visitInner(state, frame, call, {
      to: target === ZERO ? frame.to : target,
      value: typeof value === "number" ? uintAt(state.bytes, value) : 0n,
      data: inner,
    });
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
  if (commands.end - commands.start !== inputs.length) hit(state, frame, "shortArguments");
  if (inputs.length > 0) hit(state, frame, "nestedCall");
  for (const [index, input] of inputs.entries()) {
    if (!isSlice(input) || commands.start + index >= commands.end || !mayDescend(state, frame)) return;
    visitCommand(state, frame, state.bytes[commands.start + index] ?? 0, input, call);
  }
}

function visitCommand(state: State, frame: Frame, command: number, input: Slice, call: Call): void {
  state.callsLeft--;
  const target = commandOf(command & 0x3f);
  if (target === undefined) {
    hit(state, frame, "opaqueNestedCall");
    return;
  }
  const inner: Call = { to: frame.to, selector: null, function: null, valueWei: "0", arguments: [], calls: [] };
  // Commands move what the router holds; the value they carry was counted with the call to the router.
  apply(state, { ...innerFrame(frame, call), to: null, start: input.start, end: input.end }, target, inner);
  call.calls.push(inner);
}

type Inner = { to: string | null; value: bigint; data: Value | undefined };

function visitInner(state: State, frame: Frame, call: Call, inner: Inner): void {
  if (!isSlice(inner.data)) return;
  if (call.calls.length === 0) hit(state, frame, "nestedCall");
  const { start, end } = inner.data;
  call.calls.push(visit(state, { ...innerFrame(frame, call), to: inner.to, value: inner.value, start, end }));
}

const innerFrame = (frame: Frame, call: Call): Frame => ({
  ...frame,
  value: 0n,
  depth: frame.depth + 1,
  field: `${frame.field}.calls[${call.calls.length}]`,
});

function mayDescend(state: State, frame: Frame): boolean {
  const isAllowed = frame.depth < DEPTH_MAX && state.callsLeft > 0;
  if (!isAllowed) hit(state, frame, "tooMuch");
  return isAllowed;
}

function hitDelegatecall(state: State, frame: Frame, target: string | null): void {
  hit(state, frame, target !== null && isMultiSend(target) ? "batchDelegatecall" : "delegatecall");
}

/** Findings inside name the call as the reply's `normalized.calls` has it. */
function hit(state: State, frame: Frame, rule: TransactionRule): void {
  state.hits.push({ rule: transactionRules[rule], field: frame.depth === 0 ? "data" : `calls[0]${frame.field}` });
}

const wordsAt = (values: Value[], path: Path): number[] =>
  select(values, path).filter((value): value is number => typeof value === "number");

const addressesAt = (state: State, values: Value[], path: Path): string[] =>
  path.length === 0 ? [] : wordsAt(values, path).map((at) => addressAt(state.bytes, at));

const isTrue = (state: State, values: Value[], path: Path): boolean =>
  wordsAt(values, path).some((at) => !isZeroWord(state.bytes, at));

const isSlice = (value: Value | undefined): value is Slice => typeof value === "object" && !Array.isArray(value);

const selectorAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) * 2 ** 24 + (((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));

/** 0xef0100 and an address (EIP-7702). The zero address takes a delegation back. */
function isDelegation(bytes: Uint8Array, { start, end }: Slice): boolean {
  const isDesignator = end - start === 23 && hexOf(bytes, start, start + 3) === "ef0100";
  return isDesignator && hexOf(bytes, start + 3, end) !== ZERO.slice(2);
}

/** ERC-8021: wallets and apps on Base put a note of who built the transaction behind the arguments. */
function isAttribution(bytes: Uint8Array, end: number): boolean {
  return end >= 16 && hexOf(bytes, end - 16, end) === "8021".repeat(8);
}

function argumentsOf(bytes: Uint8Array, types: readonly AbiType[], values: readonly Value[]): Argument[] {
  return types.map((type, index) => ({ type: type.name, value: show(bytes, type, values[index]) }));
}

function show(bytes: Uint8Array, type: AbiType, value: Value | undefined): string | null {
  if (isSlice(value)) {
    return value.end - value.start > ARGUMENT_BYTES_MAX ? null : `0x${hexOf(bytes, value.start, value.end)}`;
  }
  if (typeof value !== "number" || type.kind !== "word") return null;
  if (type.name === "address") return addressAt(bytes, value);
  if (type.name === "bool") return isZeroWord(bytes, value) ? "false" : "true";
  return type.check === "left" ? `0x${hexOf(bytes, value, value + type.bytes)}` : uintAt(bytes, value).toString();
}
