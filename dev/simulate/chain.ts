import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
  parseEventLogs,
  publicActions,
  walletActions,
} from "viem";
import type { Address } from "@/lib/core/address";
import { VAULT_ABI } from "@/lib/vaults/contracts";
import { type Authorization, tokenDomain } from "@/lib/x402/authorization";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { TOKEN_ABI } from "@/lib/x402/token";
import { CODES, codeAddress, delegationTo } from "./codes";
import { installFactory } from "./wallet-factory";

const ABI = parseAbi([
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function mint(address to, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)",
]);

/** How an authorization ended on the chain. */
export type Fact = {
  end: "used" | "canceled";
  from: string;
  nonce: string;
  /** The payee of the transfer. */
  to: string | null;
  value: bigint | null;
  txHash: string;
  /** The sender of the transaction. */
  sender: string;
  block: bigint;
};
export type Transfer = { from: string; to: string; value: bigint };
export type Facts = { byKey: Map<string, Fact>; transfers: Transfer[] };

export const keyName = (from: string, nonce: string) => `${from.toLowerCase()} ${nonce.toLowerCase()}`;

/** A chain controlled by the simulation: blocks are mined only on demand. */
export type SimulatedChain = ReturnType<typeof ruleChain>;

// Of anvil's ten unlocked accounts, the last one mints and the others act as strangers.
const MINTER: Address = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720" as Address;
const STRANGERS: readonly Hex[] = [
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
];
/** A bid above all other transactions in a block. */
const FIRST = { gasPrice: 10n ** 13n };

/** Serialises calls: each starts after the previous one has settled. */
function oneByOne() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done;
    return done;
  };
}

/** `moved` runs after every change of the chain's blocks, before the caller continues. */
export function ruleChain(network: NetworkName, rpcUrl: string, moved: () => Promise<unknown> = async () => {}) {
  const client = createTestClient({
    mode: "anvil",
    transport: http(rpcUrl, { retryCount: 0, timeout: 30_000 }),
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);
  const usdc = NETWORKS[network].usdc;
  const raw = (method: string, params: unknown[]) =>
    // anvil methods that viem has no types for.
    client.request({ method, params } as never) as Promise<unknown>;
  let stranger = 0;
  const someone = () => STRANGERS[stranger++ % STRANGERS.length] as Hex;

  // Concurrent transactions would get the same nonce.
  const inTurn = oneByOne();
  // Mining during a reorganisation would leave a gap in anvil's chain: numbers without a block.
  const blocksInTurn = oneByOne();

  /** Submits a transaction to the pool. Rejections (a used nonce, a full pool) are expected. */
  const post = (to: Address, data: Hex, isFirst = true) =>
    inTurn(() =>
      raw("eth_sendTransaction", [
        { from: someone(), to, data, gas: "0x7a120", ...(isFirst && { gasPrice: `0x${FIRST.gasPrice.toString(16)}` }) },
      ]),
    );

  return {
    network,
    client,
    usdc,
    raw,
    async prepare(): Promise<void> {
      await raw("evm_setAutomine", [false]);
      for (const name of Object.keys(CODES) as (keyof typeof CODES)[]) {
        await client.setCode({ address: codeAddress(name), bytecode: CODES[name] });
      }
      await installFactory(client);
      for (const address of [...STRANGERS, MINTER]) await client.setBalance({ address, value: 10n ** 24n });
      await raw("anvil_mine", ["0x4"]);
    },
    async mine(blocks = 1): Promise<void> {
      await blocksInTurn(() => raw("anvil_mine", [`0x${blocks.toString(16)}`]));
      await moved();
    },
    mint: (to: string, value: bigint) =>
      inTurn(() =>
        client.writeContract({
          account: MINTER,
          chain: null,
          address: usdc,
          abi: ABI,
          functionName: "mint",
          args: [to as Hex, value],
          gas: 150_000n,
          ...FIRST,
        }),
      ),
    balanceOf: (account: string) =>
      client.readContract({ address: usdc, abi: ABI, functionName: "balanceOf", args: [account as Hex] }),
    head: () => client.getBlockNumber(),
    time: async () => Number((await client.getBlock()).timestamp),
    /**
     * Mines a block `seconds` after the later of the newest block and `since` (Unix seconds), without waking the servers. Fast
     * blocks put the chain's clock ahead, a slow machine puts it behind.
     */
    async pass(seconds: number, since: number): Promise<void> {
      await blocksInTurn(async () => {
        const newest = Number((await client.getBlock()).timestamp);
        const time = Math.max(newest + 1, Math.max(newest, since) + Math.round(seconds));
        await raw("evm_setNextBlockTimestamp", [time]);
        await raw("anvil_mine", ["0x1"]);
      });
    },
    /** Mines a block with the timestamp `time` (Unix seconds), without waking the servers. */
    async passTo(time: number): Promise<void> {
      await blocksInTurn(async () => {
        await raw("evm_setNextBlockTimestamp", [time]);
        await raw("anvil_mine", ["0x1"]);
      });
    },
    async reorganise(depth: number): Promise<void> {
      await blocksInTurn(() => raw("anvil_reorg", [depth, []]));
      await moved();
    },
    dropPool: () => raw("anvil_dropAllTransactions", []),
    baseFee: (wei: bigint) => raw("anvil_setNextBlockBaseFeePerGas", [`0x${wei.toString(16)}`]),
    /** Installs `code` as the account's own code or as its delegation (EIP-7702). */
    become: (account: string, code: keyof typeof CODES | null, isDelegated: boolean) =>
      client.setCode({
        address: account as Hex,
        bytecode: code === null ? "0x" : isDelegated ? delegationTo(code) : CODES[code],
      }),
    submitCall: (data: Hex, to: Address = usdc) => post(to, data),
    /** The state of a vault's contract; null before it is opened. */
    async vault(address: Address) {
      const code = await client.getCode({ address });
      if (code === undefined || code === "0x") return null;
      const read = <F extends "funded" | "spent" | "isRevoked">(functionName: F) =>
        client.readContract({ address, abi: VAULT_ABI, functionName });
      const [funded, spent, isRevoked] = await Promise.all([read("funded"), read("spent"), read("isRevoked")]);
      return { funded, spent, isRevoked };
    },
    async submit(a: Authorization, signature: Hex): Promise<void> {
      const args = [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature] as const;
      await post(usdc, encodeFunctionData({ abi: TOKEN_ABI, functionName: "transferWithAuthorization", args }));
    },
    async cancel(account: LocalAccount, nonce: Hex): Promise<void> {
      const signature = await account.signTypedData({
        domain: tokenDomain(network),
        types: {
          CancelAuthorization: [
            { name: "authorizer", type: "address" },
            { name: "nonce", type: "bytes32" },
          ],
        },
        primaryType: "CancelAuthorization",
        message: { authorizer: account.address, nonce },
      });
      const args = [account.address, nonce, signature] as const;
      await post(usdc, encodeFunctionData({ abi: ABI, functionName: "cancelAuthorization", args }));
    },
    /** All authorizations and transfers in the token's logs since a block. */
    async facts(fromBlock: bigint): Promise<Facts> {
      const found = await client.getLogs({ address: usdc, fromBlock, toBlock: "latest" });
      const logs = parseEventLogs({ abi: ABI, logs: found });
      const facts: Facts = { byKey: new Map(), transfers: [] };
      let open: Fact | null = null;
      for (const log of logs) {
        if (log.eventName === "Transfer") {
          const { from, to, value } = log.args;
          facts.transfers.push({ from: from.toLowerCase(), to: to.toLowerCase(), value });
          if (open?.txHash === log.transactionHash && open.from === from.toLowerCase()) {
            Object.assign(open, { to: to.toLowerCase(), value });
          }
          open = null;
          continue;
        }
        const { authorizer, nonce } = log.args;
        const fact: Fact = {
          end: log.eventName === "AuthorizationUsed" ? "used" : "canceled",
          from: authorizer.toLowerCase(),
          nonce,
          to: null,
          value: null,
          txHash: log.transactionHash,
          sender: "",
          block: log.blockNumber,
        };
        facts.byKey.set(keyName(authorizer, nonce), fact);
        open = fact.end === "used" ? fact : null;
      }
      const senders = new Map<string, string>();
      for (const fact of facts.byKey.values()) {
        const hash = fact.txHash as Hex;
        const sender = senders.get(hash) ?? (await client.getTransaction({ hash })).from.toLowerCase();
        senders.set(hash, sender);
        fact.sender = sender;
      }
      return facts;
    },
  };
}
