import { BASE_URL, call, makeLink, newPayee } from "./support/api";
import { connect, heading, PAY, payment, visitAndPay, visitor } from "./support/checkout";
import { answerWallet, expect, expectAccessible, expectFits, test } from "./support/test";

test("a seller's words are text: no markup, no script, their own direction", async ({ page }) => {
  const hostile =
    '<img src=x onerror="document.title=1"><script>document.title=2</script><a href="javascript:1">Free</a>';
  const seller = await newPayee();
  const link = await makeLink(seller, {
    description: `${hostile}\nדוח שוק ${"A".repeat(300)}`,
    resourceContent: `${hostile} {"a":1}`,
    reference: "Order-1042",
  });
  await visitor(page);
  await page.goto(link.url);
  expect(await page.content()).not.toContain("Order-1042");
  const offer = page.getByRole("region", { name: "What you pay for" });
  await expect(offer.getByRole("blockquote")).toContainText(hostile);
  await expect(offer.locator("img, script, blockquote a")).toHaveCount(0);
  await expect(offer.getByRole("blockquote")).toHaveAttribute("dir", "auto");
  await expectFits(page);
  await page.getByRole("tab", { name: "Agent" }).click();
  await expect(page.getByRole("region", { name: "the 402 answer" })).toContainText("<script>");
  await expectFits(page);
  await page.getByRole("tab", { name: "Wallet" }).click();
  await connect(page);
  await page.getByRole("button", { name: PAY }).click();
  await answerWallet(page, "Sign");
  const content = page.getByRole("region", { name: "Content", exact: true });
  await expect(content).toHaveText(`${hostile} {"a":1}`);
  await expect(content.locator("img, script, a")).toHaveCount(0);
  await expect(page).toHaveTitle("Pay · Tessera");
  await expectFits(page);
});

test("without a wallet in the browser it is said which app to open the page in", async ({ page }) => {
  const link = await makeLink(await newPayee());
  // Without the local test wallet, which real buyers do not have.
  await page.route(link.url, async (route) => {
    const answer = await route.fetch();
    const html = (await answer.text()).replaceAll('\\"mode\\":\\"devnet\\"', '\\"mode\\":\\"production\\"');
    await route.fulfill({ response: answer, body: html });
  });
  await page.goto(link.url);
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  const said = payment(page).getByRole("status").filter({ hasText: "No wallet in this browser" });
  await expect(said).toBeVisible();
  await expect(said.getByRole("link", { name: /MetaMask/ })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
});

test.describe("afterwards", () => {
  test("the buyer is taken back to the seller, who learns the receipt @once", async ({ page }) => {
    const link = await makeLink(await newPayee(), { redirectUrl: `${BASE_URL}/?order=7` });
    await visitor(page);
    await page.goto(link.url);
    await expect(page.getByText(`back to ${new URL(BASE_URL).host}`)).toBeVisible();
    expect(await page.content()).not.toContain("order=7");
    await connect(page);
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(page.getByText(/Back to .* in \d s/)).toBeVisible();
    await expectAccessible(page);
    await page.waitForURL(/\/\?order=7&receiptId=stl_\w+$/);
  });

  test("unless they would rather stay", { tag: "@once" }, async ({ page }) => {
    const link = await makeLink(await newPayee(), { redirectUrl: `${BASE_URL}/`, resourceContent: "Yours." });
    await visitor(page);
    await visitAndPay(page, link.url);
    await answerWallet(page, "Sign");
    await page.clock.install();
    await page.getByRole("button", { name: "Stay here" }).click();
    await page.clock.runFor(20_000);
    await expect(page).toHaveURL(link.url);
    await expect(page.getByText("You stay here.")).toBeVisible();
    await expect(page.getByRole("link", { name: /^Go to/ })).toHaveAttribute("href", /receiptId=stl_/);
    await expectAccessible(page);
  });
});

test("the other ways to pay: a code and wallet apps for phones, x402 for agents", async ({ page }) => {
  const link = await makeLink(await newPayee());
  await page.goto(link.url);
  await page.getByRole("tab", { name: "Wallet" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Phone" })).toBeFocused();
  await expect(
    page.getByRole("img", { name: `QR code. Scan it with your phone to pay there: ${link.url}` }),
  ).toBeVisible();
  const encoded = encodeURIComponent(link.url);
  const addresses = {
    MetaMask: `https://link.metamask.io/dapp/${link.url.replace(/^https?:\/\//, "")}`,
    "Base app": `https://go.cb-w.com/dapp?cb_url=${encoded}`,
    "Trust Wallet": `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}`,
    "OKX Wallet": `okx://wallet/dapp/url?dappUrl=${encoded}`,
  };
  for (const [name, href] of Object.entries(addresses)) {
    await expect(page.getByRole("link", { name })).toHaveAttribute("href", href);
  }
  await expectAccessible(page);
  await expectFits(page);
  await page.keyboard.press("End");
  await expect(page.getByText(`curl -i ${link.url}`)).toBeVisible();
  const shown = await page.getByRole("region", { name: "the 402 answer" }).textContent();
  expect(JSON.parse(shown ?? "")).toEqual(await call("GET", `/pay/${link.linkId}`, {}, 402));
  await expectAccessible(page);
  await expectFits(page);
});

test("no wallet code is loaded before a visitor opens the choice of wallets", { tag: "@once" }, async ({ page }) => {
  const link = await makeLink(await newPayee());
  const scripts: Promise<number>[] = [];
  page.on("response", (answer) => {
    const request = answer.request();
    if (request.resourceType() === "script")
      scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(link.url, { waitUntil: "networkidle" });
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(150_000);
  const before = scripts.length;
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(scripts.length).toBeGreaterThan(before);
});

test("the time left is read aloud three times and no more", { tag: "@once" }, async ({ page }) => {
  const link = await makeLink(await newPayee(), { expiresAt: new Date(Date.now() + 310_000).toISOString() });
  await page.clock.install();
  await page.goto(link.url);
  const said = page.getByRole("status").filter({ hasText: "can be paid for" });
  await expect(page.getByText(/^Expires in 5 min/)).toBeVisible();
  await expect(said).toHaveCount(0);
  await page.clock.runFor(12_000);
  await expect(said).toContainText("5 minutes more");
  await page.clock.runFor(120_000);
  await expect(said).toContainText("5 minutes more");
  await page.clock.runFor(120_000);
  await expect(said).toContainText("1 minute more");
  await page.clock.runFor(50_000);
  await expect(said).toContainText("10 seconds more");
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing and nothing scrolls sideways, ${scheme}`, { tag: scheme === "dark" ? "@once" : [] }, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const seller = await newPayee();
    const link = await makeLink(seller, {
      description: "x".repeat(1000),
      resourceContent: JSON.stringify({ key: "y".repeat(400) }),
      expiresAt: new Date(Date.now() + 200_000).toISOString(),
      redirectUrl: `${BASE_URL}/`,
      maxUses: 2,
    });
    await visitor(page, "100");
    const check = async () => {
      await expectAccessible(page);
      await expectFits(page);
    };
    await page.goto(link.url);
    for (const tab of ["Phone", "Agent", "Wallet"]) {
      await page.getByRole("tab", { name: tab }).click();
      await check();
    }
    await connect(page);
    await expect(payment(page).getByText("Not enough USDC in this wallet")).toBeVisible();
    await check();
    await page.getByRole("button", { name: "Get test USDC" }).click();
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Reject");
    await check();
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await page.getByRole("button", { name: "Stay here" }).click();
    await check();
    await call("PATCH", `/api/payment-links/${link.linkId}`, { jwt: seller.jwt, json: { status: "disabled" } });
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(heading(page, "This link is disabled")).toBeVisible();
    await check();
  });
}
