import { randomBytes } from "node:crypto";
import { encodeFunctionData, type Hex, serializeErc6492Signature } from "viem";
import artifacts from "@/dev/token/artifacts.json";
import { type Address, toAddress } from "@/lib/core/address";
import type { World } from "./world";

/** Deploys a contract account (ERC-1271) on Base that accepts the signatures of `keyHolder`. */
export const deployWallet = (
  world: World,
  keyHolder: string,
  name: "TestWallet1271" | "GasBurningWallet1271" = "TestWallet1271",
): Promise<Address> => deploy(world, name, [keyHolder]);

/** Code for accounts to delegate to: it accepts every signature while it is simulated, and burns all gas in a transaction. */
export const deployTurncoat = (world: World): Promise<Address> => deploy(world, "TurncoatWallet", []);

/** In the order of `Mode` in dev/token/StrayToken.sol. */
const MODES = ["honest", "silent", "fee", "reverts", "says_false", "lies", "burns_gas", "burns_on_chain"] as const;
export type StrayMode = (typeof MODES)[number];

/** Deploys a token of 18 decimals whose transfer misbehaves as `mode` says. */
export const deployStray = (world: World, mode: StrayMode, symbol = "STRAY"): Promise<Address> =>
  deploy(world, "StrayToken", [MODES.indexOf(mode), symbol]);

/** Gives `account` of a stray token. */
export async function mintStray(world: World, token: Address, account: string, amount: bigint): Promise<void> {
  const client = world.client("base");
  const { abi } = artifacts.StrayToken;
  const call = { account: world.accounts[0]?.address ?? "0x", chain: null, address: token, abi } as const;
  const hash = await client.writeContract({ ...call, functionName: "mint", args: [account, amount] });
  await client.waitForTransactionReceipt({ hash });
}

/** Deploys a factory of contract accounts (CREATE2): see dev/token/TestWalletFactory.sol. */
export const deployFactory = (world: World): Promise<Address> => deploy(world, "TestWalletFactory", []);

type Creation = "create" | "createFickle" | "createWhileOpen";

/** A wallet of `keyHolder` that `factory` has not deployed yet, and the wrapper of its signatures (ERC-6492). */
export async function undeployedWallet(
  world: World,
  factory: Address,
  keyHolder: string,
  creation: Creation = "create",
) {
  const { abi } = artifacts.TestWalletFactory;
  const salt: Hex = `0x${randomBytes(32).toString("hex")}`;
  const args = [keyHolder, salt];
  const functionName = creation === "createFickle" ? "fickleWalletOf" : "walletOf";
  const data = encodeFunctionData({ abi, functionName, args });
  const result = await world.client("base").call({ to: factory, data });
  const wallet = toAddress(`0x${result.data?.slice(-40)}`);
  const creationData = encodeFunctionData({ abi, functionName: creation, args });
  const wrap = (signature: Hex, change: { address?: Hex; data?: Hex } = {}): Hex =>
    serializeErc6492Signature({ address: factory, data: creationData, signature, ...change });
  return { wallet, salt, creationData, wrap };
}

/** Calls the factory from the first account, at a high fee: ahead of what waits. */
export async function callFactory(world: World, factory: Address, data: Hex): Promise<void> {
  const client = world.client("base");
  const account = world.accounts[0]?.address ?? "0x";
  const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n };
  await client.sendTransaction({ account, chain: null, to: factory, data, gas: 1_000_000n, ...fees });
}

export const closeFactory = (world: World, factory: Address, isClosed: boolean): Promise<void> =>
  callFactory(
    world,
    factory,
    encodeFunctionData({ abi: artifacts.TestWalletFactory.abi, functionName: "setClosed", args: [isClosed] }),
  );

/** Calldata that creates the wallet of `create`, and calls something else. */
export const createAndCall = (keyHolder: string, salt: Hex, target: Address, data: Hex): Hex =>
  encodeFunctionData({
    abi: artifacts.TestWalletFactory.abi,
    functionName: "createAndCall",
    args: [keyHolder, salt, target, data],
  });

export const BURN_CALL = encodeFunctionData({ abi: artifacts.TestWalletFactory.abi, functionName: "burn" });

async function deploy(
  world: World,
  name: "TestWallet1271" | "GasBurningWallet1271" | "TurncoatWallet" | "StrayToken" | "TestWalletFactory",
  args: (string | number)[],
): Promise<Address> {
  const { abi, bytecode } = artifacts[name];
  const account = world.accounts[0]?.address ?? "0x";
  const client = world.client("base");
  const code = bytecode as Hex;
  const hash = await client.deployContract({ account, chain: null, abi, bytecode: code, args });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  return toAddress(contractAddress ?? "");
}

/** Makes an account delegate to the code at `to` (EIP-7702); null ends that. */
export const delegate = (world: World, account: string, to: Address | null): Promise<void> =>
  world
    .client("base")
    .setCode({ address: toAddress(account), bytecode: to === null ? "0x" : `0xef0100${to.slice(2)}` });
