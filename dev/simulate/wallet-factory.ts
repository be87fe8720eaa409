import { decodeFunctionResult, encodeFunctionData, type Hex, type PublicActions, type TestActions } from "viem";
import { type Address, toAddress } from "@/lib/core/address";
import artifacts from "../token/artifacts.json";

const { abi, bytecode } = artifacts.TestWalletFactory;

/** Where the factory of smart wallets is on both chains. The servers list it. */
export const WALLET_FACTORY = toAddress(`0xfac7${"0".repeat(36)}`);

type Client = Pick<PublicActions, "call"> & Pick<TestActions, "setCode">;

export async function installFactory(client: Client): Promise<void> {
  // A call without a receiver returns the code that the constructor would leave.
  const { data = "0x" } = await client.call({ data: bytecode as Hex });
  await client.setCode({ address: WALLET_FACTORY, bytecode: data });
}

/** What the address of a wallet is derived from. */
export type WalletKey = { keeper: Address; salt: Hex };

/** The address of a wallet, deployed or not. */
export async function addressOfWallet(
  client: Client,
  { keeper, salt }: WalletKey,
  functionName: "walletOf" | "fickleWalletOf" = "walletOf",
): Promise<Address> {
  const call = encodeFunctionData({ abi, functionName, args: [keeper, salt] });
  const { data = "0x" } = await client.call({ to: WALLET_FACTORY, data: call });
  return toAddress(decodeFunctionResult({ abi, functionName, data }) as string);
}

/** `createWhileOpen` and `createFickle` depend on `closing`. */
export const creation = (
  functionName: "create" | "createFickle" | "createWhileOpen",
  { keeper, salt }: WalletKey,
): Hex => encodeFunctionData({ abi, functionName, args: [keeper, salt] });

/** Creates a wallet and makes a call. Unlike `create`, it fails where the wallet exists. */
export const creationAndCall = ({ keeper, salt }: WalletKey, { to, data }: { to: Address; data: Hex }): Hex =>
  encodeFunctionData({ abi, functionName: "createAndCall", args: [keeper, salt, to, data] });

export const closing = (isClosed: boolean): Hex =>
  encodeFunctionData({ abi, functionName: "setClosed", args: [isClosed] });
