import { isMultiSend, isSetupLibrary, isToken, ZERO } from "../chain/accounts.ts";
import { selectorAt } from "../chain/hex.ts";
import {
  type AbiType,
  addressAt,
  decode,
  isZeroWord,
  readerOf,
  type Slice,
  select,
  uintAt,
  type Value,
} from "./abi.ts";
import { applyApproval, applyCode, applyGrant, applyHandler } from "./approvals.ts";
import type { Effect, EffectOf, KnownFunction } from "./effects.ts";
import { type Nested, readItem, readMode, readMultiSend, readParallel } from "./nested.ts";
import { addressesAt, isSlice } from "./paths.ts";
import type { TransactionRule } from "./rules.ts";
import { commandOf, functionOf } from "./selectors.ts";
import { applyRefund, applyTransfer, inspectDestination } from "./transfers.ts";
import {
  type Argument,
  addCall,
  type Call,
  type Frame,
  hit,
  type Inner,
  innerFrame,
  NO_ARGUMENTS,
  NO_CALLS,
  rootFrame,
  type State,
  type Walk,
} from "./walk.ts";

const PREFIX = 2;
const SELECTOR_DIGITS = 8;
const DEPTH_MAX = 12;
const CALLS_MAX = 512;
/** Calls beyond this number are listed without arguments. */
const CALLS_WITH_ARGUMENTS = 48;
const ARGUMENT_DIGITS_MAX = 128;

/** Scans a call and all calls inside it. */
export function inspectCall(walk: Walk, to: string | null, value: bigint): Call {
  const end = walk.text.length;
  // Bounds the work at four full levels of nesting, more than legitimate calldata has.
  const reader = readerOf(walk.text, Math.ceil(end / 64) * 4 + 256);
  const { text, chainId, named, hits, amounts, called } = walk;
  const [frames, counts]: [Frame[], number[]] = [[], []];
  const state: State = { text, chainId, named, hits, amounts, called, reader, callsLeft: CALLS_MAX, frames, counts };
  return visit(state, rootFrame(to, value, { start: PREFIX, end }));
}

function visit(state: State, frame: Frame): Call {
  const { text } = state;
  const { to, value, start, end } = frame;
  state.callsLeft--;
  const hasSelector = end - start >= SELECTOR_DIGITS;
  const target = hasSelector ? functionOf(selectorAt(text, start)) : undefined;
  const selector = hasSelector ? (target?.selector ?? `0x${text.slice(start, start + SELECTOR_DIGITS)}`) : null;
  const valueWei = value === 0n ? "0" : value.toString();
  const call: Call = { to, selector, function: null, valueWei, arguments: NO_ARGUMENTS, calls: NO_CALLS };
  // A contract that calls itself was scanned with the call around it.
  const isKnown = value === 0n && to === frame.parent?.to;
  if (to !== null && !isKnown) inspectDestination(state, frame, to);
  if (isDelegation(text, frame)) hit(state, frame, "delegation");
  else if (end > start && selector === null) hit(state, frame, "shortSelector");
  if (value > 0n) inspectValue(state, frame, target);
  if (selector === null) return call;
  if (target === undefined) hit(state, frame, "unknownSelector");
  else apply(state, frame, start + SELECTOR_DIGITS, target, call);
  return call;
}

function inspectValue(state: State, frame: Frame, target: KnownFunction | undefined): void {
  hit(state, frame, target && !target.isPayable ? "valueToNonPayable" : "nativeTransfer");
  const isPlainSend = frame.end === frame.start;
  if (isPlainSend && frame.to !== null && isToken(frame.to)) hit(state, frame, "transferToToken");
}

/** Decodes the arguments from `start` and applies the effects of the function. */
function apply(state: State, frame: Frame, start: number, target: KnownFunction, call: Call): void {
  const { text, reader } = state;
  call.function = target.signature;
  state.called?.add(target);
  for (const effect of target.effects) if (effect.is === "rule") hit(state, frame, ruleWithin(frame, effect.rule));
  const values = decode(reader, start, frame.end, target.types);
  if (values === null) {
    hit(state, frame, reader.words > 0 ? "shortArguments" : "tooMuch");
    return;
  }
  if (reader.isDirty) hit(state, frame, "dirtyArguments");
  // Bytes after the arguments are ordinary: functions ignore them, and apps append notes such as ERC-8021's.
  if (state.callsLeft > CALLS_MAX - CALLS_WITH_ARGUMENTS) call.arguments = argumentsOf(text, target.types, values);
  for (const value of values) if (isSlice(value) && isDelegation(text, value)) hit(state, frame, "delegation");
  for (const effect of target.effects) applyEffect(state, frame, effect, values, call);
}

/** A new account has nothing yet, and a router has what this transaction gives it: neither can lose what the sender owns. */
function ruleWithin({ isSetup, isCommand }: Frame, rule: TransactionRule): TransactionRule {
  if (isSetup && rule === "ownershipChange") return "setupControl";
  return isCommand && rule === "marketplaceOrder" ? "routedOrder" : rule;
}

function applyEffect(state: State, frame: Frame, effect: Effect, values: Value[], call: Call): void {
  switch (effect.is) {
    case "rule":
      break;
    case "approval":
      applyApproval(state, frame, effect, values);
      break;
    case "oneApproval":
      applyGrant(state, frame, values, effect.spender, effect.spender, ["approval"]);
      break;
    case "fullApproval":
      applyGrant(state, frame, values, effect.allowed, effect.spender, ["approval", "unlimitedApproval"]);
      break;
    case "operator":
      applyGrant(state, frame, values, effect.allowed, effect.operator, [
        "operatorApproval",
        ...(effect.isLimited ? [] : (["operatorUnlimited"] as const)),
      ]);
      break;
    case "transfer":
      applyTransfer(state, frame, effect, values);
      break;
    case "refund":
      applyRefund(state, frame, effect, values);
      break;
    case "handler":
      applyHandler(state, frame, effect, values);
      break;
    case "claim":
      if (frame.value > 0n) hit(state, frame, "paidClaim");
      break;
    case "code":
      applyCode(state, frame, effect, values);
      break;
    case "delegates":
      for (const to of addressesAt(state.text, values, effect.to)) if (to !== ZERO) hit(state, frame, "delegatecall");
      break;
    case "calls":
      visitItems(state, frame, effect, values, call);
      break;
    case "parallel":
      visitNested(state, frame, readParallel(state.text, effect, values, frame.to), call);
      break;
    case "multiSend":
      visitNested(state, frame, readMultiSend(state, values[effect.data], frame.to), call);
      break;
    case "mode":
      visitNested(state, frame, readMode(state.reader, effect, values, frame.to), call);
      break;
    case "handOver":
      visitHandedOver(state, frame, effect, values, call);
      break;
    case "commands":
      visitCommands(state, frame, effect, values, call);
      break;
    default:
      effect satisfies never;
  }
}

function visitItems(state: State, frame: Frame, effect: EffectOf<"calls">, values: Value[], call: Call): void {
  const [first, second] = effect.each;
  const listed = effect.each.length === 2 && second === "*" && typeof first === "number" ? values[first] : undefined;
  // In the usual case the items are an array already.
  const items = Array.isArray(listed) ? listed : select(values, effect.each);
  for (const item of items) if (!visitItem(state, frame, effect, item, call)) return;
}

/** Scans one item. Returns false when the limit of calls is reached. */
function visitItem(state: State, frame: Frame, effect: EffectOf<"calls">, item: Value, call: Call): boolean {
  const inner = innerFrame(state, frame, call);
  if (!readItem(state.text, effect, item, frame.to, inner)) return true;
  if (effect.isOptional && (inner.to === ZERO || inner.to === null)) return true;
  if (effect.isSetup) inner.isSetup = true;
  hit(state, frame, "nestedCall");
  return visitInner(state, frame, inner, call);
}

function visitNested(state: State, frame: Frame, { calls, fault }: Nested, call: Call): void {
  if (fault !== null) hit(state, frame, fault);
  if (calls.length > 0) hit(state, frame, "nestedCall");
  for (const one of calls) if (!visitInner(state, frame, frameOf(state, frame, call, one), call)) return;
}

const frameOf = (state: State, frame: Frame, call: Call, inner: Inner): Frame =>
  Object.assign(innerFrame(state, frame, call), inner);

function visitInner(state: State, frame: Frame, inner: Frame, call: Call): boolean {
  if (!mayDescend(state, frame)) return false;
  if (inner.isDelegate) hit(state, frame, isWellKnown(inner.to) ? "batchDelegatecall" : "delegatecall");
  addCall(call, visit(state, inner));
  return true;
}

const isWellKnown = (to: string | null): boolean => to !== null && (isMultiSend(to) || isSetupLibrary(to));

/** Bytes passed along with tokens or an allowance are opaque, unless they are a complete call of a known function. */
function visitHandedOver(state: State, frame: Frame, effect: EffectOf<"handOver">, values: Value[], call: Call): void {
  const [to, data] = [values[effect.to], values[effect.data]];
  if (typeof to !== "number" || !isSlice(data) || data.end - data.start < SELECTOR_DIGITS) return;
  const target = functionOf(selectorAt(state.text, data.start));
  if (target === undefined) return;
  const isCall = decode(state.reader, data.start + SELECTOR_DIGITS, data.end, target.types) !== null;
  if (!isCall || state.reader.isDirty || state.reader.end < data.end) return;
  const passed = { to: addressAt(state.text, to), value: 0n, start: data.start, end: data.end, isDelegate: false };
  hit(state, frame, "nestedCall");
  visitInner(state, frame, frameOf(state, frame, call, passed), call);
}

function visitCommands(state: State, frame: Frame, effect: EffectOf<"commands">, values: Value[], call: Call): void {
  const [commands, inputs] = [values[effect.commands], values[effect.inputs]];
  if (!isSlice(commands) || !Array.isArray(inputs)) return;
  if (commands.end - commands.start !== inputs.length * 2) hit(state, frame, "shortArguments");
  if (inputs.length > 0) hit(state, frame, "nestedCall");
  for (const [index, input] of inputs.entries()) {
    const position = commands.start + index * 2;
    if (!isSlice(input) || position >= commands.end || !mayDescend(state, frame)) return;
    visitCommand(state, frame, commandOf(state.text, position, input), input, call);
  }
}

/** Commands move tokens of the router. Their value was counted with the call to the router. */
function visitCommand(state: State, frame: Frame, target: KnownFunction | undefined, input: Slice, call: Call): void {
  state.callsLeft--;
  if (target === undefined) {
    hit(state, frame, "opaqueNestedCall");
    return;
  }
  const { to } = frame;
  const inner: Call = { to, selector: null, function: null, valueWei: "0", arguments: NO_ARGUMENTS, calls: NO_CALLS };
  const { start, end } = input;
  const within = frameOf(state, frame, call, { to: null, value: 0n, start, end, isDelegate: false });
  within.isCommand = true;
  apply(state, within, input.start, target, inner);
  addCall(call, inner);
}

function mayDescend(state: State, frame: Frame): boolean {
  const isAllowed = frame.depth < DEPTH_MAX && state.callsLeft > 0;
  if (!isAllowed) hit(state, frame, "tooMuch");
  return isAllowed;
}

/** 0xef0100 and an address (EIP-7702). The zero address revokes a delegation. */
function isDelegation(text: string, { start, end }: Slice): boolean {
  return end - start === 46 && text.startsWith("ef0100", start) && !text.startsWith(ZERO.slice(2), start + 6);
}

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
