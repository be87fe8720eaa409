import { addressAt, decode, isZeroWord, type Reader, type Slice, select, uintAt, type Value } from "./abi";
import { ZERO } from "./accounts";
import { BATCH_TYPES, type Effect } from "./selectors";
import type { TransactionRule } from "./transaction-rules";

/** A call inside another one's arguments. */
export type Inner = { to: string | null; value: bigint; data: Slice; isDelegate: boolean };

/** The calls that arguments carry, as far as they can be read, and why no further. */
export type Nested = { calls: Inner[]; fault: TransactionRule | null };

type Carrier = Extract<Effect, { is: "calls" | "parallel" | "multiSend" | "mode" }>;

/** `self` is whom the carrying call goes to, `most` how many calls are of use. */
export function readNested(
  reader: Reader,
  effect: Carrier,
  values: Value[],
  self: string | null,
  most: number,
): Nested {
  const { text } = reader;
  switch (effect.is) {
    case "calls":
      return readItems(text, effect, values, self);
    case "parallel":
      return readParallel(text, effect, values, self);
    case "multiSend":
      return readMultiSend(text, values[effect.data], self, most);
    case "mode":
      return readMode(reader, values[effect.mode], values[effect.data], self);
    default:
      return effect satisfies never;
  }
}

export const isSlice = (value: Value | undefined): value is Slice => typeof value === "object" && !Array.isArray(value);

const NOTHING: Nested = { calls: [], fault: null };

function readItems(text: string, effect: Effect & { is: "calls" }, values: Value[], self: string | null): Nested {
  const calls: Inner[] = [];
  for (const item of select(values, effect.each)) {
    const members = Array.isArray(item) ? item : NO_MEMBERS;
    const data = Array.isArray(item) ? members[effect.data] : item;
    if (!isSlice(data)) continue;
    const to = effect.to === undefined ? undefined : members[effect.to];
    const value = effect.value === undefined ? undefined : members[effect.value];
    const operation = effect.operation === undefined ? undefined : members[effect.operation];
    const isDelegate = typeof operation === "number" && !isZeroWord(text, operation);
    calls.push({ to: addressOr(text, to, self), value: valueOr(text, value), data, isDelegate });
  }
  return { calls, fault: null };
}

const NO_MEMBERS: readonly Value[] = [];

function readParallel(text: string, effect: Effect & { is: "parallel" }, values: Value[], self: string | null): Nested {
  const targets = select(values, [effect.to, "*"]);
  const amounts = effect.value === undefined ? [] : select(values, [effect.value, "*"]);
  const data = select(values, [effect.data, "*"]);
  // Some accounts take an empty list of values for "none".
  const isUneven = targets.length !== data.length || (amounts.length > 0 && amounts.length !== data.length);
  const calls: Inner[] = [];
  for (const [index, item] of data.entries()) {
    if (!isSlice(item)) continue;
    const to = addressOr(text, targets[index], self);
    calls.push({ to, value: valueOr(text, amounts[index]), data: item, isDelegate: false });
  }
  return { calls, fault: isUneven ? "shortArguments" : null };
}

/** operation (1 byte), to (20), value (32), length (32), data: packed without padding. */
function readMultiSend(text: string, packed: Value | undefined, self: string | null, most: number): Nested {
  if (!isSlice(packed)) return NOTHING;
  const calls: Inner[] = [];
  let at = packed.start;
  while (at < packed.end && calls.length <= most) {
    const start = at + 170;
    const length = start <= packed.end ? uintAt(text, at + 106) * 2n : BigInt(packed.end);
    if (length > BigInt(packed.end - start)) return { calls, fault: "shortArguments" };
    const end = start + Number(length);
    const target = `0x${text.slice(at + 2, at + 42)}`;
    calls.push({
      to: target === ZERO ? self : target,
      value: uintAt(text, at + 42),
      data: { start, end },
      isDelegate: text.slice(at, at + 2) !== "00",
    });
    at = end;
  }
  return { calls, fault: null };
}

/** ERC-7579. In ERC-7821 the zero address stands for the account itself. */
function readMode(reader: Reader, mode: Value | undefined, data: Value | undefined, self: string | null): Nested {
  const { text } = reader;
  if (typeof mode !== "number" || !isSlice(data)) return NOTHING;
  const kind = text.slice(mode, mode + 2);
  if (kind === "01") return readModeBatch(reader, mode, data, self);
  if (kind !== "00" && kind !== "fe" && kind !== "ff") return { calls: [], fault: "opaqueNestedCall" };
  const head = kind === "00" ? 104 : 40;
  if (data.end - data.start < head) return { calls: [], fault: "shortArguments" };
  const target = `0x${text.slice(data.start, data.start + 40)}`;
  const inner: Inner = {
    to: target === ZERO ? self : target,
    value: head === 104 ? uintAt(text, data.start + 40) : 0n,
    data: { start: data.start + head, end: data.end },
    isDelegate: kind === "ff",
  };
  return { calls: [inner], fault: null };
}

/** ERC-7821 marks a batch of batches with 78210002 in the mode's seventh to tenth byte. */
function readModeBatch(reader: Reader, mode: number, data: Slice, self: string | null): Nested {
  const { text } = reader;
  if (text.startsWith("78210002", mode + 12)) return { calls: [], fault: "opaqueNestedCall" };
  const values = decode(reader, data.start, data.end, BATCH_TYPES);
  if (values === null) return { calls: [], fault: "shortArguments" };
  const { calls } = readItems(text, { is: "calls", each: [0, "*"], to: 0, value: 1, data: 2 }, values, self);
  return { calls: calls.map((inner) => (inner.to === ZERO ? { ...inner, to: self } : inner)), fault: null };
}

const addressOr = (text: string, value: Value | undefined, self: string | null): string | null =>
  typeof value === "number" ? addressAt(text, value) : self;

const valueOr = (text: string, value: Value | undefined): bigint =>
  typeof value === "number" ? uintAt(text, value) : 0n;
