import { createTestClient, type Hex, http, parseEther, publicActions, walletActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import artifacts from "@/dev/token/artifacts.json" with { type: "json" };
import { call, newPerson, type Person } from "./support/api";
import { become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

const rpcUrl = process.env.BASE_RPC_URL;
const chain = () =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl, { retryCount: 0 }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);

/** `mode`: its index in `Mode` of dev/token/StrayToken.sol. */
async function stray(mode: number, symbol: string, holder: Hex): Promise<Hex> {
  const account = privateKeyToAccount(generatePrivateKey());
  const client = chain();
  const { abi, bytecode } = artifacts.StrayToken;
  await client.setBalance({ address: account.address, value: parseEther("1") });
  const hash = await client.deployContract({
    account,
    chain: null,
    abi,
    bytecode: bytecode as Hex,
    args: [mode, symbol],
  });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
  if (!address) throw new Error("no token was deployed");
  const minting = { account, chain: null, address, abi, functionName: "mint", args: [holder, parseEther("100")] };
  await client.waitForTransactionReceipt({ hash: await client.writeContract(minting) });
  return address;
}

async function ownerWith(ether: string): Promise<{ person: Person; wallet: Hex }> {
  const person = await newPerson();
  type Wallets = { wallets: { address: Hex }[] };
  const { wallets } = await call<Wallets>("GET", "/api/wallet", { cookie: person.cookie });
  const [{ address: wallet } = { address: "0x" as Hex }] = wallets;
  if (ether !== "0") await chain().setBalance({ address: wallet, value: parseEther(ether) });
  return { person, wallet };
}

const TITLE = "Also at this address on Base";

test.describe("on the page of the wallet, what went astray", () => {
  test.skip(!rpcUrl, "needs BASE_RPC_URL of the server");

  test("is not shown while there is none, and a wrong token is named as such", async ({ page }) => {
    const { person, wallet } = await ownerWith("0");
    await become(page, person);
    await page.goto("/dashboard/wallet");
    await expect(page.getByRole("heading", { name: "Withdraw on Base" })).toBeVisible();
    await expect(page.getByRole("heading", { name: TITLE })).toHaveCount(0);
    await page.getByText("Send USDC to its address instead").click();
    await page.getByLabel("Sent another token here? Its contract").fill(wallet);
    await page.getByRole("button", { name: "Look for it" }).click();
    await expect(page.getByText("There is no token at this address that says a balance.")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  test("is shown and sent to the owner's own address with a signature each", async ({ page }) => {
    const { person, wallet } = await ownerWith("0.02");
    const token = await stray(0, "STRAY", wallet);
    await become(page, person);
    await page.goto(`/dashboard/wallet?token=${token}`);
    const there = page.getByRole("list", { name: "What is there" });
    await expect(there).toContainText("100 STRAY");
    await expect(there).toContainText("0.02 ETH");
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Send 100 STRAY to my own address" }).click();
    await signAction(page, "Send what went astray to yourself");
    await expect(page.getByText("100 STRAY arrived at your own address")).toBeVisible({ timeout: 30_000 });
    await page.getByRole("button", { name: /^Send 0\.0\d+ ETH to my own address/ }).click();
    await signAction(page, "Send what went astray to yourself");
    await expect(page.getByText(/^0\.0\d+ ETH arrived at your own address/)).toBeVisible({ timeout: 30_000 });
    expect(await chain().getBalance({ address: person.account.address })).toBeGreaterThan(parseEther("0.015"));
    await expect(there.getByText(/ETH/)).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });

  test("stays where it is when the owner does not sign, or the token refuses", async ({ page }) => {
    const { person, wallet } = await ownerWith("0.02");
    const token = await stray(3, "STUCK", wallet);
    await become(page, person);
    await page.goto(`/dashboard/wallet?token=${token}`);
    await page.getByRole("button", { name: "Send 100 STUCK to my own address" }).click();
    await expect(page.getByText("The token refuses the transfer.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send 0.02 ETH to my own address" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Do not sign" }).click();
    await expect(page.getByText("You did not sign")).toBeVisible();
    expect(await chain().getBalance({ address: wallet })).toBe(parseEther("0.02"));
  });
});
