import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { VAULT_CONTRACTS, vaultOf } from "@tessera/client/vault";
import { hashOf } from "@/packages/client/src/vault/bytes";
import { vaultCode } from "@/packages/client/src/vault/terms";
import { openExit } from "./support/exit";
import { expect, expectAccessible, expectFits, test } from "./support/test";

const ARTIFACTS = fileURLToPath(new URL("../../lib/vaults/contracts.json", import.meta.url));
const CODE: unknown = JSON.parse(readFileSync(ARTIFACTS, "utf8")).vault.deployedBytecode;
const OWNER = "0x00000000000000000000000000000000000a11ce";
const terms = {
  contractVersion: 2,
  token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  owner: OWNER,
  signer: `0x${"51".repeat(20)}`,
  agent: `0x${"a9".repeat(20)}`,
  start: 1_790_000_000,
  end: 4_000_000_000,
  limit: "2500000000",
  perPayment: "5000000",
  release: { amount: "10000000", seconds: 86_400 },
  payees: null,
  mandate: `0x${"6b".repeat(32)}`,
};
const VAULT = vaultOf({ terms });
const SAVED = JSON.stringify({ address: VAULT.address, terms });

const word = (value: bigint | number) => `0x${value.toString(16).padStart(64, "0")}`;
const SELECTORS: Record<string, "balance" | "allowance" | "funded" | "spent" | "released" | "isRevoked"> = {
  "70a08231": "balance",
  dd62ed3e: "allowance",
  f3a504f2: "funded",
  "7ab71b7a": "spent",
  "96132521": "released",
  "2bc9ed02": "isRevoked",
};

/** A wallet whose node has one vault and executes the owner's transactions. */
class Chain {
  account = OWNER;
  chainId = 8453;
  isOpen = true;
  isPaused = false;
  isRejecting = false;
  isSilent = false;
  values = {
    balance: 1_234_560_000n,
    allowance: 0n,
    funded: 1_300_000_000n,
    spent: 65_440_000n,
    released: 90_000_000n,
    isRevoked: 0n,
  };
  sent: { to: string; data: string; from: string }[] = [];

  request(method: string, [first]: unknown[]): unknown {
    switch (method) {
      case "eth_requestAccounts":
        return [this.account];
      case "eth_chainId":
        return `0x${this.chainId.toString(16)}`;
      case "wallet_switchEthereumChain":
        this.chainId = 8453;
        return null;
      case "eth_getBlockByNumber":
        return { timestamp: "0x6ab00000" };
      case "eth_getCode":
        if (first === VAULT_CONTRACTS[2].implementation) return CODE;
        return this.isOpen ? vaultCode(VAULT.terms) : "0x";
      case "eth_call":
        return word(this.values[SELECTORS[(first as { data: string }).data.slice(2, 10)] ?? "balance"]);
      case "eth_sendTransaction":
        return this.send(first as { to: string; data: string; from: string });
      case "eth_getTransactionReceipt":
        return this.receipt;
      default:
        throw new Error(`${method} is not offered`);
    }
  }

  receipt: unknown = null;
  send(transaction: { to: string; data: string; from: string }): string {
    if (this.isSilent) throw new Error("connection lost");
    if (this.isRejecting) throw Object.assign(new Error("rejected"), { code: 4001 });
    this.sent.push(transaction);
    const { balance } = this.values;
    if (transaction.data === "0xb6549f75") this.values.isRevoked = 1n;
    if (!this.isPaused) this.values.balance = 0n;
    const topics = [hashOf(new TextEncoder().encode("Returned(uint256)"))];
    const logs = this.isPaused ? [] : [{ address: VAULT.address.toLowerCase(), topics, data: word(balance) }];
    this.receipt = { status: "0x1", logs };
    return word(7);
  }
}

async function check(page: Page, text = SAVED): Promise<void> {
  await page.getByLabel("Or paste its content").fill(text);
  await page.getByRole("button", { name: "Check the terms" }).click();
}

test("an owner revokes with a wallet alone, and sees what the chain shows", async ({ page }) => {
  const chain = new Chain();
  await openExit(page, chain);
  await page
    .getByLabel(/Choose the file/)
    .setInputFiles({ name: "vault.json", mimeType: "application/json", buffer: Buffer.from(SAVED) });
  await expect(page.getByText(VAULT.address, { exact: true }).first()).toBeVisible();
  await expect(page.getByText("2,500.00 USDC")).toBeVisible();
  await page.getByRole("button", { name: "Connect Fox" }).click();
  await expect(page.getByText("1,234.56USDC")).toBeVisible();
  chain.isRejecting = true;
  await page.getByRole("button", { name: "Revoke the mandate and return 1,234.56 USDC" }).click();
  await expect(page.getByText("Nothing was sent")).toBeVisible();
  chain.isRejecting = false;
  chain.isSilent = true;
  await page.getByRole("button", { name: "Revoke the mandate and return 1,234.56 USDC" }).click();
  await expect(page.getByText("See in your wallet whether it sent the transaction")).toBeVisible();
  chain.isSilent = false;
  await page.getByRole("button", { name: "Revoke the mandate and return 1,234.56 USDC" }).click();
  await expect(page.getByText("The mandate is revoked. 1,234.56 USDC went to the owner")).toBeVisible();
  expect(chain.sent).toEqual([{ from: OWNER, to: VAULT.address, data: "0xb6549f75", value: "0x0", chainId: "0x2105" }]);
  await expect(page.getByRole("button", { name: /Revoke/ })).toHaveCount(0);
});

test("while USDC is paused, the page says that the money is still in the vault", async ({ page }) => {
  const chain = new Chain();
  chain.isPaused = true;
  await openExit(page, chain);
  await check(page);
  await page.getByRole("button", { name: "Connect Fox" }).click();
  await page.getByRole("button", { name: /Revoke the mandate/ }).click();
  await expect(page.getByText("The money is still in the vault")).toBeVisible();
  chain.isPaused = false;
  await page.getByRole("button", { name: "Return 1,234.56 USDC to the owner" }).click();
  await expect(page.getByText("1,234.56 USDC went to the owner")).toBeVisible();
});

test("the page requires Base, refuses another account, and lets anyone return the money of a revoked or unopened vault @once", async ({
  page,
}) => {
  const chain = new Chain();
  chain.chainId = 1;
  chain.account = `0x${"77".repeat(20)}`;
  await openExit(page, chain);
  await check(page);
  await page.getByRole("button", { name: "Connect Fox" }).click();
  await expect(page.getByText("Your wallet is on chain 1. The vault is on Base.")).toBeVisible();
  await page.getByRole("button", { name: "Switch to Base" }).click();
  await expect(page.getByText("is not the owner. It may not take the money out.")).toBeVisible();
  await expect(page.getByRole("button", { name: /Revoke|Return/ })).toHaveCount(0);
  chain.values.isRevoked = 1n;
  await page.getByRole("button", { name: "Read the chain again" }).click();
  await expect(page.getByRole("button", { name: "Return 1,234.56 USDC to the owner" })).toBeVisible();
  chain.isOpen = false;
  await page.getByRole("button", { name: "Read the chain again" }).click();
  await expect(page.getByRole("button", { name: "Open the vault, to return what is there" })).toBeVisible();
});

test("terms for another vault address are refused, and the pasted text stays @once", async ({ page }) => {
  await openExit(page, null);
  const changed = JSON.stringify({ address: VAULT.address, terms: { ...terms, limit: "1" } });
  await check(page, changed);
  await expect(page.getByText(`not of ${VAULT.address}`)).toBeVisible();
  await expect(page.getByLabel("Or paste its content")).toHaveValue(changed);
  await check(page);
  await expect(page.getByText("No wallet found in this browser")).toBeVisible();
  await page.getByText("Transactions", { exact: true }).click();
  await expect(page.getByLabel("data of revoke", { exact: true })).toHaveText("0xb6549f75");
  await expect(page.getByLabel("address for revoke", { exact: true })).toHaveText(VAULT.address);
});

test("the service serves the page, which no other page may frame @once", async ({ page }) => {
  const response = await page.goto("/vault-exit.html");
  expect(response?.headers()["content-security-policy"]).toBe("frame-ancestors 'none'");
  await check(page);
  await expect(page.getByText(VAULT.address, { exact: true }).first()).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no fault on the page, which fits the screen, ${colorScheme}`, async ({ page }, { project }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await openExit(page, new Chain());
    const checkScreen = async (name: string) => {
      await expectFits(page);
      await expectAccessible(page);
      const shots = process.env.SHOTS;
      if (shots) await page.screenshot({ path: `${shots}/${project.name}-${colorScheme}-${name}.png`, fullPage: true });
    };
    await checkScreen("file");
    await check(page, "{}");
    await checkScreen("refused");
    await check(page);
    await checkScreen("terms");
    await page.getByRole("button", { name: "Connect Fox" }).click();
    await expect(page.getByText("1,234.56USDC")).toBeVisible();
    await page.getByText("Transactions", { exact: true }).click();
    await checkScreen("connected");
  });
}
