import type { Page } from "@playwright/test";
import { makeLink, newPayee, paymentsOf } from "./support/api";
import { connect, heading, mint, PAY, payment } from "./support/checkout";
import { expect, expectAccessible, expectFits, test } from "./support/test";
import { injectWallet } from "./support/wallet";

/** A connected wallet that answers calls of `method` only when it is told to, in the order of the calls. */
async function silentWallet(page: Page, url: string, method = "eth_signTypedData_v4") {
  const waiting: (() => void)[] = [];
  let isSilent = false;
  const wallet = await injectWallet(page, {
    before: (called) =>
      called === method && isSilent ? new Promise((answer) => waiting.push(answer)) : Promise.resolve(),
  });
  await mint(wallet.account.address, "40000000");
  await page.clock.install();
  await page.goto(url);
  await connect(page, /Fox/);
  await page.getByRole("button", { name: "Use Fox anyway" }).click();
  await expect(page.getByRole("button", { name: PAY })).toBeEnabled();
  isSilent = true;
  return {
    /** The number of signatures that the page has requested. */
    requests: () => wallet.calls.filter((called) => called === "eth_signTypedData_v4").length,
    /** The number of calls without an answer. */
    held: () => waiting.length,
    answer: (index: number) => waiting[index]?.(),
    answerAll: () => {
      isSilent = false;
      for (const answer of waiting) answer();
    },
  };
}

/** Waits for the offer to cancel, and takes it. */
async function cancel(page: Page): Promise<void> {
  await page.clock.fastForward(10_000);
  await payment(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(payment(page).getByText("Cancelled. No money moved")).toBeVisible();
  await expect(page.getByRole("button", { name: PAY })).toBeFocused();
}

/** Fails the test if the page sends a signed payment. */
function watchPayments(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const proof = request.headers()["x-payment"];
    if (proof !== undefined) sent.push(proof);
  });
  return sent;
}

test.describe("a wallet that does not answer", () => {
  test("can be left; what it signs later is sent only at a press, and pays once (axe)", async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const wallet = await silentWallet(page, link.url);
    const sent = watchPayments(page);
    await page.getByRole("button", { name: PAY }).click();
    await expect(payment(page).getByText("Sign in your wallet")).toBeVisible();
    await expect.poll(wallet.held).toBe(1);
    await page.clock.fastForward(5_000);
    await expect(payment(page).getByRole("button", { name: "Cancel", exact: true })).toHaveCount(0);
    await page.clock.fastForward(5_000);
    await expect(payment(page).getByText("No window? Open the wallet's icon.")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    await cancel(page);
    await expectAccessible(page);

    wallet.answer(0);
    const note = payment(page).getByRole("alert").filter({ hasText: "Your wallet signed after you cancelled" });
    await expect(note).toContainText("We did not send it, so no money moved.");
    await expectAccessible(page);
    expect([sent, await paymentsOf(seller, link)]).toEqual([[], []]);

    await page.getByRole("button", { name: PAY }).click();
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    expect(wallet.requests()).toBe(1);
    expect(new Set(sent).size).toBe(1);
    expect(await paymentsOf(seller, link)).toHaveLength(1);
  });

  test("can be left: what it signs later is forgotten with the page", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const wallet = await silentWallet(page, link.url);
    const sent = watchPayments(page);
    await page.getByRole("button", { name: PAY }).click();
    await expect.poll(wallet.held).toBe(1);
    await cancel(page);
    wallet.answerAll();
    await expect(payment(page).getByText("Your wallet signed after you cancelled")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("button", { name: /Connect a wallet|Pay 1.25/ })).toBeVisible();
    await page.clock.fastForward(20_000);
    expect([sent, await paymentsOf(seller, link)]).toEqual([[], []]);
  });

  test("shows the cancelled request first when asked again: its signature pays, and the second one does not", {
    tag: "@once",
  }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const wallet = await silentWallet(page, link.url);
    const sent = watchPayments(page);
    await page.getByRole("button", { name: PAY }).click();
    await expect.poll(wallet.held).toBe(1);
    await cancel(page);
    await page.getByRole("button", { name: PAY }).click();
    await expect.poll(wallet.held).toBe(2);
    wallet.answer(0);
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    wallet.answer(1);
    await page.clock.fastForward(20_000);
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    expect(new Set(sent).size).toBe(1);
    expect(await paymentsOf(seller, link)).toHaveLength(1);
    await page.getByRole("button", { name: "Pay again" }).click();
    await expect(page.getByRole("button", { name: PAY })).toBeEnabled();
    await expect(payment(page).getByText("Your wallet signed after you cancelled")).toHaveCount(0);
  });

  test("signs a cancelled order after the buyer has chosen another: only the other is paid", {
    tag: "@once",
  }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller, { maxQuantity: 3 });
    const wallet = await silentWallet(page, link.url);
    await page.getByRole("button", { name: PAY }).click();
    await expect.poll(wallet.held).toBe(1);
    await expect(page.getByLabel("Quantity")).toBeDisabled();
    await cancel(page);
    await page.getByLabel("Quantity").fill("2");
    await page.getByRole("button", { name: "Pay 2.50 USDC" }).click();
    await expect.poll(wallet.held).toBe(2);
    wallet.answer(0);
    await page.clock.fastForward(3_000);
    await expect(page.getByRole("button", { name: "Waiting for your wallet" })).toBeVisible();
    expect(await paymentsOf(seller, link)).toEqual([]);
    wallet.answer(1);
    await expect(heading(page, "You paid 2.50 USDC")).toBeVisible();
    expect(await paymentsOf(seller, link)).toMatchObject([{ amount: "2500000" }]);
  });

  test("is not asked to sign once it answers an earlier call after the payer has cancelled", {
    tag: "@once",
  }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const wallet = await silentWallet(page, link.url, "eth_accounts");
    await page.getByRole("button", { name: PAY }).click();
    await expect.poll(wallet.held).toBe(1);
    await cancel(page);
    wallet.answerAll();
    await page.clock.fastForward(3_000);
    await expect(payment(page).getByText("Cancelled. No money moved")).toBeVisible();
    expect(wallet.requests()).toBe(0);
    expect(await paymentsOf(seller, link)).toEqual([]);
  });
});
