import { keccak256, stringToBytes } from "viem";
import { ceilingOf } from "../chain/known-tokens.ts";
import { isUnlimited } from "../chain/unlimited.ts";
import type { Fields } from "../record.ts";
import { UINT256_MAX, uintAt } from "./abi.ts";
import type { Find } from "./rules.ts";
import { isKnownName } from "./selectors.ts";
import type { Call, Walk } from "./walk.ts";

/** Compares the declared function and amount with the calldata. */
export function inspectDeclared(walk: Walk, call: Call, fields: Fields, find: Find): void {
  const declared = readFunction(fields.function || fields.functionName);
  if (declared === "unreadable") find("functionUnclear", "function");
  else if (declared !== null && call.selector !== null) inspectFunction(walk, call, declared, find);
  if (aliasDiffers(fields)) find("functionUnclear", "functionName");
  const amount = readAmount(fields.amount);
  if (amount === "unreadable") find("amountUnreadable", "amount");
  else if (amount !== null) inspectAmount(walk, call, amount, find);
  if (call.selector === null) inspectIntent(walk, call, declared, amount, find);
}

type Declared = { name: string; signature: string | null };

const TEXT_MAX = 400;
const APPROVING = new Set(["approve", "increaseallowance", "permit", "approveandcall"]);
/** Texts for an unlimited amount. */
const UNLIMITED_WORDS =
  /^(?:max(?:imum)?|unlimited|infinit[ey]|inf|max_?uint(?:256|160)?|(?:type\(uint(?:256|160)\)|uint(?:256|160))\.?max|2(?:\*\*|\^)256 ?- ?1)$/i;

/** null when none is declared. White space does not count, neither for the length nor between words. */
function readFunction(declared: unknown): Declared | "unreadable" | null {
  if (!declared) return null;
  const text = typeof declared === "string" ? declared.replace(/\s+/g, " ").trim() : null;
  if (text === null || text.length > TEXT_MAX) return "unreadable";
  const parts = /^(?:function )?(?:[A-Za-z_$][\w$]*\.)?([A-Za-z_$][\w$]*) *(\(.*)?$/.exec(text);
  const name = parts?.[1];
  if (name === undefined) return text === "" ? null : { name: "", signature: null };
  return { name, signature: canonicalOf(name, parts?.[2] ?? "") };
}

/** The canonical signature, from which selectors are computed. null unless all parameters are given as types. */
function canonicalOf(name: string, parameterList: string): string | null {
  const parameters = parameterList
    .slice(0, closingOf(parameterList))
    .replace(/([a-z0-9\])]) +(?:(?:calldata|memory|storage|payable) +)?[A-Za-z_$][\w$]*(?= *[,)])/g, "$1")
    .replace(/ |\btuple(?=\()/g, "")
    .replace(/\b(u?int)(?![\w])/g, "$1256");
  const types = parameters.split(/[(),]|(?:\[\d*\])+/).filter(Boolean);
  return parameters.startsWith("(") && parameters.endsWith(")") && types.every((type) => TYPE.test(type))
    ? `${name}${parameters}`
    : null;
}

const TYPE = /^(?:address|bool|string|bytes(?:[1-9]|[12]\d|3[0-2])?|u?int\d{1,3})$/;

/** The offset of the bracket that closes the one at the start, or the end of the text. */
function closingOf(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "(") depth++;
    if (text[index] === ")" && --depth === 0) return index + 1;
  }
  return text.length;
}

function inspectFunction(walk: Walk, call: Call, declared: Declared, find: Find): void {
  const called = [...(walk.called ?? [])];
  const selector = declared.signature === null ? null : selectorOf(declared.signature);
  if (selector !== null) {
    const rule = called.some((one) => one.selector === selector) ? "functionUnclear" : "functionMismatch";
    if (selector !== call.selector) find(rule, "function");
    return;
  }
  if (call.function === null) return;
  if (call.function.toLowerCase().startsWith(`${declared.name.toLowerCase()}(`)) return;
  const isWrapped = called.some(({ name }) => name === declared.name.toLowerCase());
  find(isKnownName(declared.name) && !isWrapped ? "functionMismatch" : "functionUnclear", "function");
}

const selectorOf = (signature: string) => keccak256(stringToBytes(signature)).slice(0, 10);

function aliasDiffers(fields: Fields): boolean {
  const { function: main, functionName: alias } = fields;
  return typeof main === "string" && typeof alias === "string" && main !== "" && alias !== "" && main !== alias;
}

/** The declared amount in atomic units, if it is of a token and if it is of the native coin. */
type Declaration = { token: bigint; native: bigint };

const toDeclaration = (amount: bigint): Declaration => ({ token: amount, native: amount });

/**
 * The declared amount. A decimal fraction is read with 6 decimals for tokens (USDC) and 18 for the native coin. null
 * when none is declared.
 */
function readAmount(text: unknown): Declaration | "unreadable" | null {
  if (text === undefined || text === null || text === "") return null;
  if (typeof text !== "string" || text.length > TEXT_MAX) return "unreadable";
  const trimmed = text.trim();
  if (UNLIMITED_WORDS.test(trimmed)) return toDeclaration(UINT256_MAX);
  if (/^[0-9]{1,78}$/.test(trimmed) || /^0x[0-9a-fA-F]{1,64}$/.test(trimmed)) return toDeclaration(BigInt(trimmed));
  const decimal = /^([0-9]{1,60})\.([0-9]{1,6})$/.exec(trimmed);
  if (decimal === null) return "unreadable";
  const [token = 0n, native = 0n] = [6, 18].map((digits) =>
    BigInt(`${decimal[1]}${(decimal[2] ?? "").padEnd(digits, "0")}`),
  );
  return { token, native };
}

/** Adds up what is approved, or moved, per token. */
function inspectAmount(walk: Walk, call: Call, declared: Declaration, find: Find): void {
  const totals = new Map<string, bigint>();
  let sum = 0n;
  const calldataAmounts = walk.amounts ?? [];
  const amounts = calldataAmounts.map(({ at: index }) => uintAt(walk.text, index));
  for (const [index, { use, token }] of calldataAmounts.entries()) {
    const amount = amounts[index] ?? 0n;
    const group = `${use} ${token}`;
    totals.set(group, (totals.get(group) ?? 0n) + amount);
    sum += amount;
  }
  const native = nativeOf(call);
  if (totals.size === 0 && native === 0n) return;
  if (native > declared.native || [...totals.values()].some((total) => total > declared.token)) {
    find("amountAbove", "amount");
    return;
  }
  const named = [sum, ...totals.values(), ...amounts];
  if (native !== declared.native && !named.includes(declared.token)) find("amountBelow", "amount");
}

/** The native value that leaves the account: inner calls pass on what the outer call received. */
function nativeOf({ valueWei, calls }: Call): bigint {
  const [outer, inner] = [BigInt(valueWei), calls.reduce((total, call) => total + nativeOf(call), 0n)];
  return outer > inner ? outer : inner;
}

/** Without calldata, only the declaration can be judged. */
function inspectIntent(
  { chainId }: Walk,
  { to }: Call,
  declaredFunction: Declared | "unreadable" | null,
  amount: Declaration | "unreadable" | null,
  find: Find,
): void {
  const name = declaredFunction === null || declaredFunction === "unreadable" ? "" : declaredFunction.name;
  const declared = amount === null || amount === "unreadable" ? null : amount.token;
  const isApproval = APPROVING.has(name.toLowerCase());
  if (isApproval && declared !== 0n) find("approval", "function");
  if (declared !== null && isUnlimited(declared, ceilingOf(chainId, to), 256)) find("unlimitedApproval", "amount");
  if (name.toLowerCase() === "setapprovalforall") find("operatorApproval", "function");
}
