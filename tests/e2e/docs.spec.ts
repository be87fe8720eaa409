import { newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const PAGES = [
  "/docs",
  "/docs/quickstart",
  "/docs/retry-rules",
  "/docs/webhooks",
  "/docs/reference",
  "/docs/reference/payments",
  "/docs/errors",
  "/docs/errors/settlement_failed",
  "/docs/search?q=mandate",
  "/docs/search?q=zzzzzz",
  "/docs/no-such-page",
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no fault on the documentation's pages, which fit the screen, ${colorScheme}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const path of PAGES) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expectFits(page);
      await expectAccessible(page);
    }
  });
}

test("a reader gets from the home page through the navigation to the next page", async ({
  page,
  isMobile,
  viewport,
}) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "For developers" })).toBeVisible();
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Documentation");
  const isSmall = isMobile || (viewport?.width ?? 0) < 1024;
  if (isSmall) {
    await page.getByRole("button", { name: "Menu" }).click();
    await expectAccessible(page);
  }
  const navigation = page.getByRole("navigation", { name: "Documentation" });
  await navigation.getByRole("link", { name: "Pay a seller" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pay a seller");
  await expect(page).toHaveTitle("Pay a seller · Docs · Tessera");
  if (!isSmall)
    await expect(navigation.getByRole("link", { name: "Pay a seller" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: /Next/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Retry rules");
});

test("each heading has a URL, and the table of contents links to it", async ({ page, viewport }) => {
  await page.goto("/docs/pay");
  if ((viewport?.width ?? 0) < 1280) await page.getByText("On this page", { exact: true }).first().click();
  await page.getByRole("link", { name: "Approved one by one", exact: true }).filter({ visible: true }).click();
  await expect(page).toHaveURL(/\/docs\/pay#approved-one-by-one$/);
  await expect(page.getByRole("heading", { name: /^Approved one by one/ })).toBeInViewport();
});

test("the search finds sections, and says when there are none", async ({ page }) => {
  await page.goto("/docs");
  const box = page.getByRole("searchbox", { name: "Search the documentation" }).filter({ visible: true });
  await box.fill("PAYMENT_ALREADY_USED");
  await box.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Results for “PAYMENT_ALREADY_USED”");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^PAYMENT_ALREADY_USED/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs\/errors\/payment_already_used/);
  await page.goto("/docs/search?q=%3Cb%3Ezzzz%3C%2Fb%3E");
  await expect(page.getByText("No page has all of these words")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Results for “<b>zzzz</b>”");
});

test("code is copied with this service's URL", { tag: "@once" }, async ({ page, context, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/quickstart");
  await page.getByRole("button", { name: "Copy bash" }).first().click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toHaveCount(1);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\n")[0]).toBe(`BASE=${baseURL}`);
});

test("each page is available as Markdown too, and so is the list for models", { tag: "@once" }, async ({
  request,
  baseURL,
}) => {
  const twin = await request.get("/docs/pay.md");
  expect([twin.status(), twin.headers()["content-type"]]).toEqual([200, "text/markdown; charset=utf-8"]);
  expect(await twin.text()).toMatch(/^# Pay a seller\n/);
  const accepted = await request.get("/docs/pay", { headers: { Accept: "text/markdown" } });
  expect(await accepted.text()).toBe(await twin.text());
  expect(await (await request.get("/docs.md")).text()).toMatch(/^# Documentation\n/);
  const nested = await request.get("/docs/errors/rate_limited.md");
  expect(await nested.text()).toMatch(/^# rate_limited\n/i);
  expect((await request.get("/docs/no-such-page.md")).status()).toBe(404);
  expect((await request.get("/docs/no-such-page")).status()).toBe(404);
  const file = await request.get("/docs/verifiers/verify-webhook.ts");
  expect(await file.text()).toContain("export function verifyWebhook");
  expect((await request.get("/docs/verifiers/..%2F..%2Fpackage.json")).status()).toBe(404);
  const list = await (await request.get("/llms.txt")).text();
  expect(list).toContain(`(${baseURL}/docs/pay.md)`);
  expect((await request.get("/llms-full.txt")).status()).toBe(200);
});

test("the page of an error code opens for a code in capitals", { tag: "@once" }, async ({ page }) => {
  await page.goto("/docs/errors/SETTLEMENT_FAILED");
  await expect(page).toHaveURL(/\/docs\/errors\/settlement_failed$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("SETTLEMENT_FAILED");
});

test("a signed-in owner finds the documentation in the dashboard", async ({ page, viewport }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard");
  if ((viewport?.width ?? 0) < 768) await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Developers" }).click();
  await page.getByRole("navigation", { name: "Developers" }).getByRole("link", { name: "Docs" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Documentation");
});
