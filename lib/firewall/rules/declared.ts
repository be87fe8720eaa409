import { keccak256, stringToBytes } from "viem";
import { uintAt } from "./abi";
import { type Call, isUnlimited, UINT256_MAX, type Walk } from "./calls";
import type { Fields } from "./record";
import { isKnownName } from "./selectors";
import type { Find } from "./transaction";

/** Compares what the caller says the transaction does with what its calldata does. */
export function inspectDeclared(walk: Walk, call: Call, fields: Fields, find: Find): void {
  const declared = readFunction(fields.function || fields.functionName);
  if (declared !== null && call.selector !== null) inspectFunction(walk, call, declared, find);
  if (aliasDiffers(fields)) find("functionUnclear", "functionName");
  const amount = readAmount(fields.amount);
  if (amount === "unreadable") find("amountUnreadable", "amount");
  else if (amount !== null) inspectAmount(walk, amount, find);
  if (call.selector === null) inspectIntent(declared?.name ?? "", amount, find);
}

type Declared = { name: string; signature: string | null };

const TEXT_MAX = 400;
const APPROVING = new Set(["approve", "increaseallowance", "permit", "approveandcall"]);
/** How people and agents write "as much as there is". */
const UNLIMITED_WORDS =
  /^(?:max(?:imum)?|unlimited|infinit[ey]|inf|max_?uint(?:256|160)?|(?:type\(uint(?:256|160)\)|uint(?:256|160))\.?max|2(?:\*\*|\^)256 ?- ?1)$/i;

function readFunction(text: unknown): Declared | null {
  if (typeof text !== "string" || text.length > TEXT_MAX) return null;
  const parts = /^ *(?:function )? *(?:[A-Za-z_$][\w$]*\.)?([A-Za-z_$][\w$]*) *(\(.*)?$/.exec(text);
  const name = parts?.[1];
  if (name === undefined) return text.trim() === "" ? null : { name: "", signature: null };
  const canonical = `${name}${parts?.[2] ?? ""}`;
  return { name, signature: /^[A-Za-z_$][\w$]*\([a-z0-9,()[\]]*\)$/.test(canonical) ? canonical : null };
}

function inspectFunction(walk: Walk, call: Call, declared: Declared, find: Find): void {
  const { signature } = declared;
  if (call.function === null) {
    if (signature !== null && selectorOf(signature) !== call.selector) find("functionMismatch", "function");
    return;
  }
  if (call.function.toLowerCase().startsWith(`${declared.name.toLowerCase()}(`)) return;
  const isWrapped = walk.names.has(declared.name.toLowerCase());
  find(isKnownName(declared.name) && !isWrapped ? "functionMismatch" : "functionUnclear", "function");
}

const selectorOf = (signature: string) => keccak256(stringToBytes(signature)).slice(0, 10);

function aliasDiffers(fields: Fields): boolean {
  const { function: main, functionName: alias } = fields;
  return typeof main === "string" && typeof alias === "string" && main !== "" && alias !== "" && main !== alias;
}

/** Atomic units; a decimal fraction is read in the six decimals of USDC. null when nothing is declared. */
function readAmount(text: unknown): bigint | "unreadable" | null {
  if (text === undefined || text === null || text === "") return null;
  if (typeof text !== "string" || text.length > TEXT_MAX) return "unreadable";
  const trimmed = text.trim();
  if (UNLIMITED_WORDS.test(trimmed)) return UINT256_MAX;
  if (/^[0-9]{1,78}$/.test(trimmed) || /^0x[0-9a-fA-F]{1,64}$/.test(trimmed)) return BigInt(trimmed);
  const decimal = /^([0-9]{1,60})\.([0-9]{1,6})$/.exec(trimmed);
  return decimal ? BigInt(`${decimal[1]}${(decimal[2] ?? "").padEnd(6, "0")}`) : "unreadable";
}

function inspectAmount(walk: Walk, declared: bigint, find: Find): void {
  const amounts = walk.amounts.map((at) => uintAt(walk.text, at));
  if (amounts.length === 0) return;
  if (amounts.some((amount) => amount > declared)) {
    find("amountAbove", "amount");
    return;
  }
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  if (!amounts.includes(declared) && sum !== declared) find("amountBelow", "amount");
}

/** Without calldata the declaration is all there is to judge. */
function inspectIntent(name: string, amount: bigint | "unreadable" | null, find: Find): void {
  const isApproval = APPROVING.has(name.toLowerCase());
  if (isApproval && amount !== 0n) find("approval", "function");
  if (typeof amount === "bigint" && isUnlimited(amount, false, 256)) find("unlimitedApproval", "amount");
  if (name.toLowerCase() === "setapprovalforall") find("operatorApproval", "function");
}
