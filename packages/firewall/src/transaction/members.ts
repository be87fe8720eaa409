/** Names of the calldata: of the documented API, of JSON-RPC, and of tools. */
export const CALLDATA_MEMBERS = ["data", "input", "calldata"] as const;

export const AUTHORIZATION_MEMBERS = ["authorizationList", "authorization_list"] as const;

/** Members that the scan reads. */
const READ: ReadonlySet<string> = new Set([
  ...CALLDATA_MEMBERS,
  ...AUTHORIZATION_MEMBERS,
  ..."chainId chain_id to valueWei value function functionName amount context".split(" "),
]);

/** Members of transactions of JSON-RPC and wallets that do not change what is called or moved. */
const IGNORED: ReadonlySet<string> = new Set(
  (
    "from account nonce type chain gas gasLimit gasPrice maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas accessList " +
    "blobVersionedHashes hash r s v yParity gas_limit gas_price max_fee_per_gas max_priority_fee_per_gas access_list"
  ).split(" "),
);

/** Whether a member has no influence on what a transaction calls or moves, so that it can be dropped before a scan. */
export const isIgnored = (name: string): boolean => IGNORED.has(name);

/**
 * Whether a member that the scan does not read could be executed by another reader: it has calldata, an address, or a
 * number with the name of an amount.
 */
export function isUnread(name: string, value: unknown): boolean {
  if (READ.has(name) || IGNORED.has(name)) return false;
  if (AMOUNT_NAME.test(name.slice(0, NAME_MAX)) && isNumber(value)) return true;
  return holdsHex(value);
}

const NAME_MAX = 64;
const AMOUNT_NAME = /amount|value|wei|allowance|quantity/i;
/** Bounds how many values of a member are searched. */
const VALUES_MAX = 256;

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || (typeof value === "string" && /^\s*\d+\s*$/.test(value));

/** Whether the text starts like a selector, an address, or longer data. */
const isHex = (text: string): boolean => /^\s*0x[0-9a-f]{8}/i.test(text);

function holdsHex(value: unknown): boolean {
  const stack = [value];
  for (let looked = 0; looked < VALUES_MAX && stack.length > 0; looked++) {
    const next = stack.pop();
    if (typeof next === "string" && isHex(next)) return true;
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) stack.push(inner);
  }
  // A larger value is suspect by its size.
  return stack.length > 0;
}
