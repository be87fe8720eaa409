import { createTestClient, type Hex, http, parseEther, publicActions, walletActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LocalChain, startChain } from "@/dev/local/chains";
import { freePort } from "@/dev/local/ports";
import artifacts from "@/dev/token/artifacts.json";
import { type Address, toAddress } from "@/lib/core/address";
import { recover } from "@/ops/recover";
import { newOwner } from "../support/actors";
import { freshAddress } from "../support/mandates";
import { walletOf } from "../support/payouts";
import { runService } from "../support/service";

/** `npm run recover`, on a network that the service does not serve. */
const service = runService();
let elsewhere: LocalChain;
beforeAll(async () => {
  elsewhere = await startChain({ network: "base", port: await freePort(), fund: [], mining: "instant" });
  await chain().request<{ Method: "anvil_setChainId"; Parameters: [number]; ReturnType: null }>({
    method: "anvil_setChainId",
    params: [137],
  });
});
afterAll(() => elsewhere?.stop());

const chain = () =>
  createTestClient({ mode: "anvil", transport: http(elsewhere.rpcUrl, { retryCount: 0 }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);

/** `mode`: its index in `Mode` of dev/token/StrayToken.sol. */
async function stray(mode: number, holder: Address): Promise<Address> {
  const account = privateKeyToAccount(generatePrivateKey());
  await chain().setBalance({ address: account.address, value: parseEther("1") });
  const { abi } = artifacts.StrayToken;
  const bytecode = artifacts.StrayToken.bytecode as Hex;
  const hash = await chain().deployContract({ account, chain: null, abi, bytecode, args: [mode, "USDC"] });
  const { contractAddress } = await chain().waitForTransactionReceipt({ hash });
  const address = toAddress(contractAddress ?? "");
  const minting = { account, chain: null, address, abi, functionName: "mint", args: [holder, parseEther("100")] };
  await chain().waitForTransactionReceipt({ hash: await chain().writeContract(minting) });
  return address;
}

const tokensOf = (token: Address, of: Address) =>
  chain().readContract({ address: token, abi: artifacts.StrayToken.abi, functionName: "balanceOf", args: [of] });

const run = async (wallet: Address, token: Address | null, isSent: boolean): Promise<string> =>
  (await recover(service.opened.system, { rpcUrl: elsewhere.rpcUrl, wallet, token, isSent })).join("\n");

test("shows what is there and sends it to the owner's recorded address, only when told to", async () => {
  const owner = await newOwner();
  const wallet = await walletOf(owner);
  expect(await run(wallet, null, true)).toContain("has 0 of the network's coin on chain 137");
  const token = await stray(0, wallet);
  expect(await run(wallet, token, true)).toContain("There is too little to pay the gas");
  await chain().setBalance({ address: wallet, value: parseEther("0.1") });
  const dry = await run(wallet, token, false);
  expect(dry).toContain(`Its owner signs in with ${owner.address}`);
  expect(dry).toContain("Nothing was sent");
  expect(await tokensOf(token, wallet)).toBe(parseEther("100"));
  expect(await run(wallet, token, true)).toContain(`${owner.address} has 100 of the token ${token} more`);
  expect([await tokensOf(token, wallet), await tokensOf(token, owner.address)]).toEqual([0n, parseEther("100")]);
  expect(await run(wallet, null, true)).toContain("more");
  expect(await chain().getBalance({ address: owner.address })).toBeGreaterThan(parseEther("0.09"));
});

test("says so when a token refuses, burns the gas or moves nothing", async () => {
  const wallet = await walletOf(await newOwner());
  await chain().setBalance({ address: wallet, value: parseEther("0.1") });
  expect(await run(wallet, await stray(3, wallet), true)).toContain("The chain refuses the transfer");
  expect(await run(wallet, await stray(7, wallet), true)).toContain("failed: only gas was spent");
  expect(await run(wallet, await stray(5, wallet), true)).toContain("does not show that anything arrived");
});

test("refuses an address that is no spending wallet, a served network, and an owner who may not control their address there", async () => {
  const owner = await newOwner();
  const wallet = await walletOf(owner);
  await expect(run(freshAddress(), null, true)).rejects.toThrow("is not the address of a spending wallet");
  const rpcUrl = process.env.BASE_RPC_URL ?? "";
  const { system } = service.opened;
  await expect(recover(system, { rpcUrl, wallet, token: null, isSent: true })).rejects.toThrow("is served");
  await service.world.client("base").setCode({ address: owner.address, bytecode: "0x6001" });
  await expect(run(wallet, null, true)).rejects.toThrow("its owner may not control it");
});
