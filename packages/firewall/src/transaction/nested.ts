import { ZERO } from "../chain/accounts.ts";
import { addressAt, decode, isZeroWord, lengthAt, type Reader, type Slice, select, uintAt, type Value } from "./abi.ts";
import type { EffectOf } from "./effects.ts";
import { OPERATION_SELECTOR } from "./functions.ts";
import { isSlice } from "./paths.ts";
import type { TransactionRule } from "./rules.ts";
import { BATCH, BATCH_TYPES, BATCHES_TYPES } from "./selectors.ts";
import type { Inner, State } from "./walk.ts";

/** The calls in the arguments, and a rule for why others could not be read. */
export type Nested = { calls: Inner[]; fault: TransactionRule | null };

type Items = EffectOf<"calls">;

/** Reads the call of an item into `inner`. Returns false when it has none. `self`, also below: the destination of the outer call. */
export function readItem(text: string, effect: Items, item: Value, self: string | null, inner: Inner): boolean {
  const isWhole = !Array.isArray(item);
  const data = isWhole ? item : item[effect.data];
  if (!isSlice(data)) return false;
  const to = isWhole || effect.to === undefined ? undefined : item[effect.to];
  const value = isWhole || effect.value === undefined ? undefined : item[effect.value];
  const operation = isWhole || effect.operation === undefined ? undefined : item[effect.operation];
  inner.to = addressOr(text, to, self);
  inner.value = valueOr(text, value);
  inner.start = effect.isOperation ? operationStart(text, data) : data.start;
  inner.end = data.end;
  inner.isDelegate = effect.isDelegate === true || (typeof operation === "number" && !isZeroWord(text, operation));
  return true;
}

/** ERC-4337: with executeUserOp's selector, the account gets the whole operation, and the call follows the selector. */
const operationStart = (text: string, { start, end }: Slice): number =>
  end - start >= 8 && text.startsWith(OPERATION_SELECTOR, start) ? start + 8 : start;

const NOTHING: Nested = { calls: [], fault: null };

export function readParallel(text: string, effect: EffectOf<"parallel">, values: Value[], self: string | null): Nested {
  const targets = select(values, [effect.to, "*"]);
  const amounts = effect.value === undefined ? [] : select(values, [effect.value, "*"]);
  const data = select(values, [effect.data, "*"]);
  // Some accounts accept an empty list of values for no values.
  const isUneven = targets.length !== data.length || (amounts.length > 0 && amounts.length !== data.length);
  const calls: Inner[] = [];
  for (const [index, item] of data.entries()) {
    if (!isSlice(item)) continue;
    const to = addressOr(text, targets[index], self);
    calls.push({ to, value: valueOr(text, amounts[index]), start: item.start, end: item.end, isDelegate: false });
  }
  return { calls, fault: isUneven ? "shortArguments" : null };
}

/** Packed without padding: operation (1 byte), to (20), value (32), length (32), data. */
export function readMultiSend({ text, callsLeft }: State, packed: Value | undefined, self: string | null): Nested {
  if (!isSlice(packed)) return NOTHING;
  const calls: Inner[] = [];
  let index = packed.start;
  while (index < packed.end && calls.length <= callsLeft) {
    const start = index + 170;
    const bytes = start <= packed.end ? lengthAt(text, index + 106) : null;
    if (bytes === null || bytes * 2 > packed.end - start)
      return { calls, fault: isPadding(text, index, packed.end) ? null : "shortArguments" };
    const end = start + bytes * 2;
    const to = packedTarget(text, index + 2, self);
    const isDelegate = !text.startsWith("00", index);
    calls.push({ to, value: uintAt(text, index + 42), start, end, isDelegate });
    index = end;
  }
  return { calls, fault: null };
}

/** Some libraries pad packed transactions to whole words. */
const isPadding = (text: string, from: number, to: number): boolean =>
  to - from < 64 && /^0*$/.test(text.slice(from, to));

/** ERC-7579. In ERC-7821, the zero address is the account itself. */
export function readMode(reader: Reader, effect: EffectOf<"mode">, values: Value[], self: string | null): Nested {
  const { text } = reader;
  const [mode, data] = [values[effect.mode], values[effect.data]];
  if (typeof mode !== "number" || !isSlice(data)) return NOTHING;
  const kind = text.slice(mode, mode + 2);
  if (kind === "01") return readModeBatches(reader, mode, data, self);
  if (kind !== "00" && kind !== "fe" && kind !== "ff") return { calls: [], fault: "opaqueNestedCall" };
  const head = kind === "00" ? 104 : 40;
  if (data.end - data.start < head) return { calls: [], fault: "shortArguments" };
  const inner: Inner = {
    to: packedTarget(text, data.start, self),
    value: head === 104 ? uintAt(text, data.start + 40) : 0n,
    start: data.start + head,
    end: data.end,
    isDelegate: kind === "ff",
  };
  return { calls: [inner], fault: null };
}

/** ERC-7821: 78210002 in bytes 7 to 10 of the mode means a batch of batches. */
function readModeBatches(reader: Reader, mode: number, data: Slice, self: string | null): Nested {
  const calls: Inner[] = [];
  if (!reader.text.startsWith("78210002", mode + 12)) {
    return { calls, fault: readBatch(reader, data, self, calls) ? null : "shortArguments" };
  }
  const values = decode(reader, data.start, data.end, BATCHES_TYPES);
  if (values === null) return { calls, fault: "shortArguments" };
  for (const batch of select(values, [0, "*"]))
    if (!isSlice(batch) || !readBatch(reader, batch, self, calls)) return { calls, fault: "shortArguments" };
  return { calls, fault: null };
}

/** Adds the calls of a batch. Returns false when it cannot be read. */
function readBatch(reader: Reader, { start, end }: Slice, self: string | null, calls: Inner[]): boolean {
  const { text } = reader;
  const values = decode(reader, start, end, BATCH_TYPES);
  for (const item of values === null ? [] : select(values, BATCH.each)) {
    const inner: Inner = { to: null, value: 0n, start, end, isDelegate: false };
    if (!readItem(text, BATCH, item, self, inner)) continue;
    if (inner.to === ZERO) inner.to = self;
    calls.push(inner);
  }
  return values !== null;
}

/** A packed address. The zero address is the account itself. */
function packedTarget(text: string, index: number, self: string | null): string | null {
  const target = `0x${text.slice(index, index + 40)}`;
  return target === ZERO ? self : target;
}

const addressOr = (text: string, value: Value | undefined, self: string | null): string | null =>
  typeof value === "number" ? addressAt(text, value) : self;

const valueOr = (text: string, value: Value | undefined): bigint =>
  typeof value === "number" ? uintAt(text, value) : 0n;
