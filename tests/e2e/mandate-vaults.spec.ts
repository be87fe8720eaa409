import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { newPayee, newPerson, payUpl } from "./support/api";
import { heading } from "./support/approval";
import { answerWallet, connectIfPrompted, expect, expectAccessible, expectFits, test } from "./support/test";
import {
  balanceOf,
  fact,
  OPENING,
  openVault,
  owns,
  payWhenReady,
  press,
  reviewing,
  SIGN,
  vault,
} from "./support/vaults";

const permit = (page: Page) => page.getByRole("dialog", { name: "Sign: Permit" });

/** The first of two signatures. */
async function signMandate(page: Page) {
  const dialog = page.getByRole("dialog", { name: "Sign: Spending mandate" });
  await dialog.getByRole("button", { name: "Sign", exact: true }).click();
  await expect(permit(page)).toBeVisible();
}

const isClosed = (page: Page) => expect(vault(page).getByText("Closed", { exact: true })).toBeVisible(OPENING);

test("an owner opens a vault with one signature, the agent pays from it, and the owner withdraws the rest", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { owner, agent, proposal } = await reviewing(page);

  await test.step("the owner compares what can be lost in each place", async () => {
    await expect(page.getByText(/^Everything in your spending wallet/)).toBeHidden();
    await page.getByText("Compare", { exact: true }).click();
    await expect(page.getByText("Most you can lose, if")).toHaveCount(2);
    await expect(page.getByText(/^Up to 25\.00 USDC of this mandate, until it ends/)).toBeVisible();
    await expect(page.getByText(/^Everything in your spending wallet/)).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("review.png"), fullPage: true });
  });

  await test.step("the owner chooses the amount, and signs exactly what is displayed", async () => {
    await page.getByLabel("Amount to move in").fill("30");
    await page.getByRole("button", { name: SIGN }).click();
    await expect(page.getByRole("alert").filter({ hasText: "At most the limit of 25.00 USDC." })).toBeVisible();
    await page.getByLabel("Amount to move in").fill("10");
    await expect(page.getByText(/^Up to 10\.00 USDC of this mandate/)).toBeVisible();
    await page.getByText("Exactly what you sign").click();
    await expect(page.getByRole("region", { name: "typed data" })).toContainText('"limitAmount": "25000000"');
    await page.getByRole("button", { name: "Sign with your wallet: move 10.00 USDC into the vault" }).click();
    await connectIfPrompted(page);
    const dialog = page.getByRole("dialog", { name: "Sign: Receive with authorization" });
    await expect(dialog).toContainText("10.00 USDC");
    await answerWallet(page, "Sign");
    await expect(heading(page, /^Signed/)).toBeFocused();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner sees the vault open, and saves its file", async () => {
    await expect(vault(page).getByText("Open", { exact: true })).toBeVisible(OPENING);
    await expect(vault(page)).toContainText("10.00 USDC");
    await expect(page.getByRole("link", { name: /See it on/ })).toHaveCount(0);
    await page.screenshot({ path: test.info().outputPath("open.png"), fullPage: true });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the vault’s file" }).click(),
    ]);
    const file = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(file.terms).toMatchObject({ owner: owner.account.address, limit: "25000000", agent: null });
    expect(download.suggestedFilename()).toBe(`vault-${file.address}.json`);
    expect(await balanceOf(file.address)).toBe("10000000");
    await owns(owner, "30000000");
  });

  await test.step("the owner sees the agent's payment on the mandate's page", async () => {
    await payWhenReady(agent, proposal, await newPayee(), "1000000");
    await page.getByRole("link", { name: "See the mandate and its payments" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Settled" })).toContainText("1.00", OPENING);
    await expect(fact(page, "Spent")).toContainText("1.00 USDC", OPENING);
    await expect(page.getByText("9.00 USDC of it is in the vault.")).toBeVisible();
    await expect(fact(page, "Released so far")).toContainText("25.00 of 25.00 USDC");
    await page.getByText("Evidence: what you signed").click();
    await expect(page.getByRole("region", { name: "typed data" })).toContainText("ReceiveWithAuthorization");
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("mandate.png"), fullPage: true });
  });

  await test.step("the wallet's total contains the vault's money, and the list shows the mode", async () => {
    await page.goto("/dashboard/wallet");
    const base = page.getByRole("region", { name: "Balance on Base", exact: true });
    await expect(base).toContainText("In 1 vault");
    await expect(base).toContainText("9.00 USDC");
    await expect(page.getByText("Your spending wallet is empty.")).toBeVisible();
    await page.getByRole("link", { name: "its mandate’s page" }).click();
    await expect(page.getByRole("list", { name: "Mandates" }).getByRole("listitem")).toHaveCount(1);
    await page.goto("/dashboard/wallet");
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("wallet.png"), fullPage: true });
    await page.goto("/dashboard/mandates");
    await expect(page.getByRole("list", { name: "Mandates" })).toContainText("Vault");
  });

  await test.step("the wallet's history has the deposit into the vault", async () => {
    await page.goto("/dashboard/wallet");
    const deposit = page.getByRole("row").filter({ hasText: "Deposit into a vault" });
    await expect(deposit).toContainText("10.00");
    await expect(deposit.getByRole("link")).toHaveAttribute("href", `/mandates/${proposal.mandateId}`);
    await expect(page.getByRole("row").filter({ hasText: "Returned from a vault" })).toHaveCount(0);
  });

  await test.step("the owner withdraws everything with a signature", async () => {
    await page.goto(`/mandates/${proposal.mandateId}`);
    await page.getByRole("button", { name: "Take back everything now" }).click();
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("take-back.png") });
    await page.getByRole("button", { name: "Sign and take back" }).click();
    await answerWallet(page, "Sign");
    await isClosed(page);
    await expect(heading(page, "Mandate of 25.00 USDC")).toBeVisible();
    await expect(page.getByRole("button", { name: "Take back everything now" })).toHaveCount(0);
    await owns(owner, "39000000");
    // What the page says is what the chain has: 30 USDC were left in the wallet when the vault was funded.
    const home = (Number(await balanceOf(owner.account.address)) - 30_000_000) / 1_000_000;
    const [paid, returned] = ["1.00 USDC", `${home.toFixed(2)} USDC`];
    await expect(fact(page, "Returned to you")).toContainText(returned, OPENING);
    await expect(fact(page, "Paid")).toContainText(paid);
    await expect(fact(page, "Spent")).toHaveCount(0);
    const budget = page.getByRole("region", { name: "Budget" });
    await expect(budget).toContainText("Paid");
    await expect(budget).toContainText(`returned to you ${returned}`);
    await expect(budget).not.toContainText("It spent");
    await expect(page.getByRole("button", { name: "Download the vault’s file" })).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("closed.png"), fullPage: true });
    await expect(payUpl(agent, proposal.mandateId, await newPayee(), "1000000")).rejects.toThrow("mandate_revoked");
    await page.goto("/dashboard/wallet");
    await expect(page.getByRole("row").filter({ hasText: "Returned from a vault" })).toContainText(home.toFixed(2));
  });
});

test("with a permit the money stays in the owner's wallet until a payment needs it", { tag: "@once" }, async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { owner, agent, proposal } = await reviewing(page);

  await test.step("the owner signs the mandate and the permit", async () => {
    await page.getByRole("radio", { name: /^Keep the money in my wallet/ }).check();
    await press(page);
    await expect(page.getByText("Sign in your wallet, 1 of 2: the mandate.")).toBeVisible();
    await signMandate(page);
    await expect(page.getByText("Sign in your wallet, 2 of 2: the permit.")).toBeVisible();
    await expect(permit(page)).toContainText("25.00 USDC");
    await answerWallet(page, "Sign");
    await expect(heading(page, /^Signed/)).toBeFocused();
    await expect(vault(page).getByText("Open", { exact: true })).toBeVisible(OPENING);
    await expect(fact(page, "Funded")).toContainText("drawn from your wallet when payments need it");
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the vault draws what a payment needs", async () => {
    await payWhenReady(agent, proposal, await newPayee(), "4000000");
    await page.goto(`/mandates/${proposal.mandateId}`);
    await expect(fact(page, "Spent")).toContainText("4.00 USDC", OPENING);
  });

  await test.step("the owner withdraws the money without a signature, and signs later", async () => {
    await page.getByRole("button", { name: "Take back everything now" }).click();
    await expect(page.getByRole("dialog")).toContainText("permission to draw from your wallet stays");
    await page.getByRole("button", { name: "Take back without signing" }).click();
    await isClosed(page);
    await owns(owner, "36000000");
    await page.getByRole("button", { name: "Sign the revocation as well" }).click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Sign the revocation", exact: true }).click();
    await answerWallet(page, "Sign");
    await expect(page.getByRole("button", { name: "Sign the revocation as well" })).toHaveCount(0, OPENING);
  });
});

test("the rest goes to the owner when the mandate ends", { tag: "@once" }, async ({ page }) => {
  test.setTimeout(300_000);
  const { owner, proposal } = await reviewing(page, { validForSeconds: 120 });
  await openVault(page);
  await page.goto(`/mandates/${proposal.mandateId}`);
  await expect(vault(page).getByText("Closed", { exact: true })).toBeVisible({ timeout: 180_000 });
  await owns(owner, "40000000");
  await expect(page.getByRole("button", { name: "Take back everything now" })).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
});

test("when the owner refuses the permit nothing is signed, although the wallet signed the mandate", {
  tag: "@once",
}, async ({ page }) => {
  const { proposal } = await reviewing(page);
  await page.getByRole("radio", { name: /^Keep the money in my wallet/ }).check();
  await press(page);
  await signMandate(page);
  await answerWallet(page, "Reject");
  await expect(page.getByRole("alert").filter({ hasText: "You did not sign" })).toContainText("Nothing is allowed");
  await page.goto(`/mandates/${proposal.mandateId}`);
  await expect(page.getByText("It is waiting for your decision")).toBeVisible();
});

test("an owner with too little USDC learns that before anything is signed", { tag: "@once" }, async ({ page }) => {
  await reviewing(page, {}, "0");
  await expect(page.getByRole("button", { name: SIGN })).toHaveCount(0);
  await expect(page.getByText("Your own wallet lacks 25.00 USDC.")).toBeInViewport();
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("too-little.png") });
  await page.getByRole("button", { name: "Add 100.00 test USDC to sign for 25.00 USDC" }).click();
  await expect(page.getByRole("status").filter({ hasText: "100.00 test USDC arrived" })).toBeInViewport();
  await expect(page.locator(":focus")).toHaveText("Sign with your wallet: move 25.00 USDC into the vault");
  await expect(page.getByText("Your own wallet holds 100.00 USDC.")).toBeVisible();
  await openVault(page, "25");
});

test("the owner releases the limit in parts, to named addresses", { tag: "@once" }, async ({ page }) => {
  const payee = (await newPerson()).account.address;
  const release = { amount: "1000000", seconds: 43_200 };
  await reviewing(page, { vault: { release } });
  await expect(page.getByText("1.00 USDC every 12 hours", { exact: true })).toBeVisible();
  await page.getByText(/^Details/).click();
  await expect(page.getByRole("heading", { name: "Pay out gradually, or only to certain addresses" })).toBeVisible();
  await page.getByLabel("Release the limit").selectOption({ label: "In parts, every day" });
  await page.getByLabel("Released in each period").fill("5");
  await page.getByLabel("Only these addresses").fill("0x12");
  await page.getByLabel("Only these addresses").blur();
  await expect(page.getByRole("alert").filter({ hasText: "0x12 is not an address" })).toBeVisible();
  await page.getByLabel("Only these addresses").fill(payee);
  await page.getByLabel("Only these addresses").blur();
  await expect(page.getByText("5.00 USDC every day", { exact: true })).toBeVisible();
  await expect(page.getByText("only 1 address")).toBeVisible();
  await page.getByText("Compare", { exact: true }).click();
  await expect(
    page.getByText(/^What is released by then, 5\.00 USDC every day.* to the address you name/),
  ).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await openVault(page);
  await expect(fact(page, "Released so far")).toContainText("5.00 of 25.00 USDC");
});

test.describe("in the dark color scheme", { tag: "@once" }, () => {
  test.use({ colorScheme: "dark" });

  test("the choice and the vault keep their contrast", async ({ page }) => {
    const { proposal } = await reviewing(page);
    await expect(page.locator("html")).toHaveClass(/dark/);
    await expectAccessible(page);
    await openVault(page);
    await expectAccessible(page);
    await page.goto(`/mandates/${proposal.mandateId}`);
    await expect(vault(page)).toBeVisible();
    await expectAccessible(page);
    await page.screenshot({ path: test.info().outputPath("dark.png"), fullPage: true });
  });
});
