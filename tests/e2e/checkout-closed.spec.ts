import { BASE_URL, call, makeLink, newAgent, newPayee, paymentsOf } from "./support/api";
import { connect, heading, PAY, payment, visitAndPay, visitor } from "./support/checkout";
import { answerWallet, expect, expectAccessible, expectFits, test } from "./support/test";

test.describe("payment links that cannot be paid", () => {
  test("say why when disabled, expired, sold out, deleted or unknown, and that nothing was charged", async ({
    page,
  }) => {
    const seller = await newPayee();
    const patch = (linkId: string, json: object) =>
      call("PATCH", `/api/payment-links/${linkId}`, { jwt: seller.jwt, json });

    const off = await makeLink(seller);
    await patch(off.linkId, { status: "disabled" });
    await page.goto(off.url);
    await expect(heading(page, "This link is disabled")).toBeVisible();
    await expect(payment(page)).toContainText("Opening this page charged nothing");
    await expect(page.getByRole("button", { name: "Connect a wallet" })).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);

    const expiring = await makeLink(seller, { expiresAt: new Date(Date.now() + 9_000).toISOString() });
    await page.goto(expiring.url);
    await expect(page.getByText(/^Expires in \d s$/)).toBeVisible();
    await expect(heading(page, "This link has expired")).toBeVisible();
    await expectAccessible(page);

    const single = await makeLink(seller, { maxUses: 1 });
    await visitor(page);
    await page.goto(single.url);
    await expect(page.getByText("Can be paid once")).toBeVisible();
    await connect(page);
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    await page.reload();
    await expect(heading(page, "You have paid 1.25 USDC already")).toBeVisible();
    await expect(page.getByRole("button", { name: "Pay again" })).toHaveCount(0);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(heading(page, "Sold out")).toBeVisible();
    await expectAccessible(page);

    await call("DELETE", `/api/payment-links/${off.linkId}`, { jwt: seller.jwt });
    for (const url of [off.url, `${BASE_URL}/pay/lnk_nobody000000000000000000`, `${BASE_URL}/pay/x`]) {
      expect((await page.goto(url))?.status()).toBe(404);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such payment link");
      await expect(page.getByText("Opening it charged nothing.")).toBeVisible();
      await expectAccessible(page);
    }
  });

  test("give a buyer who has paid before the content with one click, also if the link is deleted", {
    tag: "@once",
  }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    await visitor(page);
    await visitAndPay(page, link.url);
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    await call("DELETE", `/api/payment-links/${link.linkId}`, { jwt: seller.jwt });
    await page.reload();
    await expect(page.getByText("You have paid at this link before")).toBeVisible();
    await page.getByRole("link", { name: "See the receipt" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Paid" })).toBeVisible();
  });

  test("are not signed for when they are disabled while the page is open", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    await visitor(page);
    await page.goto(link.url);
    await connect(page);
    await expect(page.getByRole("button", { name: PAY })).toBeEnabled();
    await call("PATCH", `/api/payment-links/${link.linkId}`, { jwt: seller.jwt, json: { status: "disabled" } });
    await page.getByRole("button", { name: PAY }).click();
    await expect(heading(page, "This link is disabled")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("do not send a refused payment later without a click", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const path = `/api/payment-links/${link.linkId}`;
    await visitor(page);
    await visitAndPay(page, link.url);
    await expect(page.getByText("Compare the amount and the recipient")).toBeAttached();
    await call("PATCH", path, { jwt: seller.jwt, json: { status: "disabled" } });
    await answerWallet(page, "Sign");
    await expect(heading(page, "Not paid. No money moved")).toBeVisible();
    await call("PATCH", path, { jwt: seller.jwt, json: { status: "active" } });
    const balanceRead = page.waitForResponse((response) => response.url().includes("/balances/"));
    await page.reload();
    await expect(page.getByRole("button", { name: PAY })).toBeEnabled();
    await balanceRead;
    expect(await paymentsOf(seller, link)).toHaveLength(0);
  });

  test("cannot be created by an agent without a wallet", { tag: "@once" }, async () => {
    const agent = await newAgent();
    const json = { amount: "1250000" };
    await call("POST", "/api/payment-links", { jwt: agent.jwt, json }, 409);
  });
});
