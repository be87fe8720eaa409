/** Names of the calldata: of the documented API, of JSON-RPC, and of tools. */
export const CALLDATA_MEMBERS = ["data", "input", "calldata"] as const;

export const AUTHORIZATION_MEMBERS = ["authorizationList", "authorization_list"] as const;

/** Names of the chain's number: of the documented API, of tools, and of older wallets. */
export const CHAIN_MEMBERS = ["chainId", "chain_id", "chainID", "networkId", "network_id"] as const;

/** Members that the scan reads. `chain` is viem's description of a chain, or its name. */
const READ: ReadonlySet<string> = new Set([
  ...CALLDATA_MEMBERS,
  ...AUTHORIZATION_MEMBERS,
  ...CHAIN_MEMBERS,
  ..."chain to valueWei value function functionName amount context".split(" "),
]);

/** Members of transactions of JSON-RPC and wallets that do not change what is called or moved. */
const IGNORED: ReadonlySet<string> = new Set(
  (
    "from account nonce type gas gasLimit gasPrice maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas accessList " +
    "blobVersionedHashes hash r s v yParity gas_limit gas_price max_fee_per_gas max_priority_fee_per_gas access_list"
  ).split(" "),
);

/** Whether a member has no influence on what a transaction calls or moves, so that it can be dropped before a scan. */
export const isIgnored = (name: string): boolean => IGNORED.has(name);

/**
 * Whether a member that the scan does not read could be executed by another reader: it has, at any depth, calldata, an
 * address, or a number with the name of an amount.
 */
export const isUnread = (name: string, value: unknown): boolean =>
  !READ.has(name) && !IGNORED.has(name) && isSuspect(name, value);

const NAME_MAX = 64;
const AMOUNT_NAME = /amount|value|wei|allowance|quantity/i;
/** Bounds how many values of a member are searched. */
const VALUES_MAX = 256;

/** Also in whole coins, or in hex as JSON-RPC has it. */
const NUMBER = /^(?:\d+(?:\.\d*)?|\.\d+|0x[\da-f]+)$/i;

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "bigint" || (typeof value === "string" && NUMBER.test(value.trim()));

/** Whether the text starts like a selector, an address, or longer data. */
const isHex = (text: string): boolean => /^\s*0x[0-9a-f]{8}/i.test(text);

function isSuspect(name: string, value: unknown): boolean {
  const stack: [name: string, value: unknown][] = [[name, value]];
  for (let looked = 0; looked < VALUES_MAX; looked++) {
    const next = stack.pop();
    if (next === undefined) return false;
    const [key, inner] = next;
    if (AMOUNT_NAME.test(key.slice(0, NAME_MAX)) && isNumber(inner)) return true;
    if (typeof inner === "string" && isHex(inner)) return true;
    if (typeof inner === "object" && inner !== null) for (const entry of Object.entries(inner)) stack.push(entry);
  }
  // A larger value is suspect by its size.
  return stack.length > 0;
}
