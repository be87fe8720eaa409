import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { createTestClient, createWalletClient, type Hex, http } from "viem";
import { base } from "viem/chains";
import { type Agent, call, newPayee, newPerson, type Person, type Proposal, payUpl } from "./support/api";
import { openExit, type Wallet } from "./support/exit";
import { answerWallet, expect, expectAccessible, expectFits, test } from "./support/test";
import { balanceOf, OPENING, openVault, owns, payWhenReady, press, reviewing, vault } from "./support/vaults";

/** An owner withdraws with the saved file, the page and a wallet that signs with the owner's key and calls the chain itself. */
const transport = http(process.env.BASE_RPC_URL ?? "http://127.0.0.1:8545", { retryCount: 0 });
const GAS_MONEY = 10n ** 17n;

type Sent = { to: Hex; data: Hex };

/** Records sent transactions. Other requests of the page go to the node. */
async function walletOf({ account }: Pick<Person, "account">): Promise<Wallet & { sent: Sent[] }> {
  const node = createTestClient({ mode: "anvil", chain: base, transport });
  await node.setBalance({ address: account.address, value: GAS_MONEY });
  const signer = createWalletClient({ account, chain: base, transport });
  const sentRequests: Sent[] = [];
  return {
    sent: sentRequests,
    request: (method, params) => {
      if (method === "eth_requestAccounts") return [account.address];
      if (method !== "eth_sendTransaction") return node.request({ method, params } as never);
      const { to, data } = params[0] as Sent;
      sentRequests.push({ to, data });
      return signer.sendTransaction({ to, data });
    },
  };
}

type Saved = { address: string; terms: { owner: string } };

async function saved(page: Page): Promise<{ text: string; file: Saved }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the vault’s file" }).click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  return { text, file: JSON.parse(text) };
}

/** The page in a browser that has never been at the service, with the saved file. */
async function leaving(browser: Browser, wallet: Wallet, text: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await openExit(page, wallet);
  await page
    .getByLabel(/Choose the file/)
    .setInputFiles({ name: "vault.json", mimeType: "application/json", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Connect Fox" }).click();
  return page;
}

const statusOf = async ({ jwt }: Agent, { mandateId }: Proposal): Promise<unknown> =>
  (await call<{ mandate: { status: string } }>("GET", `/api/mandates/agent/${mandateId}`, { jwt })).mandate.status;

test("an owner withdraws everything on the chain, and the service notices it", async ({ page, browser }) => {
  test.setTimeout(180_000);
  const { owner, agent, proposal } = await reviewing(page);
  await openVault(page);
  await payWhenReady(agent, proposal, await newPayee(), "1000000");
  const { text, file } = await saved(page);
  expect(file.terms.owner).toBe(owner.account.address);

  const wallet = await walletOf(owner);
  const exit = await leaving(browser, wallet, text);
  await expect(exit.getByText(file.address, { exact: true }).first()).toBeVisible();
  await expect(exit.getByText("9.00USDC")).toBeVisible();
  await expectAccessible(exit);
  await expectFits(exit);
  await exit.getByRole("button", { name: "Revoke the mandate and return 9.00 USDC" }).click();
  await expect(exit.getByText("The mandate is revoked. 9.00 USDC went to the owner")).toBeVisible();
  await expect(exit.getByRole("button", { name: /Revoke/ })).toHaveCount(0);
  expect(wallet.sent.map(({ to }) => to)).toEqual([file.address]);
  expect(await balanceOf(file.address)).toBe("0");
  await owns(owner, "39000000");
  await expect(async () => expect(await statusOf(agent, proposal)).toBe("revoked")).toPass({ timeout: 90_000 });
  await expect(payUpl(agent, proposal.mandateId, await newPayee(), "1000000")).rejects.toThrow("mandate_revoked");
  await exit.context().close();
});

test("an owner ends a permit on the chain, and another account cannot", { tag: "@once" }, async ({ page, browser }) => {
  test.setTimeout(180_000);
  const { owner, agent, proposal } = await reviewing(page);
  await page.getByRole("radio", { name: /^Keep the money in my wallet/ }).check();
  await press(page);
  const mandate = page.getByRole("dialog", { name: "Sign: Spending mandate" });
  await mandate.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Sign: Permit" })).toBeVisible();
  await answerWallet(page, "Sign");
  await expect(vault(page).getByText("Open", { exact: true })).toBeVisible(OPENING);
  await payWhenReady(agent, proposal, await newPayee(), "4000000");
  const { text, file } = await saved(page);
  expect(await balanceOf(file.address)).toBe("1000000");

  const stranger = await leaving(browser, await walletOf(await newPerson()), text);
  await expect(stranger.getByText("is not the owner. It may not take the money out.")).toBeVisible();
  await expect(stranger.getByRole("button", { name: /Revoke|Return|Cancel/ })).toHaveCount(0);
  await stranger.context().close();

  const exit = await leaving(browser, await walletOf(owner), text);
  await exit.getByRole("button", { name: "Revoke the mandate and return 1.00 USDC" }).click();
  await expect(exit.getByText("The mandate is revoked. 1.00 USDC went to the owner")).toBeVisible();
  await owns(owner, "36000000");
  await expect(exit.getByText("20.00 USDC", { exact: true })).toBeVisible();
  await exit.getByRole("button", { name: "Cancel the allowance" }).click();
  await expect(exit.getByRole("button", { name: "Cancel the allowance" })).toHaveCount(0);
  await expect(exit.getByText("20.00 USDC", { exact: true })).toHaveCount(0);
  await exit.context().close();
});
