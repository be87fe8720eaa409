import { BASE_URL, call, makeLink, newPayee } from "./support/api";
import { connect, heading, PAY, payment, visitAndPay, visitor } from "./support/checkout";
import { answerWallet, expect, expectAccessible, expectFits, test } from "./support/test";
import { injectWallet } from "./support/wallet";

test("a seller's words are shown as text without markup or scripts, in their own direction", { tag: "@once" }, async ({
  page,
}) => {
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
  await expect(page.getByRole("region", { name: "the 402 response" })).toContainText("<script>");
  await expectFits(page);
  await page.getByRole("tab", { name: "Wallet" }).click();
  await connect(page);
  await page.getByRole("button", { name: PAY }).click();
  await answerWallet(page, "Sign");
  const content = page.getByRole("region", { name: "Content", exact: true });
  await expect(content).toHaveText(`${hostile} {"a":1}`);
  await expect(content.locator("img, script, a")).toHaveCount(0);
  await expect(page).toHaveTitle("Pay 1.25 USDC");
  await expectFits(page);
});

test("the page names the wallet apps to open it in when the browser has no wallet", async ({ page }) => {
  const link = await makeLink(await newPayee());
  // Without the local test wallet, which real buyers do not have.
  await page.route(link.url, async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replaceAll('\\"mode\\":\\"devnet\\"', '\\"mode\\":\\"production\\"');
    await route.fulfill({ response: response, body: html });
  });
  await page.goto(link.url);
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  const said = payment(page).getByRole("status").filter({ hasText: "No wallet in this browser" });
  await expect(said).toBeVisible();
  await expect(said.getByRole("link", { name: /MetaMask/ })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
});

test.describe("after the payment", () => {
  test("the buyer is redirected to the seller, who gets the receipt @once", async ({ page }) => {
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

  test("the buyer can choose to stay", { tag: "@once" }, async ({ page }) => {
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

test("the page offers other ways to pay: wallet apps and a code for phones, x402 for agents", async ({ page }) => {
  const link = await makeLink(await newPayee());
  await page.goto(link.url);
  await page.getByRole("tab", { name: "Wallet" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Phone" })).toBeFocused();
  const code = page.getByRole("img", { name: /^QR code\. Scan it with/ });
  if (test.info().project.name === "phone") {
    // A phone cannot scan itself: it opens wallets, and the code is for another device.
    await expect(code).toBeHidden();
    await expect(page.getByRole("link", { name: "MetaMask" })).toBeInViewport();
    await expectAccessible(page);
    await page.getByText("Pay with another device").click();
  }
  await expect(code).toBeVisible();
  await expect(code).toHaveAccessibleName(new RegExp(`${link.url}$`));
  await page.screenshot({ path: test.info().outputPath("phone-way.png"), fullPage: true });
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
  await page.getByRole("tab", { name: "Phone" }).focus();
  await page.keyboard.press("End");
  await expect(page.getByText(`curl -i ${link.url}`)).toBeVisible();
  const shown = await page.getByRole("region", { name: "the 402 response" }).textContent();
  expect(JSON.parse(shown ?? "")).toEqual(await call("GET", `/pay/${link.linkId}`, {}, 402));
  await expectAccessible(page);
  await expectFits(page);
});

test("a link's preview has the price, the seller's words in quotation marks, and a picture", { tag: "@once" }, async ({
  page,
}) => {
  const payee = await newPayee();
  const link = await makeLink(payee, { description: 'A "report"\n</title><script>1</script>' });
  // The request that a messenger sends for a preview.
  const response = await page.request.get(link.url, {
    headers: { "User-Agent": "Slackbot-LinkExpanding 1.0", Accept: "*/*" },
  });
  await page.setContent((await response.text()).replaceAll(/<script[\s\S]*?<\/script>/g, ""));
  const meta = (name: string) => page.locator(`meta[property="${name}"]`).first().getAttribute("content");
  expect(await meta("og:title")).toBe("Pay 1.25 USDC");
  expect(await meta("og:description")).toBe(
    '1.25 USDC on Base. Seller (name not verified): “Data seller”. The seller says: “A "report" </title><script>1</script>”',
  );
  expect([await meta("product:price:amount"), await meta("product:price:currency")]).toEqual(["1.25", "USDC"]);
  const picture = await meta("og:image");
  expect(picture).toBe(`${BASE_URL}/api/payment-links/${link.linkId}/picture`);
  const drawn = await page.request.get(picture ?? "");
  expect([drawn.status(), drawn.headers()["content-type"]]).toEqual([200, "image/png"]);
  await page.goto((await makeLink(payee, { title: "Lisbon in three days" })).url);
  await expect(page).toHaveTitle("Lisbon in three days · 1.25 USDC");
  expect(await meta("og:title")).toBe("Lisbon in three days · 1.25 USDC");
});

test("a buyer without USDC sees each step, and the QR code can only fund their own wallet", { tag: "@once" }, async ({
  page,
}) => {
  const link = await makeLink(await newPayee());
  await page.route(link.url, async (route) => {
    const response = await route.fetch();
    const html = (await response.text())
      .replaceAll('\\"mode\\":\\"devnet\\"', '\\"mode\\":\\"production\\"')
      .replaceAll('\\"onrampUrl\\":null', '\\"onrampUrl\\":\\"https://buy.example/?to={address}&usdc={amount}\\"');
    await route.fulfill({ response: response, body: html });
  });
  const { account } = await injectWallet(page);
  await page.goto(link.url);
  await expect(page.getByText("USDC is a digital dollar")).toBeVisible();
  await expect(page.getByText("Don't send USDC to this address yourself")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy amount" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy recipient address" })).toBeVisible();
  await connect(page, /Fox/);
  const shortage = payment(page).getByRole("status").filter({ hasText: "Not enough USDC" });
  await expect(shortage.getByRole("listitem")).toHaveCount(3);
  await expect(shortage.getByRole("button", { name: "Copy your address" })).toBeVisible();
  await expect(shortage.getByRole("button", { name: "Copy the missing amount" })).toBeVisible();
  await expect(shortage.getByRole("link", { name: "Buy USDC at buy.example" })).toHaveAttribute(
    "href",
    `https://buy.example/?to=${account.address}&usdc=1.25`,
  );
  await shortage.getByText("Fill it from a wallet on your phone").click();
  const code = shortage.getByRole("img", { name: /^QR code/ });
  await expect(code).toHaveAccessibleName(
    new RegExp(
      `ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer\\?address=${account.address}&uint256=1250000$`,
    ),
  );
  await expect(shortage).toContainText("This does not pay the seller.");
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("shortage.png"), fullPage: true });
});

test("the copied URL of a purchase shows it in another browser, with the seller's name", { tag: "@once" }, async ({
  page,
  browser,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const link = await makeLink(await newPayee(), { resourceContent: "At shelf 7.", redirectUrl: `${BASE_URL}/` });
  await visitor(page);
  await visitAndPay(page, link.url);
  await answerWallet(page, "Sign");
  await page.getByRole("button", { name: "Stay here" }).click();
  await page.getByRole("button", { name: "Copy purchase link" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const address = await page.evaluate(() => navigator.clipboard.readText());
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(address);
  await expect(elsewhere.getByRole("region", { name: "What you bought" })).toContainText("At shelf 7.");
  const facts = elsewhere.getByRole("region", { name: "Payment" });
  await expect(facts).toContainText("Seller (name not verified)“Data seller”");
  await expect(facts).toContainText(`Seller’s site${new URL(BASE_URL).host}`);
  await elsewhere.context().close();
  await page.goto(address);
  await expect(page.getByRole("button", { name: "Copy purchase link" })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("purchase.png"), fullPage: true });
});

test("no wallet code is loaded before a visitor opens the choice of wallets", { tag: "@once" }, async ({ page }) => {
  const link = await makeLink(await newPayee());
  const scripts: Promise<number>[] = [];
  page.on("response", (response) => {
    const request = response.request();
    if (request.resourceType() === "script")
      scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(link.url, { waitUntil: "networkidle" });
  const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  // 1.6 KB of it is what Next needs to survive the loss of the network.
  expect(bytes).toBeLessThan(154_000);
  const before = scripts.length;
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(scripts.length).toBeGreaterThan(before);
});

test("the remaining time is announced to screen readers three times and not more often", { tag: "@once" }, async ({
  page,
}) => {
  const link = await makeLink(await newPayee(), { expiresAt: new Date(Date.now() + 310_000).toISOString() });
  await page.clock.install();
  await page.goto(link.url);
  const said = page.getByRole("status").filter({ hasText: "Time left to pay" });
  await expect(page.getByText(/^Expires in 5 min/)).toBeVisible();
  await expect(said).toHaveCount(0);
  await page.clock.runFor(12_000);
  await expect(said).toContainText("Time left to pay: 5 minutes");
  await page.clock.runFor(120_000);
  await expect(said).toContainText("Time left to pay: 5 minutes");
  await page.clock.runFor(120_000);
  await expect(said).toContainText("Time left to pay: 1 minute");
  await page.clock.runFor(50_000);
  await expect(said).toContainText("Time left to pay: 10 seconds");
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds no fault and nothing scrolls sideways, ${scheme}`, { tag: scheme === "dark" ? "@once" : [] }, async ({
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
