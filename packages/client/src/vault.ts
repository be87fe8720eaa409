import { callData, type Hex, hashOf } from "./vault/bytes.ts";
import { VAULT_CONTRACTS } from "./vault/deployment.ts";
import { members, type Vault, vaultCode } from "./vault/terms.ts";

export type { Hex } from "./vault/bytes.ts";
export { VAULT_CONTRACTS } from "./vault/deployment.ts";
export { type Vault, type VaultTerms, vaultOf } from "./vault/terms.ts";

/** Sends a JSON-RPC request to a node, or to the wallet in a browser (EIP-1193). */
export type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Amounts are atomic USDC. `other_code`: the vault's address or its implementation does not have the published code. */
export type VaultState = {
  code: "open" | "not_open" | "other_code";
  balance: bigint;
  /** The amount that the vault may still draw from the owner's wallet. */
  allowance: bigint;
  isRevoked: boolean;
  /** Null unless `code` is "open". */
  counts: { funded: bigint; spent: bigint; released: bigint } | null;
  /** Unix seconds of the newest block. */
  time: number;
};

/**
 * Reads a vault's state at the latest block and compares its code with the published one. Throws Error if the node is on another chain,
 * and whatever `rpc` throws.
 *
 * @example
 * const rpc: Rpc = (method, params) => provider.request({ method, params });
 * const { code, balance } = await readVault(rpc, vaultOf(file));
 * if (code === "open") console.log(`${balance} atomic USDC`);
 */
export async function readVault(rpc: Rpc, vault: Vault): Promise<VaultState> {
  const { address, chainId, terms } = vault;
  const nodeChainId = Number(await rpc("eth_chainId", []));
  if (nodeChainId !== chainId)
    throw new Error(`the node is on chain ${nodeChainId}, but the vault is on chain ${chainId}`);
  const callContract = async (to: Hex, data: Hex) => BigInt(String(await rpc("eth_call", [{ to, data }, "latest"])));
  const codeAt = async (account: Hex) => String(await rpc("eth_getCode", [account, "latest"])).toLowerCase() as Hex;
  const published = VAULT_CONTRACTS[terms.contractVersion];
  const [code, implementation, balance, allowance, block] = await Promise.all([
    codeAt(address),
    codeAt(published.implementation),
    callContract(terms.token, callData("balanceOf(address)", address)),
    callContract(terms.token, callData("allowance(address,address)", terms.owner, address)),
    rpc("eth_getBlockByNumber", ["latest", false]),
  ]);
  const time = Number((block as { timestamp: string }).timestamp);
  const common = { balance, allowance, time };
  if (code === "0x") return { ...common, code: "not_open", isRevoked: false, counts: null };
  if (code !== vaultCode(terms) || hashOf(implementation) !== published.implementationHash) {
    return { ...common, code: "other_code", isRevoked: false, counts: null };
  }
  const [funded, spent, released, isRevoked] = await Promise.all(
    ["funded()", "spent()", "released()", "isRevoked()"].map((signature) => callContract(address, callData(signature))),
  );
  const counts = { funded: funded ?? 0n, spent: spent ?? 0n, released: released ?? 0n };
  return { ...common, code: "open", isRevoked: isRevoked === 1n, counts };
}

/** A transaction with value 0. */
export type Action = { name: "revoke" | "withdraw" | "open" | "cancelAllowance"; what: string; to: Hex; data: Hex };

/**
 * Returns the transactions with which the owner ends a mandate and takes the money back without the service, from any wallet or explorer.
 *
 * @example
 * for (const { name, to, data } of ownerActions(vaultOf(file))) console.log(name, to, data);
 */
export function ownerActions({ address, terms }: Vault): readonly Action[] {
  const types = "address,address,address,address,uint48,uint48,uint32,uint96,uint96,uint96,bytes32,bytes32";
  const termValues = members(terms).map(([value]) => value);
  return [
    {
      name: "revoke",
      what: "Ends the mandate for good and returns the whole balance. Only the owner can send it.",
      to: address,
      data: callData("revoke()"),
    },
    {
      name: "withdraw",
      what: "Returns the whole balance. The mandate stays. After its end, or after a revocation, anybody can send it.",
      to: address,
      data: callData("withdraw()"),
    },
    {
      name: "open",
      what: "Opens the vault, if it is not open yet. Needed only to return money that was sent there before. Anybody can send it.",
      to: VAULT_CONTRACTS[terms.contractVersion].factory,
      data: callData(`open((${types}))`, ...termValues),
    },
    {
      name: "cancelAllowance",
      what: "Takes back the vault's permission to draw USDC from your wallet. Only the owner can send it.",
      to: terms.token,
      data: callData("approve(address,uint256)", address, 0),
    },
  ];
}

const RETURNED = hashOf(new TextEncoder().encode("Returned(uint256)"));

/**
 * Returns the atomic USDC that a mined transaction returned to the owner, from the `Returned` events of the vault.
 *
 * @example
 * const returned = returnedIn(vault, await client.getTransactionReceipt({ hash }));
 */
export function returnedIn({ address }: Vault, { logs }: { logs: readonly Log[] }): bigint {
  const returnLogs = logs.filter(
    (log) => log.address.toLowerCase() === address.toLowerCase() && log.topics[0] === RETURNED,
  );
  return returnLogs.reduce((sum, { data }) => sum + BigInt(data), 0n);
}
type Log = { address: string; topics: readonly string[]; data: string };

/**
 * Whether the mandate is revoked or past its end, so that anybody may send `withdraw`.
 *
 * @example
 * const state = await readVault(rpc, vault);
 * console.log(isOver(vault, state) ? "anybody can withdraw to the owner" : "only the owner can withdraw");
 */
export const isOver = ({ terms }: Vault, { isRevoked, time }: VaultState): boolean => isRevoked || time >= terms.end;
