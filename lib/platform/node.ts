import {
  BaseError,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  parseAbi,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { toUsdc } from "@/lib/core/money";
import { MULTICALL3, type Network } from "@/lib/x402/networks";
import { ERC1271_ABI, ERC1271_ANSWER, MULTICALL_ABI, TOKEN_ABI } from "@/lib/x402/token";
import { type Call, type CallResult, type Chain, ChainUnavailable, TIP, type UnsignedTransaction } from "./chain";
import { blockAt, logReader, toBlock, usesIn } from "./chain-logs";
import { answered, EXECUTION_FAILED, failureOf, feeOf, foreign, refusalOf, revertReason } from "./rpc-answers";

const ERC1271_GAS = 200_000n;
/** Precompiles answer any call. Ethereum's start at address 1, Base adds 0x100, and new ones would have low addresses too. */
const PRECOMPILE_MAX = 0xffffn;
const RPC_TIMEOUT_MS = 8_000;
const TOKEN_NAMES = parseAbi(["function name() view returns (string)", "function version() view returns (string)"]);

/** One node of a network, with the calls that identify it. */
export type Node = Chain & {
  chainId(): Promise<number>;
  /** From `web3_clientVersion`; null when the node does not report it. */
  clientVersion(): Promise<string | null>;
  /** The token at USDC's address; null when there is none. */
  token(): Promise<{ name: string; version: string } | null>;
};

/** One node over JSON-RPC. */
export function connectNode(network: Network, rpcUrl: string): Node {
  const client = createPublicClient({
    transport: http(rpcUrl, { batch: { wait: 0, batchSize: 200 }, timeout: RPC_TIMEOUT_MS, retryCount: 0 }),
    cacheTime: 0,
  });
  const token = { address: network.usdc, abi: TOKEN_ABI } as const;
  const usedCall = ({ payer, nonce }: { payer: Address; nonce: Hex }) =>
    ({ ...token, functionName: "authorizationState", args: [payer, nonce] }) as const;

  const codes: Chain["codes"] = (accounts) =>
    Promise.all(accounts.map(async (address) => (await foreign(client.getCode({ address }))) ?? "0x"));

  const simulateAlone: Chain["simulateAlone"] = async (from, call, gas) => {
    try {
      const result = await foreign(client.call({ account: from, ...call, gas }));
      return { ok: true, data: result.data ?? "0x" };
    } catch (error) {
      if (error instanceof ChainUnavailable || !(error instanceof BaseError)) throw error;
      const revertError = error.walk(
        (e) => typeof e === "object" && e !== null && "data" in e && typeof e.data === "string",
      );
      const data = revertError && "data" in revertError ? (revertError.data as Hex) : "0x";
      // Other node errors ("header not found", a limit) are not the contract's result.
      if (data === "0x" && !EXECUTION_FAILED.test(error.message)) {
        throw new ChainUnavailable("the node did not run the call", { cause: error, isOfCall: true });
      }
      return { ok: false, reason: revertReason(data) || error.shortMessage };
    }
  };

  const wasUsed: Chain["wasUsed"] = async (key, blockNumber) => {
    try {
      return await client.readContract({ ...usedCall(key), blockNumber });
    } catch (error) {
      // Most nodes keep the states of the newest blocks only.
      if (failureOf(error) === "refused") return null;
      return answered(Promise.reject(error));
    }
  };

  return {
    network,
    simulateAlone,
    wasUsed,

    // Null (the node lacks the state) counts as unused: a second lookup would only repeat the first result.
    confirmUnused: (keys, { number }) => Promise.all(keys.map(async (key) => (await wasUsed(key, number)) !== true)),

    head: async () => toBlock(await answered(client.getBlock({ blockTag: "latest" }))),

    headNumber: () => answered(client.getBlockNumber()),

    block: (number) => answered(blockAt(client, number)),

    ...logReader(client, network),

    simulate: async (from, calls, gas) => {
      if (calls.length === 0) return [];
      return resultsOf(await foreign(client.call({ account: from, to: MULTICALL3, data: together(calls), gas })));
    },

    receipt: async (hash) => {
      const receipt = await answered(client.request({ method: "eth_getTransactionReceipt", params: [hash] }));
      if (!receipt) return null;
      return {
        hash,
        isSuccess: receipt.status === "0x1",
        gasUsed: BigInt(receipt.gasUsed),
        feeWei: feeOf(receipt),
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

    authorizationStates: (keys) => Promise.all(keys.map((key) => answered(client.readContract(usedCall(key))))),

    readAt: async (calls, blockNumber) => {
      if (calls.length === 0) return [];
      try {
        return resultsOf(await client.call({ to: MULTICALL3, data: together(calls), blockNumber }));
      } catch (error) {
        // Most nodes keep the states of the newest blocks only.
        if (failureOf(error) === "refused") return null;
        return answered(Promise.reject(error));
      }
    },

    codes,

    acceptsSignature: async (account, digest, signature) => {
      if (BigInt(account) <= PRECOMPILE_MAX || (await codes([account]))[0] === "0x") return false;
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
      return { maxFeePerGas: 2n * (block.baseFeePerGas ?? 0n) + TIP, maxPriorityFeePerGas: TIP };
    },

    chainId: () => answered(client.getChainId()),

    clientVersion: async () => {
      try {
        return await foreign(client.request({ method: "web3_clientVersion" }));
      } catch (error) {
        if (error instanceof ChainUnavailable) throw error;
        // Providers may disable this method.
        return null;
      }
    },

    token: async () => {
      const code = await answered(client.getCode({ address: network.usdc }));
      if (code === undefined || code === "0x") return null;
      try {
        const readField = (functionName: "name" | "version") =>
          foreign(client.readContract({ address: network.usdc, abi: TOKEN_NAMES, functionName }));
        const [name, version] = await Promise.all([readField("name"), readField("version")]);
        return { name, version };
      } catch (error) {
        if (error instanceof ChainUnavailable) throw error;
        return null;
      }
    },

    signTransaction: (privateKey, transaction) => signTransaction(network, privateKey, transaction),

    send: async (raw) => {
      try {
        await client.sendRawTransaction({ serializedTransaction: raw });
        return "accepted";
      } catch (error) {
        const refusal = refusalOf(error);
        return refusal ?? foreign(Promise.reject(error));
      }
    },
  };
}

/** Encodes all calls as one call of Multicall3. */
const together = (calls: readonly Call[]): Hex =>
  encodeFunctionData({
    abi: MULTICALL_ABI,
    functionName: "aggregate3",
    args: [calls.map((call) => ({ target: call.to, allowFailure: true, callData: call.data }))],
  });

function resultsOf({ data = "0x" }: { data?: Hex | undefined }): CallResult[] {
  const results = decodeFunctionResult({ abi: MULTICALL_ABI, functionName: "aggregate3", data });
  return results.map((result) =>
    result.success ? { ok: true, data: result.returnData } : { ok: false, reason: revertReason(result.returnData) },
  );
}

/** Signs in this process: no node sees the key. */
export async function signTransaction(
  { chainId }: Network,
  privateKey: Hex,
  { to, data, gas, nonce, maxFeePerGas, maxPriorityFeePerGas, value }: UnsignedTransaction,
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
    ...(value !== undefined && { value }),
  });
  return { raw, hash: keccak256(raw) };
}
