import { type Page, type Route, test as unwatched } from "@playwright/test";
import { type Agent, BASE_URL, call, makeLink, newPayee, newPerson, payLink, paymentsOf } from "./support/api";
import { visitor } from "./support/checkout";
import { linked } from "./support/links";
import { openShop } from "./support/shop";
import { expect, expectAccessible, expectFits, test } from "./support/test";

const PAY = "1,25 USDC bezahlen";
const PRESENTED = "**/paymentlink/*";

const panel = (page: Page) => page.getByRole("region", { name: "Zahlung", exact: true });
const heading = (page: Page, name: string) => panel(page).getByRole("heading", { level: 2, name });
const choose = (page: Page, language: "English" | "Deutsch") => page.getByRole("link", { name: language }).click();
const photograph = (page: Page, name: string) =>
  page.screenshot({ path: `test-results/german-${name}-${test.info().project.name}.png`, fullPage: true });

/** Words that no German text has. */
const ENGLISH_WORDS =
  /\b(?:the|you|your|and|pay|paid|seller|receipt|with|copy|this|that|from|to|sign|signed|is|not|moved|money|again|until|close|amount|recipient|network|wallet's|language|content|loading)\b/i;

/**
 * Everything that the page shows or says to a screen reader is German, but for what others wrote and what is marked as English. Not
 * the title of a link's content.
 */
async function expectGerman(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  const texts = await page.evaluate(() => {
    const others = "[lang=en], bdi, [dir=auto], pre, script, style, noscript, next-route-announcer, nextjs-portal";
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element || element.closest(others)) continue;
      if (!(node instanceof Element)) found.push(node.textContent ?? "");
      else
        found.push(
          ...["aria-label", "title", "placeholder", "alt"].flatMap((name) => element.getAttribute(name) ?? []),
        );
    }
    return found;
  });
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => ENGLISH_WORDS.test(text.replace(/https?:\S+/g, "")))).toEqual([]);
}

/** Also on the smallest phones. */
async function expectFitsEverywhere(page: Page): Promise<void> {
  await expectFits(page);
  if (test.info().project.name !== "phone") return;
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectFits(page);
  if (size) await page.setViewportSize(size);
}

async function connect(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Wallet verbinden" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Test-Wallet von Tessera/ })
    .click();
}

async function sign(page: Page, response: "Signieren" | "Ablehnen" = "Signieren"): Promise<void> {
  const dialog = page.getByRole("dialog", { name: /^Signieren/ });
  await dialog.getByRole("button", { name: response, exact: true }).click();
  await expect(dialog).toBeHidden();
}

async function payUntilAsked(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await connect(page);
  await page.getByRole("button", { name: PAY }).click();
}

test.describe("a buyer whose browser prefers German", () => {
  test.use({ locale: "de-AT" });

  test("buys, sees the receipt and prints it, all in German (axe)", async ({ page }) => {
    test.slow();
    const seller = await newPayee();
    const link = await makeLink(seller, { resourceContent: "Regal 7", maxUses: 10, redirectUrl: `${BASE_URL}/` });
    await visitor(page, "0");

    await test.step("the buyer reads the offer", async () => {
      const response = await page.goto(link.url);
      expect(response?.headers().vary).toMatch(/accept-language/i);
      expect(response?.headers().vary).toMatch(/cookie/i);
      expect(response?.headers()["cache-control"]).toMatch(/no-store/);
      await expect(page).toHaveTitle("1,25 USDC bezahlen");
      await expect(page.getByRole("heading", { level: 1, name: PAY })).toBeAttached();
      await expect(page.getByRole("region", { name: "Wofür Sie bezahlen" })).toContainText("noch 10 von 10");
      for (const tab of ["Telefon", "Agent", "Wallet"]) {
        await page.getByRole("tab", { name: tab }).click();
        await expectGerman(page);
        await expectFitsEverywhere(page);
        await photograph(page, `offer-${tab}`);
      }
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
        await photograph(page, `offer-${colorScheme}`);
      }
    });

    await test.step("the buyer connects a wallet, gets test money and signs", async () => {
      await page.getByRole("button", { name: "Wallet verbinden" }).click();
      await expect(page.getByRole("dialog", { name: "Wallet verbinden" })).toBeVisible();
      await expectGerman(page);
      await photograph(page, "wallets");
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /Test-Wallet von Tessera/ })
        .click();
      await expect(panel(page).getByText("Nicht genug USDC in dieser Wallet")).toBeVisible();
      await expect(panel(page)).toContainText("Es fehlen1,25 USDC");
      await expectGerman(page);
      await expectAccessible(page);
      await expectFitsEverywhere(page);
      await photograph(page, "shortage");
      await page.getByRole("button", { name: "Test-USDC holen" }).click();
      await page.getByRole("button", { name: PAY }).click();
      const wallet = page.getByRole("dialog", { name: /^Signieren/ });
      await expect(wallet).toContainText("Hier fragt Ihre Wallet, nicht die Seite.");
      await expect(page.getByText("Vergleichen Sie den Betrag und den Empfänger")).toBeAttached();
      await expectGerman(page);
      await photograph(page, "signing");
      await sign(page, "Ablehnen");
      await expect(panel(page).getByRole("alert")).toContainText("Sie haben nicht signiertEs wurde kein Geld bewegt.");
      await page.getByRole("button", { name: PAY }).click();
      await sign(page);
    });

    await test.step("the buyer receives the content", async () => {
      await expect(heading(page, "Sie haben 1,25 USDC bezahlt")).toBeFocused();
      await page.getByRole("button", { name: "Hier bleiben" }).click();
      await expect(page.getByRole("region", { name: "Inhalt", exact: true })).toHaveText("Regal 7");
      await expectGerman(page);
      await expectAccessible(page);
      await expectFitsEverywhere(page);
      await photograph(page, "paid");
      expect(await paymentsOf(seller, link)).toHaveLength(1);
      await page.reload();
      await expect(heading(page, "Sie haben 1,25 USDC bereits bezahlt")).toBeVisible();
    });

    await test.step("the buyer has a receipt, on paper too", async () => {
      await page.getByRole("link", { name: "Beleg ansehen" }).click();
      await expect(page).toHaveURL(/\/receipt\/stl_/);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Bezahlt");
      await expect(page).toHaveTitle("Beleg · Tessera");
      const payment = page.getByRole("region", { name: "Zahlung", exact: true });
      await expect(payment).toContainText("1,25 USDC");
      await expect(payment).toContainText(/\d{1,2}\.\s\p{L}+ 20\d\d, \d\d:\d\d:\d\d\sUTC/u);
      await page.getByText("Signierter Beleg").click();
      await expectGerman(page);
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
        await photograph(page, `receipt-${colorScheme}`);
      }
      await expectFitsEverywhere(page);
      await page.emulateMedia({ media: "print" });
      await expect(page.getByRole("navigation", { name: "Sprache" })).toBeHidden();
      await expect(payment).toContainText(/0x[0-9a-fA-F]{40}/);
      await photograph(page, "receipt-print");
    });
  });

  test("reads why a link is closed, and that nothing was charged", async ({ page }) => {
    const seller = await newPayee();
    const patch = (linkId: string, json: object) =>
      call("PATCH", `/api/payment-links/${linkId}`, { jwt: seller.jwt, json });
    const off = await makeLink(seller, { disabledMessage: "Ab Montag wieder" });
    await patch(off.linkId, { status: "disabled" });
    await page.goto(off.url);
    await expect(heading(page, "Dieser Link ist deaktiviert")).toBeVisible();
    await expect(panel(page)).toContainText("Das Öffnen dieser Seite hat nichts gekostet.");
    await expectGerman(page);
    await expectAccessible(page);
    await expectFitsEverywhere(page);
    await photograph(page, "disabled");

    const expiring = await makeLink(seller, { expiresAt: new Date(Date.now() + 9_000).toISOString() });
    await page.goto(expiring.url);
    await expect(page.getByText(/^Läuft ab in \d Sek\.$/)).toBeVisible();
    await expect(heading(page, "Dieser Link ist abgelaufen")).toBeVisible();
    await expectGerman(page);

    const single = await makeLink(seller, { maxUses: 1 });
    await payLink(single);
    await page.goto(single.url);
    await expect(heading(page, "Ausverkauft")).toBeVisible();
    await expectGerman(page);

    for (const path of ["pay/lnk_nobody000000000000000000", "receipt/stl_nobody000000000000000000", "invoice/inv_x"]) {
      expect((await page.goto(`${BASE_URL}/${path}`))?.status()).toBe(404);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/gibt es nicht/);
      await expectGerman(page);
    }
  });

  test("fills in an order, sees its errors in German, and pays the order's amount", async ({ page }) => {
    const agent = await linked(await newPerson(), "Option shop");
    const link = await makeLink(agent, {
      amount: "5000000",
      customAmount: { min: "1000000", max: "50000000", presets: ["5000000", "12500000"] },
      fields: [{ name: "email", label: "E-Mail", isRequired: true }],
    });
    await visitor(page);
    await page.goto(link.url);
    const amount = page.getByLabel("Betrag", { exact: true });
    await expect(amount).toHaveValue("5,00");
    await page.getByRole("button", { name: "12,50", exact: true }).click();
    await expect(page.getByRole("group", { name: "Ihre Bestellung" })).toContainText("12,50 USDC");
    await connect(page);
    await amount.fill("99,5");
    await page.getByRole("button", { name: "Bezahlen", exact: true }).click();
    await expect(page.getByText("Geben Sie einen Betrag von 1,00 bis 50,00 USDC ein.")).toBeVisible();
    await expect(page.getByText("Der Verkäufer benötigt diese Angabe.")).toBeVisible();
    await expectGerman(page);
    await expectFitsEverywhere(page);
    await photograph(page, "order");
    await amount.fill("7,25");
    await page.getByLabel("E-Mail").fill("buyer@example.com");

    await test.step("the order and the wallet are kept when the language changes", async () => {
      await choose(page, "English");
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      await expect(page.getByLabel("Amount", { exact: true })).toHaveValue("7.25");
      await expect(page.getByLabel("E-Mail")).toHaveValue("buyer@example.com");
      await expect(page.getByRole("button", { name: "Pay 7.25 USDC" })).toBeVisible();
      await page.reload();
      await expect(page.getByRole("group", { name: "Your order" })).toBeVisible();
      await choose(page, "Deutsch");
      await expect(page.locator("html")).toHaveAttribute("lang", "de");
      await expect(page).toHaveTitle("5,00 USDC bezahlen");
      await expectGerman(page);
    });

    await amount.fill("7,25");
    await page.getByLabel("E-Mail").fill("buyer@example.com");
    await page.getByRole("button", { name: "7,25 USDC bezahlen" }).click();
    await sign(page);
    await expect(heading(page, "Sie haben 7,25 USDC bezahlt")).toBeVisible();
    expect(await paymentsOf(agent, link)).toMatchObject([{ amount: "7250000" }]);
  });

  test("reads an invoice in German, on screen and on paper (axe)", async ({ page }) => {
    const agent: Agent = await linked(await newPerson(), "Data seller");
    const { invoice } = await call<{ invoice: { url: string; number: string } }>("POST", "/api/invoices", {
      jwt: agent.jwt,
      json: {
        buyer: { name: "Beispiel GmbH", address: "Beispielstraße 1\nBern" },
        dueDate: "2090-01-31",
        lines: [{ description: "Beratung, Stunden", quantity: "2.5", unitAmount: "1234500000" }],
        tax: { label: "MwSt.", percent: "7.5" },
      },
    });
    await page.goto(invoice.url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Rechnung ${invoice.number}`);
    const document = page.getByRole("article", { name: `Rechnung ${invoice.number}` });
    for (const seen of ["31. Januar 2090", "2,5", "1.234,50", "MwSt. (7,5 %)", "3.317,72 USDC"])
      await expect(document).toContainText(seen);
    await expect(page.getByText(/^In [\d.]+ Tagen fällig$/)).toBeVisible();
    await expect(page.getByRole("link", { name: "3.317,72 USDC bezahlen" })).toBeVisible();
    await expectGerman(page);
    await expectFitsEverywhere(page);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      await photograph(page, `invoice-${colorScheme}`);
    }
    await page.emulateMedia({ media: "print" });
    await expect(document).toContainText("Zwischensumme");
    await photograph(page, "invoice-print");
  });
});

test.describe("a buyer whose browser prefers English", () => {
  test("chooses German for a year by keyboard, and a language in the URL has priority", async ({ page }) => {
    const link = await makeLink(await newPayee());
    await page.goto(`${link.url}?amount=1250000`);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    const languages = page.getByRole("navigation", { name: "Language" });
    await expect(languages.getByRole("link", { name: "English" })).toHaveAttribute("aria-current", "true");
    const german = languages.getByRole("link", { name: "Deutsch" });
    await expect(german).toHaveAttribute("hreflang", "de");
    const { width = 0, height = 0 } = (await german.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await german.focus();
    await page.keyboard.press("Enter");
    await expectGerman(page);
    await expect(page.getByRole("link", { name: "Deutsch" })).toBeFocused();
    expect(page.url()).toBe(`${link.url}?amount=1250000`);
    const [cookie, ...more] = await page.context().cookies();
    expect(more).toEqual([]);
    expect(cookie).toMatchObject({ name: "tessera.language", value: "de", sameSite: "Lax", path: "/" });
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(360 * 86_400);
    await page.reload();
    await expectGerman(page);
    await page.goto(`${link.url}?lang=en`);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await choose(page, "Deutsch");
    await expectGerman(page);
    expect(page.url()).toBe(`${link.url}?lang=de`);
    await page.goto(`${link.url}?lang=fr`);
    await expectGerman(page);
    await page.goto("/docs");
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
  });

  test("the languages are links when scripts are disabled", { tag: "@once" }, async ({ browser }) => {
    const link = await makeLink(await newPayee());
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${link.url}?amount=1250000`);
    await choose(page, "Deutsch");
    await expect(page).toHaveURL(`${link.url}?amount=1250000&lang=de`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Sie bezahlen");
    await context.close();
  });

  test("opens the receipt in the language of the URL", { tag: "@once" }, async ({ page }) => {
    const link = await makeLink(await newPayee());
    await visitor(page);
    await payUntilAsked(page, `${link.url}?lang=de`);
    await sign(page);
    await page.getByRole("link", { name: "Beleg ansehen" }).click();
    await expect(page).toHaveURL(/\/receipt\/stl_\w+\?key=\w+&lang=de$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Bezahlt");
    await choose(page, "English");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paid");
    await expect(page).toHaveURL(/\/receipt\/stl_\w+\?key=\w+&lang=en$/);
  });

  test("gets a link preview in the language of the URL", { tag: "@once" }, async ({ request }) => {
    const link = await makeLink(await newPayee());
    const preview = async (query: string, headers = {}) =>
      (await request.get(`${link.url}${query}`, { headers: { "User-Agent": "WhatsApp/2.23", ...headers } })).text();
    const english = await preview("");
    expect(english).toContain('property="og:title" content="Pay 1.25 USDC"');
    expect(english).toContain(`property="og:url" content="${link.url}"`);
    expect(english).toContain('property="og:locale" content="en_GB"');
    const german = await preview("?lang=de");
    expect(german).toContain('property="og:title" content="1,25\u00a0USDC bezahlen"');
    expect(german).toContain(`property="og:url" content="${link.url}?lang=de"`);
    expect(german).toContain('property="product:price:amount" content="1.25"');
    expect(await preview("", { "Accept-Language": "de" })).toContain(`property="og:url" content="${link.url}"`);
  });
});

test("a page and its scripts contain one language", { tag: "@once" }, async ({ page, request }) => {
  const link = await makeLink(await newPayee());
  const htmlOf = async (lang: string) =>
    (await request.get(`${link.url}?lang=${lang}`, { headers: { Accept: "text/html" } })).text();
  const [english, german] = [await htmlOf("en"), await htmlOf("de")];
  expect(english).toContain("Do not pay again");
  expect(english).not.toContain("Bezahlen Sie nicht");
  expect(german).toContain("Bezahlen Sie nicht");
  expect(german).not.toContain("Do not pay again");
  const scripts: string[] = [];
  page.on("response", async (response) => {
    if (response.request().resourceType() === "script") scripts.push(await response.text());
  });
  await visitor(page);
  await payUntilAsked(page, `${link.url}?lang=de`);
  await sign(page);
  await expect(heading(page, "Sie haben 1,25 USDC bezahlt")).toBeVisible();
  expect(scripts.length).toBeGreaterThan(5);
  for (const script of scripts) expect(script).not.toMatch(/Do not pay again|Bezahlen Sie nicht|kein Geld bewegt/);
});

// Not watched: Chromium writes a console error for each answer of 5xx and each broken connection.
unwatched.describe("a payment that does not settle at once", () => {
  unwatched.use({ locale: "de-DE" });

  const answered = (page: Page, respond: (route: Route) => Promise<void>) =>
    page.route(PRESENTED, (route) => ("x-payment" in route.request().headers() ? respond(route) : route.fallback()));

  unwatched("is not signed twice when the language changes", async ({ page }) => {
    const seller = await newPayee();
    const link = await makeLink(seller);
    await visitor(page);
    let isCutOff = true;
    const presented = new Set<string>();
    await answered(page, (route) => {
      presented.add(route.request().headers()["x-payment"] ?? "");
      return isCutOff ? route.abort() : route.fallback();
    });
    await payUntilAsked(page, link.url);
    await unwatched.step("not while the wallet asks", async () => {
      await page.evaluate(() => document.querySelector<HTMLElement>("a[hreflang=en]")?.click());
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      await page.getByRole("dialog", { name: /^Sign/ }).getByRole("button", { name: "Sign", exact: true }).click();
      await expect(page.getByRole("heading", { name: "We are checking. Do not pay again" })).toBeVisible();
    });
    await choose(page, "Deutsch");
    await expect(heading(page, "Wir prüfen. Bezahlen Sie nicht noch einmal")).toBeVisible();
    await expect(panel(page)).toContainText("Ihre Zahlung von 1,25 USDC");
    await expectGerman(page);
    await expectAccessible(page);
    await photograph(page, "unknown");
    await page.goto(`${link.url}?lang=en`);
    await expect(page.getByRole("heading", { name: "We are checking. Do not pay again" })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Pay/ })).toBeHidden();
    isCutOff = false;
    await expect(page.getByRole("heading", { name: "You paid 1.25 USDC" })).toBeVisible();
    expect(presented.size).toBe(1);
    expect(await paymentsOf(seller, link)).toHaveLength(1);
  });

  unwatched("says in German that it is pending, not settled, or failed", async ({ page }) => {
    const link = await makeLink(await newPayee());
    await visitor(page);
    const until = new Date(Date.now() + 600_000).toISOString();
    const responses: [status: number, json: object, title: string, text: string][] = [
      [
        402,
        { code: "PAYMENT_EXPIRED" },
        "Nicht bezahlt. Es wurde kein Geld bewegt",
        "Ihre Signatur ist abgelaufen, bevor sie verwendet wurde.",
      ],
      [
        502,
        { code: "SETTLEMENT_FAILED", failureCode: "INSUFFICIENT_FUNDS", stillValidUntil: until },
        "Nicht ausgeführt. Signieren Sie nicht noch einmal",
        "Ihre signierte Zahlung kann noch bis",
      ],
      [
        202,
        { status: "pending", settlementId: `stl_${"a".repeat(24)}`, txHash: null },
        "1,25 USDC unterwegs",
        "Bezahlen Sie nicht noch einmal",
      ],
    ];
    await page.route("**/api/settlements/*", (route) => route.abort());
    let response = responses[0];
    await answered(page, (route) => route.fulfill({ status: response?.[0] ?? 500, json: response?.[1] ?? {} }));
    await page.goto(link.url);
    await connect(page);
    for (response of responses) {
      const [status, , title, text] = response;
      await page.getByRole("button", { name: status === 202 ? "Noch einmal versuchen" : PAY }).click();
      if (status !== 202) await sign(page);
      await expect(heading(page, title)).toBeFocused();
      await expect(panel(page)).toContainText(text);
      await expectGerman(page);
      await expectAccessible(page);
      await expectFitsEverywhere(page);
      await photograph(page, `answer-${status}`);
      if (status === 402) await page.getByRole("button", { name: "Zurück", exact: true }).click();
    }
  });
});

test("a checkout in another site's frame uses the language of its URL, and ignores cookies (axe)", async ({ page }) => {
  const owner = await newPerson();
  const link = await makeLink(await linked(owner, "Data seller"));
  await page.context().addCookies([{ name: "tessera.language", value: "de", url: BASE_URL }]);
  const address = `${BASE_URL}/embed/pay/${link.linkId}`;
  await page.goto(address);
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  const response = await page.goto(`${address}?lang=de`);
  expect(response?.headers().vary).toMatch(/accept-language/i);
  await expect(page.getByRole("navigation", { name: "Sprache" })).toHaveCount(0);
  await expectGerman(page);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
  await expectFitsEverywhere(page);
  await photograph(page, "frame");

  const shop = await openShop();
  try {
    await shop.verify(owner);
    shop.show(`<iframe title="Checkout" width="380" height="640" src="${address}?lang=de"></iframe>`);
    await visitor(page);
    await page.goto(shop.origin);
    const frame = page.frameLocator("iframe[title=Checkout]");
    await expect(frame.getByRole("heading", { level: 1 })).toContainText("Sie bezahlen");
    await frame.getByRole("button", { name: "Wallet verbinden" }).click();
    await frame.getByRole("button", { name: /Test-Wallet von Tessera/ }).click();
    await frame.getByRole("button", { name: PAY }).click();
    await frame
      .getByRole("dialog", { name: /^Signieren/ })
      .getByRole("button", { name: "Signieren", exact: true })
      .click();
    await expect(frame.getByRole("heading", { name: "Sie haben 1,25 USDC bezahlt" })).toBeVisible();
    await expect(frame.getByRole("link", { name: "Beleg ansehen" })).toHaveAttribute("href", /[?&]lang=de$/);
  } finally {
    await shop.close();
  }
});

test("a page in a right-to-left language fits the screen and begins at the right", async ({ page }) => {
  const link = await makeLink(await newPayee(), {
    title: "Ein Titel",
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  await visitor(page, "0");
  await page.addInitScript(() => {
    // Also after the page has said its own direction.
    const turn = () => {
      const { documentElement } = document;
      if (documentElement && documentElement.dir !== "rtl") documentElement.dir = "rtl";
    };
    new MutationObserver(turn).observe(document, { attributeFilter: ["dir"], childList: true, subtree: true });
  });
  await page.goto(`${link.url}?lang=de`);
  await expectFitsEverywhere(page);
  await photograph(page, "rtl");
  const label = page.getByText("Netzwerkgebühr", { exact: true });
  const [at, value] = await Promise.all([
    label.boundingBox(),
    page.getByText("keine: Sie signieren nur").boundingBox(),
  ]);
  expect(at?.x).toBeGreaterThan(value?.x ?? Number.POSITIVE_INFINITY);
  await connect(page);
  await expect(panel(page).getByText("Nicht genug USDC in dieser Wallet")).toBeVisible();
  await expectFitsEverywhere(page);
  await page.goto(`${BASE_URL}/embed/pay/${link.linkId}?lang=de`);
  await expectFitsEverywhere(page);
});
