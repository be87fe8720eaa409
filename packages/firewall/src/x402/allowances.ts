import { isUnlimited } from "../chain/unlimited.ts";
import { isRecord } from "../record.ts";
import { x402Names } from "./rules.ts";
import { plainName } from "./signed.ts";

/** Whether the value is an object that lets a spender take any amount: of a permit, of Permit2, or to be signed. */
export function isUnlimitedAllowance(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const keys = Object.keys(value);
  if (!keys.some((key) => plainName(key) === "spender")) return false;
  return hasUnlimited(value) || keys.some((key) => isPart(key) && partsOf(value[key]).some(hasUnlimited));
}

const isPart = (key: string): boolean => x402Names.allowanceParts.has(plainName(key));

const partsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const hasUnlimited = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).some(([key, amount]) => x402Names.allowance.has(plainName(key)) && isUnlimitedAmount(amount));

/** DAI's permit allows everything or nothing. */
function isUnlimitedAmount(amount: unknown): boolean {
  if (amount === true) return true;
  if (typeof amount === "number")
    return Number.isInteger(amount) && amount > 0 && isUnlimited(BigInt(amount), null, 160);
  if (typeof amount !== "string" || !/^(?:\d{1,128}|0x[\da-f]{1,128})$/i.test(amount)) return false;
  return isUnlimited(BigInt(amount), null, 160);
}
