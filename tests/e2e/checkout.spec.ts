import { type Page, type Route, test as unwatched } from "@playwright/test";
import { BASE_URL, call, makeLink, newAgent, newPayee, newPerson, type Person, payAs, paymentsOf } from "./support/api";
import { answerWallet, become, expect, expectAccessible, expectFits, test } from "./support/test";
import { injectWallet } from "./support/wallet";

const PAY = "Pay 1.25 USDC";
const payment = (page: Page) => page.getByRole("region", { name: "Payment", exact: true });
const heading = (page: Page, name: string | RegExp) => payment(page).getByRole("heading", { level: 2, name });
const mint = (address: string, amount: string, network = "base") =>
  call("POST", "/api/devnet/faucet", { json: { address, amount, network } });

/** Somebody with `held` in the browser's test wallet. */
async function visitor(page: Page, held = "40000000", network = "base"): Promise<Person> {
  const person = await newPerson();
  if (held !== "0") await mint(person.account.address, held, network);
  await become(page, person, false);
  return person;
}

async function connect(page: Page, wallet = /Tessera test wallet/): Promise<void> {
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await page.getByRole("dialog").getByRole("button", { name: wallet }).click();
}

/** As far as the wallet's question. */
async function visitAndPay(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await connect(page);
  await page.getByRole("button", { name: PAY }).click();
}

const isPayment = (route: Route) => "x-payment" in route.request().headers();
const PRESENTED = "**/paymentlink/*";

test.describe("paying", () => {
  test("a person reads, connects, takes test money, signs once and gets what they bought", async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller, { resourceContent: "The report is at shelf 7.", maxUses: 10 });
    await visitor(page, "0");
    await page.goto(link.url);

    await test.step("reads the price before any wallet is loaded", async () => {
      await expect(page.getByRole("heading", { level: 1, name: "Pay 1.25 USDC" })).toBeAttached();
      const offer = page.getByRole("region", { name: "What you pay for" });
      await expect(offer).toContainText("AI market report, November");
      await expect(offer).toContainText("“Data seller”");
      await expect(offer).toContainText("10 of 10 left");
      expect(await page.content()).not.toContain("shelf 7");
      await expectAccessible(page);
      await expectFits(page);
    });

    await test.step("connects the wallet that the devnet offers first", async () => {
      await page.getByRole("button", { name: "Connect a wallet" }).click();
      const wallets = page.getByRole("dialog").getByRole("listitem");
      await expect(wallets.first()).toContainText("Tessera test wallet");
      await wallets.first().getByRole("button").click();
    });

    await test.step("cannot pay yet, and the faucet turns the button on", async () => {
      const shortage = payment(page).getByRole("status").filter({ hasText: "Not enough USDC" });
      await expect(shortage).toContainText("You have0.00 USDC");
      await expect(shortage).toContainText("Short by1.25 USDC");
      await expect(page.getByRole("button", { name: PAY })).toBeDisabled();
      await expectAccessible(page);
      await expectFits(page);
      await page.getByRole("button", { name: "Get test USDC" }).click();
      await expect(page.getByRole("button", { name: PAY })).toBeEnabled();
      await expect(payment(page).getByText("There is enough USDC in your wallet now.")).toBeAttached();
      await expect(shortage).toBeHidden();
      await expectAccessible(page);
    });

    await test.step("signs and is given the content", async () => {
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

    await test.step("comes back and is not asked to pay again", async () => {
      await page.reload();
      await expect(heading(page, "You have paid 1.25 USDC already")).toBeVisible();
      await expect(page.getByText("This browser remembers it.")).toBeVisible();
      await expect(page.getByRole("region", { name: "Content", exact: true })).toHaveText("The report is at shelf 7.");
      await expect(page.getByText("9 of 10 left")).toBeVisible();
      await expectAccessible(page);
    });

    await test.step("has a receipt", async () => {
      await page.getByRole("link", { name: "See the receipt" }).click();
      await expect(page).toHaveURL(/\/receipt\/stl_/);
      await expect(page.getByRole("heading", { level: 1, name: "Paid" })).toBeVisible();
    });
  });

  test("a wallet extension pays: warned of on a devnet, moved to the right network, asked to sign once", async ({
    page,
  }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const wallet = await injectWallet(page, { chainId: 1 });
    await mint(wallet.account.address, "2000000");
    await page.goto(link.url);
    await connect(page, /Fox/);
    await expect(page.getByRole("alert").filter({ hasText: "This is not the real Base" })).toBeVisible();
    await page.getByRole("button", { name: "Use Fox anyway" }).click();
    await expect(payment(page).getByText("Your wallet is on chain 1")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Switch to Base" }).click();
    await page.getByRole("button", { name: PAY }).click();
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    expect(wallet.calls.filter((method) => method.startsWith("eth_sign"))).toEqual(["eth_signTypedData_v4"]);
    expect(await paymentsOf(seller, link)).toMatchObject([{ payerAddress: wallet.account.address, amount: "1250000" }]);
  });

  test("on Base Sepolia too", { tag: "@once" }, async ({ page }) => {
    const link = await makeLink(await newPayee(), { network: "base-sepolia" });
    await visitor(page, "2000000", "base-sepolia");
    await page.goto(link.url);
    await connect(page);
    await page.getByRole("button", { name: "Switch to Base Sepolia" }).click();
    await page.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
  });

  test("with the keyboard alone", { tag: "@once" }, async ({ page }) => {
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

  test("what is not signed moves nothing, and can be signed after all", { tag: "@once" }, async ({ page }) => {
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

  test("a double click asks once and pays once", { tag: "@once" }, async ({ page }) => {
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

  test("whoever wants to pays a second time, knowingly", { tag: "@once" }, async ({ page }) => {
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

  test("a second tab that was open before knows of the payment when it is pressed", { tag: "@once" }, async ({
    page,
  }) => {
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
    await other.getByRole("button", { name: PAY }).click();
    await expect(heading(other, "You have paid 1.25 USDC already")).toBeVisible();
    expect(await paymentsOf(seller, link)).toHaveLength(1);
  });

  test("signed in two tabs at once, it is paid once", { tag: "@once" }, async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    const person = await visitor(page);
    const other = await page.context().newPage();
    await become(other, person, false);
    await visitAndPay(page, link.url);
    await other.goto(link.url);
    await connect(other);
    await other.getByRole("button", { name: PAY }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
    await answerWallet(other, "Sign");
    await expect(heading(other, "You have paid 1.25 USDC already")).toBeVisible();
    expect(await paymentsOf(seller, link)).toHaveLength(1);
  });
});

// Not watched: Chromium writes a console error for each answer of 5xx and each broken connection.
unwatched.describe("when something goes wrong", () => {
  unwatched(
    "cut off before we had it: the same signature is sent again, after a reload too",
    { tag: "@once" },
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller, { resourceContent: "Yours." });
      await visitor(page);
      const presented = new Set<string>();
      await page.route(PRESENTED, (route) => {
        if (!isPayment(route)) return route.fallback();
        presented.add(route.request().headers()["x-payment"] ?? "");
        return route.abort();
      });
      await visitAndPay(page, link.url);
      await answerWallet(page, "Sign");
      await expect(heading(page, "We are checking. Do not pay again")).toBeFocused();
      await expectAccessible(page);
      await page.reload();
      await expect(heading(page, "We are checking. Do not pay again")).toBeVisible();
      await expect(page.getByRole("button", { name: PAY })).toBeHidden();
      await page.getByRole("button", { name: "Check now" }).click();
      await page.unroute(PRESENTED);
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      expect(presented.size).toBe(1);
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    },
  );

  unwatched(
    "cut off after we had it: the content still comes, to this browser alone",
    { tag: "@once" },
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller, { resourceContent: '{"shelf":7}' });
      await visitor(page);
      // Not unrouted in the end: the page may be asking at that very moment.
      let isCutOff = true;
      await page.route(PRESENTED, async (route) => {
        if (!isPayment(route) || !isCutOff) return route.fallback();
        await route.fetch();
        return route.abort();
      });
      await visitAndPay(page, link.url);
      await answerWallet(page, "Sign");
      await expect(heading(page, "We are checking. Do not pay again")).toBeVisible();
      isCutOff = false;
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      await expect(page.getByRole("region", { name: "Content", exact: true })).toContainText('"shelf": 7');
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    },
  );

  unwatched(
    "a slow chain: it is safe to close the page, and the page says how it ended",
    { tag: "@once" },
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller, { resourceContent: "Yours.", redirectUrl: `${BASE_URL}/` });
      await visitor(page);
      let isSlow = true;
      await page.route(PRESENTED, async (route) => {
        if (!isPayment(route)) return route.fallback();
        const answer: { settlementId: string; receipt: { txHash: string } } = await (await route.fetch()).json();
        const json = { status: "pending", settlementId: answer.settlementId, txHash: answer.receipt.txHash };
        return route.fulfill({ status: 202, json });
      });
      await page.route("**/api/settlements/*", async (route) => {
        const answer = await route.fetch();
        const json = { ...(await answer.json()), ...(isSlow && { settlementStatus: "pending", content: undefined }) };
        return route.fulfill({ json });
      });
      await visitAndPay(page, link.url);
      await answerWallet(page, "Sign");
      await expect(heading(page, "1.25 USDC on the way")).toBeFocused();
      await expect(payment(page)).toContainText("It is safe to close this page. Do not pay again");
      await expect(page.getByRole("button", { name: "Copy transaction hash" })).toBeVisible();
      await expectAccessible(page);
      await page.goto("about:blank");
      await page.goto(link.url);
      await expect(heading(page, "1.25 USDC on the way")).toBeVisible();
      isSlow = false;
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      await page.getByRole("button", { name: "Stay here" }).click();
      await expect(page.getByRole("region", { name: "Content", exact: true })).toHaveText("Yours.");
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    },
  );

  unwatched(
    "a payment that the chain refuses says until when it can be used, and goes on with the same signature",
    { tag: "@once" },
    async ({ page }) => {
      const seller = await newPayee();
      const link = await makeLink(seller);
      const other = await makeLink(seller, { amount: "1000000" });
      const person = await visitor(page, "1500000");
      await visitAndPay(page, link.url);
      // While the wallet asks, the money goes elsewhere.
      await payAs(person, other);
      await answerWallet(page, "Sign");
      await expect(heading(page, "Not settled. Do not sign again")).toBeFocused();
      await expect(payment(page)).toContainText("Your wallet had too little USDC on this network.");
      await expect(payment(page)).toContainText("Your signed payment can still be used until");
      await expectAccessible(page);
      await mint(person.account.address, "1250000");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
      expect(await paymentsOf(seller, link)).toHaveLength(1);
    },
  );
});

test.describe("links that nobody can pay", () => {
  test("switched off, expired, sold out, deleted and never made: each says so and that nothing was charged", async ({
    page,
  }) => {
    const seller = await newPayee();
    const patch = (linkId: string, json: object) =>
      call("PATCH", `/api/payment-links/${linkId}`, { jwt: seller.jwt, json });

    const off = await makeLink(seller);
    await patch(off.linkId, { status: "disabled" });
    await page.goto(off.url);
    await expect(heading(page, "This link is disabled")).toBeVisible();
    await expect(payment(page)).toContainText("Nothing was charged");
    await expect(page.getByRole("button", { name: "Connect a wallet" })).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);

    const expiring = await makeLink(seller, { expiresAt: new Date(Date.now() + 4_000).toISOString() });
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
      await expect(page.getByText("Nothing was charged.")).toBeVisible();
      await expectAccessible(page);
    }
  });

  test("what was bought at a link that is gone is one press away", { tag: "@once" }, async ({ page }) => {
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

  test("one that is switched off while it is open is not signed for", { tag: "@once" }, async ({ page }) => {
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

  test("what was refused is not paid later by itself", { tag: "@once" }, async ({ page }) => {
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
    const asked = page.waitForResponse((answer) => answer.url().includes("/balances/"));
    await page.reload();
    await expect(page.getByRole("button", { name: PAY })).toBeEnabled();
    await asked;
    expect(await paymentsOf(seller, link)).toHaveLength(0);
  });

  test("an agent without a wallet has no links", { tag: "@once" }, async () => {
    const agent = await newAgent();
    const json = { amount: "1250000" };
    await call("POST", "/api/payment-links", { jwt: agent.jwt, json }, 409);
  });
});

test("a seller's words are text: no markup, no script, their own direction", async ({ page }) => {
  const hostile =
    '<img src=x onerror="document.title=1"><script>document.title=2</script><a href="javascript:1">Free</a>';
  const seller = await newPayee();
  const link = await makeLink(seller, {
    description: `${hostile}\nדוח שוק ${"A".repeat(300)}`,
    resourceContent: `${hostile} {"a":1}`,
  });
  await visitor(page);
  await page.goto(link.url);
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
  // Without the wallet that the local world brings, which nobody has who buys in earnest.
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

test("no wallet code is loaded before somebody reaches for a wallet", { tag: "@once" }, async ({ page }) => {
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
