import { makeLink, newPayee, paymentsOf } from "./support/api";
import { connect, heading, mint, PAY, payment, visitAndPay, visitor } from "./support/checkout";
import { answerWallet, become, expect, expectAccessible, expectFits, test } from "./support/test";
import { injectWallet } from "./support/wallet";

test.describe("paying at a checkout", () => {
  test("a person reads the price, connects a wallet, gets test money, signs once and receives the content", async ({
    page,
  }) => {
    const seller = await newPayee();
    const link = await makeLink(seller, { resourceContent: "The report is at shelf 7.", maxUses: 10 });
    await visitor(page, "0");
    await page.goto(link.url);

    await test.step("the person reads the price before any wallet code is loaded", async () => {
      await expect(page.getByRole("heading", { level: 1, name: "Pay 1.25 USDC" })).toBeAttached();
      const offer = page.getByRole("region", { name: "What you pay for" });
      await expect(offer).toContainText("AI market report, November");
      await expect(offer).toContainText("“Data seller”");
      await expect(offer).toContainText("10 of 10 left");
      expect(await page.content()).not.toContain("shelf 7");
      await expectAccessible(page);
      await expectFits(page);
    });

    await test.step("the person connects the test wallet, which a devnet offers first", async () => {
      await page.getByRole("button", { name: "Connect a wallet" }).click();
      const wallets = page.getByRole("dialog").getByRole("listitem");
      await expect(wallets.first()).toContainText("Tessera test wallet");
      await wallets.first().getByRole("button").click();
    });

    await test.step("the person cannot pay yet, and after the faucet the button is enabled", async () => {
      const shortage = payment(page).getByRole("status").filter({ hasText: "Not enough USDC" });
      await expect(shortage).toContainText("You have0.00 USDC");
      await expect(shortage).toContainText("Short by1.25 USDC");
      await expect(page.getByRole("button", { name: PAY })).toBeDisabled();
      await expectAccessible(page);
      await expectFits(page);
      await page.getByRole("button", { name: "Get test USDC" }).click();
      await expect(page.getByRole("button", { name: PAY })).toBeEnabled();
      await expect(payment(page).getByText("Your wallet now has enough USDC.")).toBeAttached();
      await expect(shortage).toBeHidden();
      await expectAccessible(page);
    });

    await test.step("the person signs and receives the content", async () => {
      await page.getByRole("button", { name: PAY }).click();
      await expect(page.getByText("Compare the amount and the recipient")).toBeAttached();
      await answerWallet(page, "Sign");
      await expect(heading(page, "You paid 1.25 USDC")).toBeFocused();
      await expect(payment(page).getByRole("status").filter({ hasText: "Paid." })).toBeAttached();
      await expect(page.getByRole("region", { name: "Content", exact: true })).toHaveText("The report is at shelf 7.");
      await expectAccessible(page);
      await expectFits(page);
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    });

    await test.step("the person comes back and cannot pay a second time by accident", async () => {
      await page.reload();
      await expect(heading(page, "You have paid 1.25 USDC already")).toBeVisible();
      await expect(page.getByText("This browser remembers it.")).toBeVisible();
      await expect(page.getByRole("region", { name: "Content", exact: true })).toHaveText("The report is at shelf 7.");
      await expect(page.getByText("9 of 10 left")).toBeVisible();
      await expectAccessible(page);
    });

    await test.step("the person has a receipt", async () => {
      await page.getByRole("link", { name: "See the receipt" }).click();
      await expect(page).toHaveURL(/\/receipt\/stl_/);
      await expect(page.getByRole("heading", { level: 1, name: "Paid" })).toBeVisible();
    });
  });

  test("a wallet extension pays, with a devnet warning, a network switch and one signature", async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const wallet = await injectWallet(page, { chainId: 1 });
    await mint(wallet.account.address, "2000000");
    await page.goto(link.url);
    await connect(page, /Fox/);
    await expect(page.getByRole("alert").filter({ hasText: "This is not the real Base" })).toBeVisible();
    await page.getByRole("button", { name: "Use Fox anyway" }).click();
    await expect(payment(page).getByText("Your wallet is on Ethereum")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Switch to Base" }).click();
    await page.getByRole("button", { name: PAY }).click();
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    expect(wallet.calls.filter((method) => method.startsWith("eth_sign"))).toEqual(["eth_signTypedData_v4"]);
    expect(await paymentsOf(seller, link)).toMatchObject([{ payerAddress: wallet.account.address, amount: "1250000" }]);
  });

  test("a wallet that exists only as window.ethereum pays", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const wallet = await injectWallet(page, { knownBy: "global" });
    await mint(wallet.account.address, "2000000");
    await page.goto(link.url);
    await connect(page, /Browser wallet/);
    await page.getByRole("button", { name: "Use Browser wallet anyway" }).click();
    await page.getByRole("button", { name: PAY }).click();
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    expect(await paymentsOf(seller, link)).toMatchObject([{ payerAddress: wallet.account.address, amount: "1250000" }]);
  });

  test("a wallet that also announces its window.ethereum is offered once, by its name", { tag: "@once" }, async ({
    page,
  }) => {
    const link = await makeLink(await newPayee());
    await injectWallet(page, { knownBy: "both" });
    await page.goto(link.url);
    await page.getByRole("button", { name: "Connect a wallet" }).click();
    const wallets = page.getByRole("dialog").getByRole("listitem");
    await expect(wallets.filter({ hasText: "Tessera test wallet" })).toHaveCount(1);
    await expect(wallets.filter({ hasText: "Fox" })).toHaveCount(1);
    await expect(wallets).toHaveCount(2);
  });

  test("a person pays on Base Sepolia too", { tag: "@once" }, async ({ page }) => {
    const link = await makeLink(await newPayee(), { network: "base-sepolia" });
    await visitor(page, "2000000", "base-sepolia");
    await page.goto(link.url);
    await connect(page);
    await page.getByRole("button", { name: "Switch to Base Sepolia" }).click();
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
  });

  test("a person pays with the keyboard alone", { tag: "@once" }, async ({ page }) => {
    const link = await makeLink(await newPayee(), { resourceContent: "Yours." });
    await visitor(page);
    await page.goto(link.url);
    const press = async (name: string | RegExp) => {
      const target = page.getByRole("button", { name, exact: true });
      await expect(target).toBeVisible();
      for (let presses = 0; presses < 60; presses++) {
        if (await target.evaluate((element) => element === document.activeElement)) return page.keyboard.press("Enter");
        await page.keyboard.press("Tab");
      }
      throw new Error(`Tab never reached ${name}`);
    };
    await press("Connect a wallet");
    await press(/Tessera test wallet/);
    await press(PAY);
    await press("Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveAccessibleName(/Copy/);
  });

  test("a payment that the person does not sign moves nothing, and can be signed afterwards", { tag: "@once" }, async ({
    page,
  }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    await visitor(page);
    await visitAndPay(page, link.url);
    await answerWallet(page, "Reject");
    await expect(page.getByRole("alert").filter({ hasText: "You did not sign" })).toContainText("No money moved");
    await expectAccessible(page);
    expect(await paymentsOf(seller, link)).toEqual([]);
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
  });

  test("a double click requests one signature and pays once", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    await visitor(page);
    await page.goto(link.url);
    await connect(page);
    await page.getByRole("button", { name: PAY }).dblclick();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await paymentsOf(seller, link)).toHaveLength(1);
  });

  test("a second payment requires an explicit choice", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    await visitor(page);
    await visitAndPay(page, link.url);
    await answerWallet(page, "Sign");
    await page.getByRole("button", { name: "Pay again" }).click();
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    expect(await paymentsOf(seller, link)).toHaveLength(2);
  });

  test("a second tab that was open before is told of the payment", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const person = await visitor(page);
    const other = await page.context().newPage();
    await become(other, person, false);
    await other.goto(link.url);
    await connect(other);
    await expect(other.getByRole("button", { name: PAY })).toBeEnabled();
    await page.goto(link.url);
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    await expect(heading(other, "You have paid 1.25 USDC already")).toBeVisible();
    await expect(other.getByRole("button", { name: PAY })).toBeHidden();
    expect(await paymentsOf(seller, link)).toHaveLength(1);
  });

  test("a payment that is signed in two tabs at once is paid once", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const person = await visitor(page);
    const other = await page.context().newPage();
    await become(other, person, false);
    await visitAndPay(page, link.url);
    // The wallet of the first tab is connected here too.
    await other.goto(link.url);
    await other.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    await answerWallet(other, "Sign");
    await expect(heading(other, "You have paid 1.25 USDC already")).toBeVisible();
    expect(await paymentsOf(seller, link)).toHaveLength(1);
  });
});
