import { type Page, test } from "@playwright/test";
import { createTestClient, erc20Abi, type Hex, http, publicActions, walletActions } from "viem";
import { TOKEN_ABI } from "@/lib/x402/token";
import { call, type Link, makeLink, newPayee, newPerson, type Person } from "./support/api";
import { answerWallet, become, expect, expectAccessible, expectFits } from "./support/test";

/** A network that few other tests use: its blocks stand still for a moment. */
const NETWORK = "base-sepolia";
const PRICE = "1250000";
const SHOP: Hex = "0x000000000000000000000000000000000000d00d";

// Only the run that starts the chains knows where they are.
const rpcUrl = process.env.BASE_SEPOLIA_RPC_URL;
const chain = () =>
  createTestClient({ mode: "anvil", transport: http(rpcUrl, { retryCount: 0 }), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);

const payment = (page: Page) => page.getByRole("region", { name: "Payment", exact: true });
const heading = (page: Page, name: string) => payment(page).getByRole("heading", { level: 2, name });

/** Somebody with the price in their wallet, which is connected to the checkout. */
async function newBuyer(page: Page, link: Link): Promise<{ person: Person; fund: () => Promise<unknown> }> {
  const person = await newPerson();
  const json = { address: person.account.address, amount: PRICE, network: NETWORK };
  const fund = () => call("POST", "/api/devnet/faucet", { json });
  await fund();
  await become(page, person, false);
  await page.goto(link.url);
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Tessera test wallet/ })
    .click();
  await page.getByRole("button", { name: "Switch to Base Sepolia" }).click();
  return { person, fund };
}

const assetOf = async (link: Link): Promise<Hex> => {
  const { accepts } = await call<{ accepts: [{ asset: Hex }] }>("GET", `/paymentlink/${link.linkId}`, {}, 402);
  return accepts[0].asset;
};

/** Makes the transfer of an `X-Payment` header without the service, as anybody may. */
async function submitElsewhere(asset: Hex, header: string): Promise<void> {
  const client = chain();
  const { payload } = JSON.parse(Buffer.from(header, "base64").toString("utf8"));
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  await client.setBalance({ address: SHOP, value: 10n ** 18n });
  await client.impersonateAccount({ address: SHOP });
  const hash = await client.writeContract({
    account: SHOP,
    chain: null,
    address: asset,
    abi: TOKEN_ABI,
    functionName: "transferWithAuthorization",
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, payload.signature as Hex],
  });
  await client.waitForTransactionReceipt({ hash });
}

/** Pays in the browser, and spends the money elsewhere before the transaction that would move it is mined. */
async function payAndSpendElsewhere(page: Page, person: Person, link: Link): Promise<void> {
  const client = chain();
  const asset = await assetOf(link);
  // This ends every kind of mining; automine alone comes back below.
  await client.setIntervalMining({ interval: 0 });
  try {
    await page.getByRole("button", { name: "Pay 1.25 USDC" }).click();
    await answerWallet(page, "Sign");
    await expect.poll(async () => (await client.getTxpoolStatus()).pending, { timeout: 30_000 }).toBe(1);
    await client.setBalance({ address: person.account.address, value: 10n ** 18n });
    await client.impersonateAccount({ address: person.account.address });
    await client.writeContract({
      account: person.account.address,
      chain: null,
      address: asset,
      abi: erc20Abi,
      functionName: "transfer",
      args: [SHOP, BigInt(PRICE)],
      gas: 100_000n,
      gasPrice: 10n ** 12n,
    });
    await client.mine({ blocks: 1 });
  } finally {
    await client.setAutomine(true);
  }
}

// Not watched for errors in the console: the answer to a payment that was not settled is a 500.
test.describe("a payment that was not settled", () => {
  // One after another: the first stops the chain's blocks.
  test.describe.configure({ mode: "default" });
  test.skip(!rpcUrl, "needs BASE_SEPOLIA_RPC_URL of the server");

  test("is shown as still usable, is cancelled by its payer, and can then be made again", { tag: "@once" }, async ({
    page,
  }) => {
    const link = await makeLink(await newPayee(), { network: NETWORK, maxUses: 1, resourceContent: "Yours." });
    const { person, fund } = await newBuyer(page, link);
    await payAndSpendElsewhere(page, person, link);

    await test.step("the page says that the payment can still be used, and it holds the link's only use", async () => {
      await expect(heading(page, "Not settled. Do not sign again")).toBeVisible({ timeout: 30_000 });
      await expect(payment(page)).toContainText(/can still be used until/);
      await expectAccessible(page);
      await expectFits(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectFits(page);
      expect(await call("GET", `/paymentlink/${link.linkId}`, {}, 410)).toMatchObject({ code: "LINK_SOLD_OUT" });
    });

    await test.step("the page says the same after a reload, and after the wallet refuses the cancellation", async () => {
      await page.reload();
      await expect(heading(page, "Not settled. Do not sign again")).toBeVisible();
      await page.getByRole("button", { name: "Cancel this payment" }).click();
      await answerWallet(page, "Reject");
      await expect(payment(page).getByRole("alert")).toContainText("Not cancelled");
      await expectAccessible(page);
    });

    await test.step("the payer cancels the payment with one signature", async () => {
      await page.getByRole("button", { name: "Cancel this payment" }).click();
      await answerWallet(page, "Sign");
      await expect(heading(page, "Cancelled. No money moved")).toBeVisible({ timeout: 30_000 });
      await expectAccessible(page);
      await expectFits(page);
    });

    await test.step("the payer pays with a new signature", async () => {
      await fund();
      await page.getByRole("button", { name: "Pay again" }).click();
      await page.getByRole("button", { name: "Pay 1.25 USDC" }).click();
      await answerWallet(page, "Sign");
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      await expect(page.getByRole("region", { name: "Content", exact: true })).toHaveText("Yours.");
    });
  });

  test("is shown as possibly paid when its signature was used elsewhere, and no other signature is requested", {
    tag: "@once",
  }, async ({ page }) => {
    const link = await makeLink(await newPayee(), { network: NETWORK, maxUses: 1, resourceContent: "Yours." });
    await newBuyer(page, link);
    const asset = await assetOf(link);
    let header = "";
    await page.route("**/paymentlink/*", (route) => {
      header = route.request().headers()["x-payment"] ?? header;
      return route.request().headers()["x-payment"] ? route.abort() : route.continue();
    });
    await page.getByRole("button", { name: "Pay 1.25 USDC" }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "We are checking. Do not pay again")).toBeVisible();
    await submitElsewhere(asset, header);
    await page.unroute("**/paymentlink/*");

    await expect(heading(page, "Your signature was used, but not through us")).toBeVisible({ timeout: 30_000 });
    await expectAccessible(page);
    await expectFits(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFits(page);
    await page.reload();
    await expect(heading(page, "Your signature was used, but not through us")).toBeVisible({ timeout: 30_000 });
    await page.getByRole("button", { name: "No money moved: pay again" }).click();
    await expect(payment(page)).toContainText("Not enough USDC in this wallet");
  });
});
