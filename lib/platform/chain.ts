import {
  BaseError,
  createPublicClient,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  HttpRequestError,
  http,
  keccak256,
  padHex,
  parseAbi,
  RpcRequestError,
  TimeoutError,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { BrandedError, hasBrand } from "@/lib/core/brand";
import { toUsdc, type Usdc } from "@/lib/core/money";
import { fromUnixSeconds } from "@/lib/core/time";
import { MULTICALL3, type Network } from "@/lib/x402/networks";
import { ERC1271_ABI, ERC1271_VALID, MULTICALL_ABI, TOKEN_ABI } from "@/lib/x402/token";

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

/** What a node said to a transaction. `rejected` covers every other refusal: it is not in the pool. */
export type SendResult = "accepted" | "known" | "nonce_too_low" | "underpriced" | "rejected";
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
export type UnsignedTransaction = Fees & Call & { nonce: number; gas: bigint };

/** One network as the service sees it. Every method throws ChainUnavailable when the node gave no answer. */
export interface Chain {
  readonly network: Network;
  head(): Promise<Block>;
  block(number: bigint): Promise<Block | null>;
  authorizationLogs(
    range: { from: bigint; to: bigint },
    key?: { payer: Address; nonce: Hex },
  ): Promise<AuthorizationLog[]>;
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

export class ChainUnavailable extends BrandedError {
  static is = (thrown: unknown): thrown is ChainUnavailable => hasBrand(thrown, "ChainUnavailable");

  constructor(message: string, options?: ErrorOptions) {
    super("ChainUnavailable", message, options);
  }
}

const EXECUTION_FAILED = /revert|out of ?gas|invalid (opcode|jump)|stack (over|under)flow|EVM error/i;
const ERC1271_GAS = 200_000n;
/** The whole answer: the magic value on the left, and nothing but zeros after it. */
const ERC1271_ANSWER = padHex(ERC1271_VALID, { dir: "right", size: 32 });
/** Precompiles answer any call. Ethereum's begin at 1, Base adds 0x100, and further ones would be low as well. */
const PRECOMPILE_MAX = 0xffffn;
const isPrecompile = (account: Address) => BigInt(account) <= PRECOMPILE_MAX;
const RPC_TIMEOUT_MS = 8_000;
const [usedEvent, canceledEvent] = TOKEN_ABI;
const ERROR_ABI = parseAbi(["error Error(string)", "error Panic(uint256)"]);

/** A network over JSON-RPC. */
export function connectChain(network: Network, rpcUrl: string): Chain {
  const client = createPublicClient({
    transport: http(rpcUrl, { batch: { wait: 0, batchSize: 200 }, timeout: RPC_TIMEOUT_MS, retryCount: 0 }),
    cacheTime: 0,
  });
  const token = { address: network.usdc, abi: TOKEN_ABI } as const;

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
      if (data === "0x" && !EXECUTION_FAILED.test(thrown.message)) {
        throw new ChainUnavailable("the node did not run the call", { cause: thrown });
      }
      return { ok: false, reason: revertReason(data) || thrown.shortMessage };
    }
  };

  return {
    network,
    simulate,
    simulateAlone,

    head: async () => presentBlock(await foreign(client.getBlock({ blockTag: "latest" }))),

    block: async (number) => {
      const block = await foreign(
        client.request({ method: "eth_getBlockByNumber", params: [`0x${number.toString(16)}`, false] }),
      );
      if (!block?.hash || block.number === null) return null;
      return presentBlock({ number: BigInt(block.number), hash: block.hash, timestamp: BigInt(block.timestamp) });
    },

    authorizationLogs: async ({ from, to }, key) => {
      const range = { address: network.usdc, fromBlock: from, toBlock: to };
      const logs = key
        ? (
            await Promise.all(
              [usedEvent, canceledEvent].map((event) =>
                foreign(client.getLogs({ ...range, event, args: { authorizer: key.payer, nonce: key.nonce } })),
              ),
            )
          ).flat()
        : await foreign(client.getLogs({ ...range, events: [usedEvent, canceledEvent] }));
      return logs.map((log) => ({
        kind: log.eventName === "AuthorizationUsed" ? "used" : "canceled",
        payer: toAddress(log.args.authorizer ?? ""),
        nonce: log.args.nonce ?? "0x",
        txHash: log.transactionHash,
        block: { number: log.blockNumber, hash: log.blockHash },
      }));
    },

    receipt: async (hash) => {
      const receipt = await foreign(client.request({ method: "eth_getTransactionReceipt", params: [hash] }));
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
          toUsdc(await foreign(client.readContract({ ...token, functionName: "balanceOf", args: [account] }))),
        ),
      ),

    nativeBalance: (account) => foreign(client.getBalance({ address: account })),

    authorizationStates: (keys) =>
      Promise.all(
        keys.map((key) =>
          foreign(
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

    transactionCount: (address) => foreign(client.getTransactionCount({ address, blockTag: "latest" })),

    fees: async () => {
      const block = await foreign(client.getBlock({ blockTag: "latest" }));
      const tip = 1_000_000n;
      return { maxFeePerGas: 2n * (block.baseFeePerGas ?? 0n) + tip, maxPriorityFeePerGas: tip };
    },

    signTransaction: async (privateKey, { to, data, gas, nonce, maxFeePerGas, maxPriorityFeePerGas }) => {
      const raw = await privateKeyToAccount(privateKey).signTransaction({
        type: "eip1559",
        chainId: network.chainId,
        to,
        data,
        gas,
        nonce,
        maxFeePerGas,
        maxPriorityFeePerGas,
      });
      return { raw, hash: keccak256(raw) };
    },

    send: async (raw) => {
      try {
        await foreign(client.sendRawTransaction({ serializedTransaction: raw }));
        return "accepted";
      } catch (thrown) {
        if (ChainUnavailable.is(thrown) || !(thrown instanceof BaseError)) throw thrown;
        return refusal(thrown.message);
      }
    },
  };
}

/** Tells a node that did not answer from one that answered no. */
async function foreign<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (thrown) {
    const silent =
      thrown instanceof BaseError &&
      thrown.walk((e) => e instanceof HttpRequestError || e instanceof TimeoutError || isOverload(e)) !== null;
    if (silent) throw new ChainUnavailable("the node did not answer", { cause: thrown });
    throw thrown;
  }
}

/** -32005 is "limit exceeded" (EIP-1474): the node is there, but this was no answer. */
const isOverload = (error: unknown) => error instanceof RpcRequestError && error.code === -32005;

const REFUSALS: [RegExp, SendResult][] = [
  [/already known|already imported|known transaction/i, "known"],
  [/nonce too low|nonce is too low|lower than the current nonce|OldNonce/i, "nonce_too_low"],
  [/underpriced|fee too low|max fee per gas less than block base fee/i, "underpriced"],
];

const refusal = (message: string): SendResult => REFUSALS.find(([pattern]) => pattern.test(message))?.[1] ?? "rejected";

const presentBlock = (block: { number: bigint; hash: Hex; timestamp: bigint }): Block => ({
  number: block.number,
  hash: block.hash,
  time: fromUnixSeconds(Number(block.timestamp)),
});

/**
 * Pairs each AuthorizationUsed with the Transfer the token made for it: the next one from the same account before any
 * other use. An authorization that is used without a transfer pays nobody.
 */
export function usesIn(logs: { topics: readonly Hex[]; data: Hex }[]): Use[] {
  const uses: Use[] = [];
  let open: Use | undefined;
  for (const log of logs) {
    const event = decodeTokenLog(log);
    if (event?.eventName === "AuthorizationUsed") {
      open = { payer: toAddress(event.args.authorizer), nonce: event.args.nonce, transfer: null };
      uses.push(open);
    } else if (event?.eventName === "Transfer" && open && toAddress(event.args.from) === open.payer) {
      open.transfer = { to: toAddress(event.args.to), value: toUsdc(event.args.value) };
      open = undefined;
    }
  }
  return uses;
}

function decodeTokenLog(log: { topics: readonly Hex[]; data: Hex }) {
  try {
    return decodeEventLog({ abi: TOKEN_ABI, topics: log.topics as [Hex, ...Hex[]], data: log.data });
  } catch {
    // Another event of the token (Approval, Mint): not ours to read.
    return null;
  }
}

/** The text of a revert, or its raw bytes when it has none. */
export function revertReason(data: Hex): string {
  try {
    const error = decodeErrorResult({ abi: ERROR_ABI, data });
    return String(error.args[0]);
  } catch {
    // A custom error or an empty revert: its raw bytes are the most that can be said.
    return data === "0x" ? "" : data;
  }
}

function revertData(error: BaseError): Hex {
  const found = error.walk((e) => typeof e === "object" && e !== null && "data" in e && typeof e.data === "string");
  return found && "data" in found ? (found.data as Hex) : "0x";
}
