import { createInterface } from "node:readline/promises";
import { concat, createPublicClient, formatEther, type Hex, http, keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Address, toAddress } from "@/lib/core/address";
import { readConfig } from "@/lib/platform/config";
import { type Db, openDatabase } from "@/lib/platform/db";
import { SETTLER, SETTLER_BYTECODE, SETTLER_CODE, SETTLER_SALT } from "@/lib/settlements/relayer/settler";
import { relayer, takeNonce } from "@/lib/settlements/relayer/store";
import { NEWEST_VERSION, VAULT_CONTRACTS } from "@/lib/vaults/contracts";
import { CREATE2_DEPLOYER, NETWORK_NAMES, NETWORKS, type NetworkName, networkNamed } from "@/lib/x402/networks";

const USAGE = `npm run contracts:deploy -- --network <${NETWORK_NAMES.join("|")}> [--yes]`;
const WAIT_MS = 120_000;

type DeploymentResult = { address: Address; hash: Hex | null };
type DeploymentOptions = {
  rpcUrl: string;
  network: NetworkName;
  key: Hex;
  /** Confirms the cost; false stops the deployment. */
  agrees: (cost: string) => Promise<boolean>;
  /** The nonce to use; null to use the chain's transaction count. */
  nonce: (signer: Address) => Promise<number | null>;
};

/** A deployment through the CREATE2 deployer. */
export type Deployment = {
  name: string;
  data: Hex;
  /** The contracts that exist afterwards. `data` creates the first one. */
  contracts: readonly [Code, ...Code[]];
};
type Code = { address: Address; code: Hex };

export const SETTLER_DEPLOYMENT: Deployment = {
  name: "settler",
  data: concat([SETTLER_SALT, SETTLER_BYTECODE]),
  contracts: [{ address: SETTLER, code: SETTLER_CODE }],
};
const { factory, implementation, deployment } = VAULT_CONTRACTS[NEWEST_VERSION];
export const VAULTS_DEPLOYMENT: Deployment = {
  name: factory.name,
  data: deployment,
  contracts: [factory, implementation],
};

/**
 * Deploys to the address that the code determines, unless it is already there, and verifies the code of all contracts. `hash` is
 * null if nothing was sent. Throws if the node serves another network or a prerequisite is missing.
 */
export async function deploy(
  { name, data, contracts }: Deployment,
  { rpcUrl, network, key, agrees, nonce }: DeploymentOptions,
): Promise<DeploymentResult | null> {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const { chainId, label } = NETWORKS[network];
  const nodeChainId = await client.getChainId();
  if (nodeChainId !== chainId) throw new Error(`the node is on chain ${nodeChainId}, but ${label} is chain ${chainId}`);
  const isThere = async () => {
    const codes = await Promise.all(contracts.map(({ address }) => client.getCode({ address })));
    contracts.forEach(({ address, code }, index) => {
      const deployedCode = codes[index];
      if (deployedCode && keccak256(deployedCode) !== keccak256(code))
        throw new Error(`${address} has unexpected code`);
    });
    return codes.every((deployedCode) => deployedCode !== undefined);
  };
  const [{ address }] = contracts;
  if (await isThere()) return { address, hash: null };
  if (!(await client.getCode({ address: CREATE2_DEPLOYER }))) {
    throw new Error(`the CREATE2 deployer is not at ${CREATE2_DEPLOYER}`);
  }
  const account = privateKeyToAccount(key);
  const call = { to: CREATE2_DEPLOYER, data };
  const [gas, fees, balance] = await Promise.all([
    client.estimateGas({ account, ...call }),
    client.estimateFeesPerGas(),
    client.getBalance({ address: account.address }),
  ]);
  const most = gas * fees.maxFeePerGas;
  const text = `${label}, ${name}: ${gas} gas, at most ${formatEther(most)} ETH of the ${formatEther(balance)} ETH of ${account.address}`;
  if (balance < most) throw new Error(`not enough to deploy. ${text}`);
  if (!(await agrees(text))) return null;
  const reservedNonce = await nonce(toAddress(account.address));
  const transaction = {
    ...call,
    ...fees,
    type: "eip1559" as const,
    chainId,
    gas,
    nonce: reservedNonce ?? (await client.getTransactionCount({ address: account.address })),
  };
  const hash = await client.sendRawTransaction({ serializedTransaction: await account.signTransaction(transaction) });
  await client.waitForTransactionReceipt({ hash, timeout: WAIT_MS });
  if (!(await isThere())) throw new Error(`${hash} was mined, but the ${name} is not at ${address}`);
  return { address, hash };
}

/** If the service counts nonces for this key, reserves the next one, so that the service does not use the same nonce. */
export async function nonceOf(db: Db, network: NetworkName, signer: Address): Promise<number | null> {
  for (;;) {
    const counted = await relayer(db, network, signer);
    if (!counted) return null;
    const key = { network, signer, nonce: counted.nextNonce };
    if (await db.transaction((tx) => takeNonce(tx, key))) return counted.nextNonce;
  }
}

async function confirmCost(cost: string): Promise<boolean> {
  console.log(cost);
  if (process.argv.includes("--yes")) return true;
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const confirmation = await terminal.question("Deploy? (yes) ").finally(() => terminal.close());
  return confirmation.trim() === "yes";
}

/** `npm run contracts:deploy` */
async function run(): Promise<void> {
  const network = networkNamed(process.argv[process.argv.indexOf("--network") + 1] ?? "")?.name;
  if (!process.argv.includes("--network") || !network) throw new Error(USAGE);
  const config = readConfig(process.env);
  const database = openDatabase(config.directUrl, 2);
  const [rpcUrl] = config.rpcUrls[network];
  const [key] = config.relayerKeys;
  try {
    for (const deployment of [SETTLER_DEPLOYMENT, VAULTS_DEPLOYMENT]) {
      const done = await deploy(deployment, {
        rpcUrl,
        network,
        key,
        agrees: confirmCost,
        nonce: (signer) => nonceOf(database.db, network, signer),
      });
      if (!done) throw new Error(`the ${deployment.name} was not deployed: answer yes, or pass --yes`);
      const outcome = done.hash ? `deployed by ${done.hash}` : "already there, with the right code";
      console.log(`${deployment.name} at ${done.address}: ${outcome}`);
    }
  } finally {
    await database.close();
  }
}

if (import.meta.filename === process.argv[1]) {
  await run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
