import type { Hex } from "viem";
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

async function deploy(
  world: World,
  name: "TestWallet1271" | "GasBurningWallet1271" | "TurncoatWallet",
  args: string[],
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
