import { type Page, test as unwatched } from "@playwright/test";
import { call, fund, newPerson, type Person, payScan } from "./support/api";
import { busyOwner } from "./support/dashboard";
import { answerWallet, become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

const mint = (address: string, amount: string) =>
  call("POST", "/api/devnet/faucet", { json: { address, amount, network: "base" } });

const card = (page: Page, title: string | RegExp) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title }) });

test.describe("on the page of the wallet", () => {
  test("a deposit is signed in the owner's wallet, settles and has a receipt", async ({ page }) => {
    const person = await newPerson();
    await mint(person.account.address, "40000000");
    await become(page, person);
    await page.goto("/dashboard/wallet");
    await page.getByLabel("Amount", { exact: true }).fill("12.5");
    await page.getByRole("button", { name: "Deposit 12.50 USDC" }).click();
    await answerWallet(page, "Sign");
    await expect(page.getByText("12.50 USDC arrived in your spending wallet")).toBeVisible();
    await expect(page.getByLabel("Amount", { exact: true })).toHaveValue("");
    await expect(page.getByRole("region", { name: "Balance on Base", exact: true })).toContainText("12.50 USDC");
    await expect(page.getByRole("row", { name: /Deposit from your own wallet/ })).toContainText("Settled");
    await expectAccessible(page);
    await page.getByRole("link", { name: "See the receipt" }).click();
    await expect(page).toHaveURL(/\/receipt\/stl_/);
  });

  test("a deposit that the owner does not sign moves nothing", { tag: "@once" }, async ({ page }) => {
    const person = await newPerson();
    await mint(person.account.address, "40000000");
    await become(page, person);
    await page.goto("/dashboard/wallet");
    await page.getByLabel("Amount", { exact: true }).fill("1");
    await page.getByRole("button", { name: "Deposit 1.00 USDC" }).click();
    await answerWallet(page, "Reject");
    await expect(page.getByText("You did not sign")).toBeVisible();
    await expect(page.getByText("No money moved.")).toBeVisible();
  });

  test("a deposit above the owner's balance is refused before anything is signed", { tag: "@once" }, async ({
    page,
  }) => {
    const person = await newPerson();
    await mint(person.account.address, "2000000");
    await become(page, person);
    await page.goto("/dashboard/wallet");
    await page.getByLabel("Amount", { exact: true }).fill("3");
    await page.getByRole("button", { name: "Deposit 3.00 USDC" }).click();
    await expect(page.getByRole("alert").first()).toContainText("2.00 USDC on Base: 1.00 USDC too little");
    for (const [wrong, fault] of [
      ["", "an amount above zero"],
      ["0", "an amount above zero"],
      ["-1", "Leave out the sign"],
      ["1e3", "an amount above zero"],
      ["1,5", "Use a point for decimals"],
      ["0.0000001", "at most six decimals"],
    ] as const) {
      await page.getByLabel("Amount", { exact: true }).fill(wrong);
      await page.getByRole("button", { name: /^Deposit/ }).click();
      await expect(page.getByRole("alert").first()).toContainText(fault);
    }
  });

  // Not watched: Chromium writes a console error for each answer of 5xx, which is what these two are about.
  unwatched(
    "a deposit that the chain refuses says why, and that its signature can still be used",
    { tag: "@once" },
    async ({ page }) => {
      const person = await newPerson();
      await mint(person.account.address, "5000000");
      await become(page, person);
      await page.goto("/dashboard/wallet");
      await page.getByLabel("Amount", { exact: true }).fill("5");
      await page.getByRole("button", { name: "Deposit 5.00 USDC" }).click();
      // The money is spent elsewhere while the wallet dialog is open.
      await spendOwn(person, "4000000");
      await answerWallet(page, "Sign");
      await expect(page.getByText("5.00 USDC not settled", { exact: true })).toBeVisible();
      await expect(page.getByText("Your own wallet had too little USDC on this network.").first()).toBeVisible();
      await expect(page.getByText(/It can still go through until/)).toBeVisible();
      // The same signature, when the money is there.
      await mint(person.account.address, "4000000");
      await page.getByRole("button", { name: "Check again" }).click();
      await expect(page.getByText("5.00 USDC arrived in your spending wallet")).toBeVisible();
    },
  );

  unwatched(
    "a deposit after a lost connection does not request a second signature",
    { tag: "@once" },
    async ({ page }) => {
      const person = await newPerson();
      await mint(person.account.address, "5000000");
      await become(page, person);
      await page.goto("/dashboard/wallet");
      await page.getByLabel("Amount", { exact: true }).fill("2");
      await page.route("**/api/wallet/deposits", (route) => route.fulfill({ status: 502, body: "bad gateway" }));
      await page.getByRole("button", { name: "Deposit 2.00 USDC" }).click();
      await answerWallet(page, "Sign");
      await expect(page.getByText("We do not know yet")).toBeVisible();
      await expectAccessible(page);
      await page.unroute("**/api/wallet/deposits");
      await page.getByRole("button", { name: "Check again" }).click();
      await expect(page.getByText("2.00 USDC arrived in your spending wallet")).toBeVisible();
    },
  );

  test("a withdrawal sends everything to the owner's address after one confirmation", { tag: "@once" }, async ({
    page,
  }) => {
    const { person } = await busyOwner();
    await become(page, person);
    await page.goto("/dashboard/wallet");
    await page.getByRole("button", { name: "Withdraw 98.75 USDC" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(person.account.address);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Withdraw everything" }).click();
    await expect(page.getByText("98.75 USDC arrived at your own address")).toBeVisible();
    await expect(page.getByRole("region", { name: "Balance on Base", exact: true })).toContainText("0.00 USDC");
    await expect(page.getByRole("row", { name: /Withdrawal to your own wallet/ })).toContainText("Settled");
  });

  test("a withdrawal can be a part of the balance, and not more than the balance", { tag: "@once" }, async ({
    page,
  }) => {
    const person = await newPerson();
    await fund(person, "10000000");
    await become(page, person);
    await page.goto("/dashboard/wallet");
    const form = card(page, "Withdraw on Base");
    await form.getByLabel("An amount").check();
    await form.getByLabel("Amount", { exact: true }).fill("11");
    await form.getByRole("button", { name: "Withdraw 11.00 USDC" }).click();
    await expect(form.getByRole("alert")).toContainText("You can withdraw 10.00 USDC");
    await form.getByLabel("Amount", { exact: true }).fill("0.5");
    await form.getByRole("button", { name: "Withdraw 0.50 USDC" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw 0.50 USDC" }).click();
    await expect(page.getByText("0.50 USDC arrived at your own address")).toBeVisible();
  });

  test("service credits are bought after one confirmation, and an agent pays a scan with them @once", async ({
    page,
  }) => {
    const { person, agent, mandateId } = await busyOwner();
    await become(page, person);
    await page.goto("/dashboard/wallet");
    const credits = card(page, "Service credits");
    await expect(credits).toContainText("0.00 credits");
    for (const [typed, says] of [
      ["", "Enter an amount above zero"],
      ["0.005", "whole cents"],
      ["10001", "At most 10,000.00 USDC at once"],
      ["99", "holds 98.75 USDC"],
    ] as const) {
      await credits.getByLabel("Buy credits for").fill(typed);
      await credits.getByRole("button", { name: "Buy credits" }).click();
      await expect(credits.getByRole("alert").first()).toContainText(says);
    }
    await credits.getByLabel("Buy credits for").fill("5");
    await credits.getByRole("button", { name: "Buy credits" }).click();
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Pay 5.00 USDC" }).click();
    await signAction(page, "Buy service credits");
    await expect(page.getByText("5.00 USDC paid for service credits")).toBeVisible();
    await expect(credits).toContainText("5.00 credits");
    await expect(page.getByRole("row", { name: /Service credits bought/ })).toContainText("Settled");

    await payScan(agent, mandateId);
    await page.reload();
    await expect(credits).toContainText("4.50 credits");
    await expect(credits.getByRole("row", { name: /Scan paid/ })).toContainText("-0.50");
    await expectFits(page);
    await page.goto("/dashboard/payments");
    await expect(page.getByRole("row", { name: /with service credits/ })).toContainText("0.50");
  });

  test("test USDC arrives in either wallet", { tag: "@once" }, async ({ page }) => {
    await become(page, await newPerson());
    await page.goto("/dashboard/wallet");
    await page.getByRole("button", { name: "Add 100 test USDC to your own wallet" }).click();
    await expect(page.getByText("100.00 test USDC arrived in your own wallet.")).toBeVisible();
    await expect(page.getByText("Your own wallet holds 100.00 USDC on Base.")).toBeVisible();
    await page.getByRole("button", { name: "Add 100 test USDC to your spending wallet" }).click();
    await expect(page.getByText("100.00 test USDC arrived in your spending wallet.")).toBeVisible();
    await expect(page.getByRole("region", { name: "Balance on Base", exact: true })).toContainText("100.00 USDC");
  });
});

/** Moves the person's own money away, by a deposit of theirs that another tab makes. */
async function spendOwn({ account, cookie }: Person, amount: string): Promise<void> {
  const typedData = await call<Parameters<typeof account.signTypedData>[0] & { message: unknown }>(
    "GET",
    `/api/wallet/deposits/typed-data?network=base&amount=${amount}`,
    { cookie },
  );
  const signature = await account.signTypedData(typedData);
  await call("POST", "/api/wallet/deposits", {
    cookie,
    json: { network: "base", authorization: typedData.message, signature },
  });
}
