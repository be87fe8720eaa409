import { parseArgs } from "node:util";
import { parseUrl } from "@tessera/x402/url";
import {
  BaseError,
  type Client,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  type Hex,
  http,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { ADDRESS, type Address, toAddress } from "@/lib/core/address";
import type { System } from "@/lib/platform/context";
import { walletAt } from "@/lib/wallets/service";
import { closeSystem, system } from "@/lib/wiring";
import { NETWORK_NAMES, NETWORKS } from "@/lib/x402/networks";

const USAGE = `npm run recover -- --network-rpc <url> --wallet <0x…> [--token <0x…>] [--send]

Shows what is at a spending wallet's address on another network. With --send, sends it to the address that its owner signs in with,
and nowhere else: all of --token, or all ETH without it.`;

/** An account without code. */
const PLAIN_GAS = 21_000n;
const TOKEN_GAS = 300_000n;
const WAIT_MS = 180_000;

export type RecoverOptions = { rpcUrl: string; wallet: Address; token: Address | null; isSent: boolean };

/**
 * Moves what was sent to a spending wallet's address on a network that the service does not serve. The operator has the keys anyway, so
 * no signature of the owner is asked for; the recorded address is the only one that anything goes to. Returns lines for the terminal.
 */
export async function recover(app: System, { rpcUrl, wallet: at, token, isSent }: RecoverOptions): Promise<string[]> {
  const stored = await walletAt(app.db, at);
  if (!stored) throw new Error(`${at} is not the address of a spending wallet in this database`);
  const { wallet, ownerAddress: to } = stored;
  const client = createPublicClient({ transport: http(rpcUrl) });
  const chainId = await client.getChainId();
  const served = NETWORK_NAMES.find((name) => NETWORKS[name].chainId === chainId);
  if (served) throw new Error(`${NETWORKS[served].label} is served: its owner sends it back on the wallet's page`);
  await assertSameAccount(app, client, to);
  const asset = token === null ? await etherAt(client, at) : await tokenAt(client, token, at);
  const sum = `${formatUnits(asset.amount, asset.decimals)} ${asset.symbol}`;
  const found = `${at} has ${sum} on chain ${chainId}. Its owner signs in with ${to}`;
  if (asset.amount === 0n) return [found];
  const fees = await client.estimateFeesPerGas();
  const gas = token === null ? PLAIN_GAS : TOKEN_GAS;
  // Twice: some networks charge for publishing, too.
  const cost = gas * fees.maxFeePerGas * 2n;
  const ether = token === null ? asset.amount : await client.getBalance({ address: at });
  if (ether < (token === null ? cost + 1n : cost))
    return [
      found,
      `There is too little to pay the gas: send ${formatUnits(cost - ether, 18)} of the network's coin to ${at} first`,
    ];
  const value = token === null ? asset.amount - cost : 0n;
  const data = token && encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, asset.amount] });
  const call = { to: token ?? to, value, ...(data && { data }) };
  const refusal = await refusalOf(client.call({ account: at, ...call, gas }));
  if (refusal) return [found, `The chain refuses the transfer: ${refusal}. Nothing was sent`];
  const moved = token === null ? `${formatUnits(value, 18)} ${asset.symbol}` : sum;
  if (!isSent) return [found, `Nothing was sent. With --send, ${moved} goes to ${to}`];
  const account = privateKeyToAccount(app.vault.open(wallet.sealedKey, wallet.id) as Hex);
  const nonce = await client.getTransactionCount({ address: at, blockTag: "pending" });
  const raw = await account.signTransaction({ ...call, ...fees, type: "eip1559", chainId, gas, nonce });
  const before = await balanceOf(client, token, to);
  const hash = await client.sendRawTransaction({ serializedTransaction: raw });
  const receipt = await client.waitForTransactionReceipt({ hash, timeout: WAIT_MS });
  if (receipt.status !== "success") return [found, `The transaction ${hash} failed: only gas was spent`];
  const rise = (await balanceOf(client, token, to)) - before;
  return rise > 0n
    ? [found, `Sent in ${hash}: ${to} has ${formatUnits(rise, asset.decimals)} ${asset.symbol} more`]
    : [found, `The transaction ${hash} went through, but the balance of ${to} does not show that anything arrived`];
}

type Asset = { amount: bigint; symbol: string; decimals: number };
type PublicClient = Client & ReturnType<typeof createPublicClient>;

/** An owner with a smart account may not control its address elsewhere: what is sent there could be lost. */
async function assertSameAccount(app: System, client: PublicClient, owner: Address): Promise<void> {
  const code = (await client.getCode({ address: owner })) ?? "0x";
  for (const name of NETWORK_NAMES) {
    const [home = "0x"] = await app.chains[name].codes([owner]);
    if (home !== "0x" && home !== code)
      throw new Error(
        `${owner} is a contract on ${NETWORKS[name].label} and not the same one here: its owner may not control it`,
      );
  }
}

const etherAt = async (client: PublicClient, account: Address): Promise<Asset> => ({
  amount: await client.getBalance({ address: account }),
  symbol: "of the network's coin",
  decimals: 18,
});

async function tokenAt(client: PublicClient, token: Address, account: Address): Promise<Asset> {
  const contract = { address: token, abi: erc20Abi } as const;
  const amount = await client.readContract({ ...contract, functionName: "balanceOf", args: [account] });
  // Without decimals, sums are in the token's smallest units.
  const decimals = await client.readContract({ ...contract, functionName: "decimals" }).catch(() => 0);
  return { amount, symbol: `of the token ${token}`, decimals };
}

/** Null if the call would work. */
async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof BaseError) return error.shortMessage;
    throw error;
  }
}

const balanceOf = (client: PublicClient, token: Address | null, account: Address): Promise<bigint> =>
  token === null
    ? client.getBalance({ address: account })
    : client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [account] });

function optionsIn(args: string[]): RecoverOptions | null {
  const text = { type: "string" } as const;
  const options = { "network-rpc": text, wallet: text, token: text, send: { type: "boolean" } } as const;
  const { values } = parseArgs({ args, options });
  const { "network-rpc": rpcUrl, wallet, token, send: isSent = false } = values;
  const areAddresses = ADDRESS.test(wallet ?? "") && (token === undefined || ADDRESS.test(token));
  if (rpcUrl === undefined || wallet === undefined || !parseUrl(rpcUrl) || !areAddresses) return null;
  return { rpcUrl, wallet: toAddress(wallet), token: token === undefined ? null : toAddress(token), isSent };
}

/** `npm run recover` */
if (import.meta.filename === process.argv[1]) {
  const options = optionsIn(process.argv.slice(2));
  const lines = options ? await recover(system(), options).finally(closeSystem) : [USAGE];
  for (const line of lines) console.log(line);
}
