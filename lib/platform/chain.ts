import {
  BaseError,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  padHex,
  parseAbi,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { MULTICALL3, type Network } from "@/lib/x402/networks";
import { ERC1271_ABI, ERC1271_VALID, MULTICALL_ABI, TOKEN_ABI } from "@/lib/x402/token";
import { blockAt, logReader, presentBlock } from "./chain-logs";
import { answered, ChainUnavailable, foreign, isOfExecution, refusalOf, revertData, revertReason } from "./rpc-answers";
import { usesIn } from "./token-logs";

export { ChainUnavailable } from "./rpc-answers";

export type Block = { number: bigint; hash: Hex; time: Date };
export type Call = { to: Address; data: Hex };
export type CallResult = { ok: true; data: Hex } | { ok: false; reason: string };

/** An EIP-3009 authorization seen used in a transaction's logs, with the transfer it made (null when it made none). */
export type Use = { payer: Address; nonce: Hex; transfer: { to: Address; value: Usdc } | null };
export type Receipt = {
  hash: Hex;
  isSuccess: boolean;
  gasUsed: bigint;
  block: { number: bigint; hash: Hex };
  uses: Use[];
};
export type AuthorizationLog = {
  kind: "used" | "canceled";
  payer: Address;
  nonce: Hex;
  txHash: Hex;
  block: { number: bigint; hash: Hex };
};

/** The logs of the first blocks of a range, and the last block they reach: null when the node has not got it. */
export type LogPage = { logs: AuthorizationLog[]; last: Block | null };

/**
 * What a node said to a transaction. `unfunded`: its sender cannot pay the gas. `rejected` covers every other refusal, in
 * whatever words: it is not in the pool.
 */
export type SendResult = "accepted" | "known" | "nonce_too_low" | "underpriced" | "unfunded" | "rejected";
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
export type UnsignedTransaction = Fees & Call & { nonce: number; gas: bigint };

/** One network as the service sees it, through whichever of its nodes answers. Every method throws ChainUnavailable when the node gave no answer. */
export interface Chain {
  readonly network: Network;
  head(): Promise<Block>;
  block(number: bigint): Promise<Block | null>;
  /**
   * Reads from `from` on, as far as a node gives in one answer: providers limit how many blocks or logs that may be, each
   * in its own words. Logs and last block come from one node in one batch, so that a node that has not got the block
   * cannot answer with logs that are missing. `allLogs` reads a whole range.
   */
  authorizationLogs(range: { from: bigint; to: bigint }, key?: { payer: Address; nonce: Hex }): Promise<LogPage>;
  receipt(hash: Hex): Promise<Receipt | null>;
  /** Runs calls one after another on one state, each allowed to fail. */
  simulate(from: Address, calls: Call[], gas: bigint): Promise<CallResult[]>;
  /** Runs one call as a transaction's own, with at most `gas`. */
  simulateAlone(from: Address, call: Call, gas: bigint): Promise<CallResult>;
  balances(accounts: Address[]): Promise<Usdc[]>;
  nativeBalance(account: Address): Promise<bigint>;
  /** Which authorizations are spent as of the newest block: a spent one stays spent, and nodes forget old states. */
  authorizationStates(keys: { payer: Address; nonce: Hex }[]): Promise<boolean[]>;
  /** The code at each address; `0x` where there is none. */
  codes(accounts: Address[]): Promise<Hex[]>;
  /**
   * Whether the code at `account` accepts `signature` (EIP-1271), with a bound on the gas it may burn. Never true of an
   * account without code or of a precompile.
   */
  acceptsSignature(account: Address, digest: Hex, signature: Hex): Promise<boolean>;
  transactionCount(account: Address): Promise<number>;
  fees(): Promise<Fees>;
  signTransaction(privateKey: Hex, transaction: UnsignedTransaction): Promise<{ raw: Hex; hash: Hex }>;
  send(raw: Hex): Promise<SendResult>;
}

const ERC1271_GAS = 200_000n;
/** The whole answer: the magic value on the left, and nothing but zeros after it. */
const ERC1271_ANSWER = padHex(ERC1271_VALID, { dir: "right", size: 32 });
/** Precompiles answer any call. Ethereum's begin at 1, Base adds 0x100, and further ones would be low as well. */
const PRECOMPILE_MAX = 0xffffn;
const isPrecompile = (account: Address) => BigInt(account) <= PRECOMPILE_MAX;
const RPC_TIMEOUT_MS = 8_000;
const TOKEN_NAMES = parseAbi(["function name() view returns (string)", "function version() view returns (string)"]);

/** One node of a network, with what shows whether it is the right one. */
export type Node = Chain & {
  chainId(): Promise<number>;
  /** As `web3_clientVersion` says; null when the node does not tell. */
  clientVersion(): Promise<string | null>;
  /** What is at USDC's address; null where there is no such token. */
  token(): Promise<{ name: string; version: string } | null>;
};

/** One node over JSON-RPC. */
export function connectNode(network: Network, rpcUrl: string): Node {
  const client = createPublicClient({
    transport: http(rpcUrl, { batch: { wait: 0, batchSize: 200 }, timeout: RPC_TIMEOUT_MS, retryCount: 0 }),
    cacheTime: 0,
  });
  const token = { address: network.usdc, abi: TOKEN_ABI } as const;
  const readLogs = logReader(client, network);

  const codes: Chain["codes"] = (accounts) =>
    Promise.all(accounts.map(async (address) => (await foreign(client.getCode({ address }))) ?? "0x"));

  const simulate: Chain["simulate"] = async (from, calls, gas) => {
    if (calls.length === 0) return [];
    const data = encodeFunctionData({
      abi: MULTICALL_ABI,
      functionName: "aggregate3",
      args: [calls.map((call) => ({ target: call.to, allowFailure: true, callData: call.data }))],
    });
    const answer = await foreign(client.call({ account: from, to: MULTICALL3, data, gas }));
    const results = decodeFunctionResult({ abi: MULTICALL_ABI, functionName: "aggregate3", data: answer.data ?? "0x" });
    return results.map((result) =>
      result.success ? { ok: true, data: result.returnData } : { ok: false, reason: revertReason(result.returnData) },
    );
  };

  const simulateAlone: Chain["simulateAlone"] = async (from, call, gas) => {
    try {
      const answer = await foreign(client.call({ account: from, to: call.to, data: call.data, gas }));
      return { ok: true, data: answer.data ?? "0x" };
    } catch (thrown) {
      if (ChainUnavailable.is(thrown) || !(thrown instanceof BaseError)) throw thrown;
      const data = revertData(thrown);
      // Whatever else a node may say ("header not found", a limit) is no word of the contract's.
      if (data === "0x" && !isOfExecution(thrown.message)) {
        throw new ChainUnavailable("the node did not run the call", { cause: thrown, isOfCall: true });
      }
      return { ok: false, reason: revertReason(data) || thrown.shortMessage };
    }
  };

  return {
    network,
    simulate,
    simulateAlone,

    head: async () => presentBlock(await answered(client.getBlock({ blockTag: "latest" }))),

    block: (number) => answered(blockAt(client, number)),

    authorizationLogs: readLogs,

    receipt: async (hash) => {
      const receipt = await answered(client.request({ method: "eth_getTransactionReceipt", params: [hash] }));
      if (!receipt) return null;
      return {
        hash,
        isSuccess: receipt.status === "0x1",
        gasUsed: BigInt(receipt.gasUsed),
        block: { number: BigInt(receipt.blockNumber), hash: receipt.blockHash },
        uses: usesIn(receipt.logs.filter((log) => toAddress(log.address) === network.usdc)),
      };
    },

    balances: async (accounts) =>
      Promise.all(
        accounts.map(async (account) =>
          toUsdc(await answered(client.readContract({ ...token, functionName: "balanceOf", args: [account] }))),
        ),
      ),

    nativeBalance: (account) => answered(client.getBalance({ address: account })),

    authorizationStates: (keys) =>
      Promise.all(
        keys.map((key) =>
          answered(
            client.readContract({
              ...token,
              functionName: "authorizationState",
              args: [key.payer, key.nonce],
            }),
          ),
        ),
      ),

    codes,

    acceptsSignature: async (account, digest, signature) => {
      if (isPrecompile(account) || (await codes([account]))[0] === "0x") return false;
      const data = encodeFunctionData({
        abi: ERC1271_ABI,
        functionName: "isValidSignature",
        args: [digest, signature],
      });
      const result = await simulateAlone(account, { to: account, data }, ERC1271_GAS);
      return result.ok && result.data === ERC1271_ANSWER;
    },

    transactionCount: (address) => answered(client.getTransactionCount({ address, blockTag: "latest" })),

    fees: async () => {
      const block = await answered(client.getBlock({ blockTag: "latest" }));
      const tip = 1_000_000n;
      return { maxFeePerGas: 2n * (block.baseFeePerGas ?? 0n) + tip, maxPriorityFeePerGas: tip };
    },

    chainId: () => answered(client.getChainId()),

    clientVersion: async () => {
      try {
        return await foreign(client.request({ method: "web3_clientVersion" }));
      } catch (thrown) {
        if (ChainUnavailable.is(thrown)) throw thrown;
        // Providers may keep it to themselves.
        return null;
      }
    },

    token: async () => {
      const code = await answered(client.getCode({ address: network.usdc }));
      if (code === undefined || code === "0x") return null;
      try {
        const read = (functionName: "name" | "version") =>
          foreign(client.readContract({ address: network.usdc, abi: TOKEN_NAMES, functionName }));
        const [name, version] = await Promise.all([read("name"), read("version")]);
        return { name, version };
      } catch (thrown) {
        if (ChainUnavailable.is(thrown)) throw thrown;
        return null;
      }
    },

    signTransaction: (privateKey, transaction) => signTransaction(network, privateKey, transaction),

    send: async (raw) => {
      try {
        await client.sendRawTransaction({ serializedTransaction: raw });
        return "accepted";
      } catch (thrown) {
        const refusal = refusalOf(thrown);
        return refusal ?? foreign(Promise.reject(thrown));
      }
    },
  };
}

/** Signed in this process: no node sees the key. */
export async function signTransaction(
  { chainId }: Network,
  privateKey: Hex,
  { to, data, gas, nonce, maxFeePerGas, maxPriorityFeePerGas }: UnsignedTransaction,
): Promise<{ raw: Hex; hash: Hex }> {
  const raw = await privateKeyToAccount(privateKey).signTransaction({
    type: "eip1559",
    chainId,
    to,
    data,
    gas,
    nonce,
    maxFeePerGas,
    maxPriorityFeePerGas,
  });
  return { raw, hash: keccak256(raw) };
}
