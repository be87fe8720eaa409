/** Names of calldata: of the contract, and of JSON-RPC and tools. */
export const CALLDATA_MEMBERS = ["data", "input", "calldata"] as const;

export const AUTHORIZATION_MEMBERS = ["authorizationList", "authorization_list"] as const;

/** What the scan judges. */
const READ: ReadonlySet<string> = new Set([
  ...CALLDATA_MEMBERS,
  ...AUTHORIZATION_MEMBERS,
  ..."chainId chain_id to valueWei value function functionName amount context".split(" "),
]);

/** Members of JSON-RPC's and of wallets' transactions that say nothing of what is called or moved. */
const IGNORED: ReadonlySet<string> = new Set(
  (
    "from account nonce type chain gas gasLimit gasPrice maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas accessList " +
    "blobVersionedHashes hash r s v yParity gas_limit gas_price max_fee_per_gas max_priority_fee_per_gas access_list"
  ).split(" "),
);

export const isIgnored = (name: string): boolean => IGNORED.has(name);

/**
 * Whether a member that is not read could be what another reader of the same object executes: its value holds calldata or
 * an address, or it is a number by the name of an amount.
 */
export function isUnread(name: string, value: unknown): boolean {
  if (READ.has(name) || IGNORED.has(name)) return false;
  if (AMOUNT_NAME.test(name.slice(0, NAME_MAX)) && isNumber(value)) return true;
  return holdsHex(value);
}

const NAME_MAX = 64;
const AMOUNT_NAME = /amount|value|wei|allowance|quantity/i;
/** So much of a value is looked at: what is called or paid does not stand deeper or behind more. */
const VALUES_MAX = 256;

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || (typeof value === "string" && /^\s*\d+\s*$/.test(value));

/** A selector, an address, or more. */
const isHex = (text: string): boolean => /^\s*0x[0-9a-f]{8}/i.test(text);

function holdsHex(value: unknown): boolean {
  const stack = [value];
  for (let looked = 0; looked < VALUES_MAX && stack.length > 0; looked++) {
    const next = stack.pop();
    if (typeof next === "string" && isHex(next)) return true;
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) stack.push(inner);
  }
  // What is larger than that is no note of a client's.
  return stack.length > 0;
}
