import { networkNamed } from "../../../x402/src/networks.ts";
import { addressesIn, CHAINS, checksummed, isAddress, isWellSpelt, named, ZERO } from "../chain/accounts.ts";
import { areBytes } from "../chain/hex.ts";
import { readTexts } from "../payment-texts/read.ts";
import { type Fields, isRecord, isSameText } from "../record.ts";
import { RULESET_VERSION } from "../ruleset.ts";
import { type Conclusion, conclude, type Hit } from "../verdict.ts";
import { UINT256_MAX } from "./abi.ts";
import { inspectCall } from "./calls.ts";
import { inspectDeclared } from "./declared.ts";
import { AUTHORIZATION_MEMBERS, CALLDATA_MEMBERS, CHAIN_MEMBERS, isUnread } from "./members.ts";
import { type Find, type TransactionRule, transactionRules } from "./rules.ts";
import type { Call, Walk } from "./walk.ts";

export type TransactionScan = Conclusion & {
  normalized: {
    chainId: number;
    /** Checksummed. null when there is no valid destination. */
    to: string | null;
    selector: string | null;
    hasNativeValue: boolean;
    /** The call of the transaction with the calls inside it. Empty for a contract creation. */
    calls: Call[];
  };
  limitations: string;
  rulesetVersion: string;
};

export const TRANSACTION_LIMITATIONS =
  "Deterministic checks of the calldata and texts only: nothing is simulated, and no chain state, contract code, " +
  "address reputation or price is looked up. Whether a 4-byte selector means what its usual signature says, and whether " +
  "a token is fungible, is not known. A pass means that no known signal matched, not that the transaction is safe.";

const DEFAULT_CHAIN = 8453;
const TEXT_FIELDS = ["context", "function", "functionName", "amount"] as const;

/**
 * Scans an unsigned transaction: `chainId` (8453 by default), `to`, `data`, `valueWei`, and what the caller says about
 * it in `function`, `amount` and `context`. Accepts any JSON value and never throws: what is wrong with it becomes a
 * finding.
 */
export function scanTransaction(input: unknown): TransactionScan {
  const fields = isRecord(input) ? input : {};
  const hits: Hit[] = [];
  const find = (rule: TransactionRule, field: string) => hits.push({ rule: transactionRules[rule], field });

  const chainId = readChain(fields, find);
  const to = readDestination(fields.to, find);
  const value = readValue(fields, find);
  const text = readCalldata(fields, find);
  const context = typeof fields.context === "string" ? fields.context : "";
  const walk: Walk = {
    text,
    chainId,
    named: named(addressesIn(context)),
    hits,
    amounts: isAbsent(fields.amount) ? null : [],
    called: fields.function || fields.functionName ? new Set() : null,
  };
  const isCreation = to === null && isAbsent(fields.to);
  const call = isCreation ? null : inspectCall(walk, to, value);
  if (isCreation && value > 0n) find("nativeTransfer", "valueWei");
  for (const name of AUTHORIZATION_MEMBERS) inspectDelegations(fields[name], name, find);
  for (const [name, member] of Object.entries(fields)) if (isUnread(name, member)) find("unreadMember", "");
  if (call !== null) inspectDeclared(walk, call, fields, find);
  inspectTexts(fields, find);

  const { verdict, riskScore, findings } = conclude(hits);
  return {
    verdict,
    riskScore,
    findings,
    normalized: {
      chainId: chainId ?? DEFAULT_CHAIN,
      to: to === null ? null : checksummed(to),
      selector: call?.selector ?? null,
      hasNativeValue: value > 0n,
      calls: call === null ? [] : [call],
    },
    limitations: TRANSACTION_LIMITATIONS,
    rulesetVersion: RULESET_VERSION,
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

/** The chain's number by the first of its names that is given. The others must agree. */
function readChain(fields: Fields, find: Find): number | null {
  const numbers = CHAIN_MEMBERS.flatMap((name) => (isGiven(fields[name]) ? [{ name, value: fields[name] }] : []));
  const described = { name: "chain", value: readDescribedChain(fields.chain, numbers.length > 0) };
  const statements = described.value === null ? numbers : [...numbers, described];
  const [first = { name: "chainId", value: DEFAULT_CHAIN }, ...others] = statements.map(({ name, value }) => ({
    name,
    value: readQuantity(value),
  }));
  const chainId = first.value;
  for (const { name, value } of others) if (toNumber(value) !== toNumber(chainId)) find("chainConflict", name);
  const isInteger = typeof chainId === "number" && Number.isSafeInteger(chainId);
  if (!isInteger || !CHAINS.has(chainId)) find("unsupportedChain", first.name);
  // Adding 0 turns -0, which JSON can express, into 0.
  return isInteger ? chainId + 0 : null;
}

/** A text of decimal digits is no valid chain, but says the same as its number. */
const toNumber = (chain: unknown): unknown =>
  typeof chain === "string" && /^\d{1,15}$/.test(chain) ? Number(chain) : chain;

/** The number in viem's description of a chain, or of a chain's name. Unknown names cannot be compared with a number. */
function readDescribedChain(chain: unknown, hasNumber: boolean): unknown {
  if (isAbsent(chain)) return null;
  if (isRecord(chain)) return chain.id ?? null;
  const number = networkNamed(chain)?.chainId ?? readQuantity(chain);
  return hasNumber && typeof number !== "number" ? null : number;
}

/** The destination in lower case, or null when there is none. */
function readDestination(to: unknown, find: Find): string | null {
  if (isAbsent(to)) {
    find("contractCreation", "to");
    return null;
  }
  if (!isAddress(to)) {
    find("invalidDestination", "to");
    if (typeof to === "string" && /^0xef0100[0-9a-f]{40}$/i.test(to)) find("delegation", "to");
    return null;
  }
  if (!isWellSpelt(to)) find("badChecksum", "to");
  return to.toLowerCase();
}

/** A number in hex. Some wallets and tools pad what JSON-RPC writes without leading zeros. */
const QUANTITY = /^0x[0-9a-fA-F]{1,128}$/;
const DECIMAL = /^[0-9]{1,78}$/;

/** A chain's number, also as JSON-RPC writes it. */
const readQuantity = (value: unknown): unknown =>
  typeof value === "string" && QUANTITY.test(value) ? Number(value) : value;

/** Whether `value`, in one of its two forms, says the same as the text of `valueWei`. */
const isSameValue = (value: unknown, text: unknown): boolean =>
  value === text ||
  (typeof value === "string" &&
    typeof text === "string" &&
    QUANTITY.test(value) &&
    DECIMAL.test(text) &&
    BigInt(value) === BigInt(text));

/** The native value in wei. `value` is also what JSON-RPC calls it, and there it is in hex. */
function readValue(fields: Fields, find: Find): bigint {
  const field = isAbsent(fields.valueWei) ? "value" : "valueWei";
  const text = fields[field];
  const alias = fields.value;
  if (field === "valueWei" && !isAbsent(alias) && !isSameValue(alias, text)) find("valueConflict", "value");
  if (isAbsent(text)) return 0n;
  const isInteger = typeof text === "string" && (DECIMAL.test(text) || (field === "value" && QUANTITY.test(text)));
  const value = isInteger ? BigInt(text) : UINT256_MAX + 1n;
  if (value <= UINT256_MAX) return value;
  find("invalidValue", field);
  return 0n;
}

/** The calldata as lower-case hex with its prefix. The readable part of malformed calldata is scanned too. */
function readCalldata(fields: Fields, find: Find): string {
  const members = CALLDATA_MEMBERS.filter((name) => !isAbsent(fields[name]));
  const texts = members.map((name) => fields[name]);
  for (const name of members)
    if (fields[name] !== texts[0] && !isSameText(fields[name], texts[0])) find("calldataConflict", name);
  // When aliases disagree, the one that calls something is scanned.
  const data = texts.find((text) => text !== "0x") ?? texts[0];
  if (data === undefined) return "0x";
  if (typeof data !== "string") {
    find("malformed", "data");
    return "0x";
  }
  const isEven = data.length % 2 === 0;
  if (data.startsWith("0x") && areBytes(data)) return data;
  if (isEven && /^0x[0-9a-fA-F]*$/.test(data)) return data.toLowerCase();
  find("malformed", "data");
  const digits = /^(?:0[xX])?([0-9a-fA-F]*)/.exec(data)?.[1] ?? "";
  return `0x${digits.slice(0, digits.length - (digits.length % 2)).toLowerCase()}`;
}

/**
 * EIP-7702. Not a documented field, but wallets may pass on everything they have. Delegating to the zero address
 * revokes.
 */
function inspectDelegations(list: unknown, name: string, find: Find): void {
  if (isAbsent(list)) return;
  if (!Array.isArray(list) || !list.every(isRevocation)) find("delegation", name);
}

/** Libraries use different names for the delegate and read only their own, so every name must have the zero address. */
function isRevocation(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const delegates = DELEGATE_MEMBERS.map((name) => entry[name]).filter((delegate) => delegate !== undefined);
  return delegates.length > 0 && delegates.every((delegate) => delegate === ZERO);
}

const DELEGATE_MEMBERS = ["address", "contractAddress", "contract_address", "delegate", "implementation"];

function inspectTexts(fields: Fields, find: Find): void {
  const fieldTexts = TEXT_FIELDS.flatMap((field) => {
    const text = fields[field];
    return typeof text === "string" ? [{ field, text }] : [];
  });
  for (const [index, signs] of readTexts(fieldTexts.map(({ text }) => text)).entries()) {
    const field = fieldTexts[index]?.field ?? "";
    if (signs.isInstructing) find("injection", field);
    if (signs.isHiding) find("hiddenText", field);
    if (signs.hasSecret) find("secret", field);
  }
}
