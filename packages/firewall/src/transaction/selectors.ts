import { lengthAt, type Slice, typesOf } from "./abi.ts";
import { COMMANDS, ORDER_COMMANDS } from "./commands.ts";
import type { EffectOf, KnownFunction } from "./effects.ts";
import { FUNCTIONS } from "./functions.ts";

/** The argument of ERC-7579's batch mode, which is also the first argument of ERC-7821's. */
export const BATCH_TYPES = typesOf("batch((address,uint256,bytes)[])");
export const BATCH: EffectOf<"calls"> = { is: "calls", each: [0, "*"], to: 0, value: 1, data: 2 };
/** ERC-7821's batch of batches; each inner one is encoded as BATCH_TYPES. */
export const BATCHES_TYPES = typesOf("batches(bytes[])");

const bySelector = new Map(FUNCTIONS.map((f) => [Number(f.selector) | 0, f]));
const byCommand = new Map(COMMANDS.map((f) => [f.selector, f]));
const byOrderCommand = new Map(ORDER_COMMANDS.map((f) => [f.selector, f]));
const names = new Set(FUNCTIONS.map((f) => f.name));

/** The function with this selector, given as a signed 32-bit number. */
export const functionOf = (selector: number): KnownFunction | undefined => bySelector.get(selector);

/**
 * The command of the byte at `index`, whose two high bits are flags. The first versions of the router used some bytes for
 * orders of marketplaces; their arguments, unlike those of today's commands, have an offset of two words second.
 */
export function commandOf(text: string, index: number, { start, end }: Slice): KnownFunction | undefined {
  const byte = (Number.parseInt(text.slice(index, index + 2), 16) & 0x3f).toString(16).padStart(2, "0");
  const isOrder = end - start >= ORDER_DIGITS_MIN && lengthAt(text, start + WORD) === ORDER_OFFSET;
  return (isOrder ? byOrderCommand.get(byte) : undefined) ?? byCommand.get(byte);
}

const WORD = 64;
const [ORDER_OFFSET, ORDER_DIGITS_MIN] = [64, 3 * WORD];

export const isKnownName = (name: string): boolean => names.has(name.toLowerCase());
