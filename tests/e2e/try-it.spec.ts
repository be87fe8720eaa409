import type { Locator, Page } from "@playwright/test";
import { newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

/** Opens the form of an endpoint, and returns it. */
async function openForm(page: Page, noun: string, endpoint: string): Promise<Locator> {
  await page.goto(`/docs/reference/${noun}`);
  await page.getByRole("button", { name: `Try it ${endpoint}`, exact: true }).click();
  const form = page.getByRole("region", { name: `Try ${endpoint}`, exact: true });
  await expect(form.getByRole("button", { name: "Send request" })).toBeVisible();
  return form;
}

const SCAN = "POST /api/transaction-firewall/{firewallId}/api/prompt-scan";

const sendIn = (form: Locator) => form.getByRole("button", { name: "Send request" }).click();
const answerIn = (form: Locator) => form.getByRole("status").filter({ hasText: /\d ms/ });

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no fault in a request form and its responses, which fit the screen, ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const form = await openForm(page, "firewall", SCAN);
    await expectFits(page);
    await expectAccessible(page);
    await form.getByLabel("firewallId").fill("sentinel");
    await form.getByLabel("Body").fill('{"text": "What is the weather in Bern?"}');
    await sendIn(form);
    await expect(answerIn(form)).toContainText("402");
    await expectFits(page);
    await expectAccessible(page);
  });
}

test("a public endpoint responds", { tag: "@once" }, async ({ page }) => {
  const form = await openForm(page, "facilitator", "GET /facilitator/supported");
  await expect(form.getByText("The response appears here.")).toBeVisible();
  await sendIn(form);
  await expect(answerIn(form)).toContainText("200");
  await expect(form.getByRole("region", { name: "Response body" })).toContainText('"kinds": [');
  await expect(form.getByText("application/json")).toBeVisible();
});

test("an endpoint that requires a login responds with 401 without one, and the token is not stored", {
  tag: "@once",
}, async ({ page }) => {
  const form = await openForm(page, "payments", "GET /api/payments");
  await sendIn(form);
  await expect(answerIn(form)).toContainText("401");
  await form.getByLabel("Login JWT").fill("not-a-token");
  const request = page.waitForRequest("**/api/payments");
  await sendIn(form);
  expect((await request).headers().authorization).toBe("Bearer not-a-token");
  await expect(answerIn(form)).toContainText("401");
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toContain("not-a-token");
  await page.reload();
  await page.getByRole("button", { name: "Try it GET /api/payments", exact: true }).click();
  await expect(form.getByLabel("Login JWT")).toHaveValue("");
});

test("a paid endpoint responds with 402 and the price", async ({ page }) => {
  const form = await openForm(page, "firewall", SCAN);
  await form.getByLabel("firewallId").fill("sentinel");
  await form.getByLabel("Body").fill('{"text": "What is the weather in Bern?"}');
  await sendIn(form);
  await expect(answerIn(form)).toContainText("402");
  await expect(form.getByText("WWW-Authenticate", { exact: true })).toBeVisible();
  await expect(form.getByRole("region", { name: "PAYMENT-REQUIRED, decoded" })).toContainText('"x402Version": 2');
  await form.getByLabel("PAYMENT-SIGNATURE").fill("bm90IGEgcHJvb2Y=");
  await sendIn(form);
  await expect(answerIn(form)).toContainText("400");
});

test("the session is sent only to endpoints that use it", async ({ page }) => {
  await become(page, await newPerson());
  const wallet = await openForm(page, "owners", "GET /api/wallet");
  await expect(wallet.getByText("Sent with your session in this browser.")).toBeVisible();
  await sendIn(wallet);
  await expect(answerIn(wallet)).toContainText("200");
  const form = await openForm(page, "facilitator", "GET /facilitator/supported");
  const request = page.waitForRequest("**/facilitator/supported");
  await sendIn(form);
  expect((await (await request).allHeaders()).cookie).toBeUndefined();
});

test("the keyboard opens, fills in and sends a request, and errors get the focus", async ({ page }) => {
  await page.goto("/docs/reference/payments");
  const endpoint = "GET /api/payments/{paymentRecordId}";
  await page.getByRole("button", { name: `Try it ${endpoint}`, exact: true }).focus();
  await page.keyboard.press("Enter");
  const form = page.getByRole("region", { name: `Try ${endpoint}`, exact: true });
  await form.getByLabel("Login JWT").press("Enter");
  await expect(form.getByText("Enter paymentRecordId.")).toBeVisible();
  await expect(form.getByLabel("paymentRecordId")).toBeFocused();
  await page.keyboard.type("a/b");
  const request = page.waitForRequest("**/api/payments/a%2Fb");
  await page.keyboard.press("Enter");
  await request;
  await expect(answerIn(form)).toContainText("401");
});

test("the text of a response is never rendered as HTML", { tag: "@once" }, async ({ page }) => {
  const text = '<img src=x onerror="document.title=1"><script>document.title = 2</script>';
  const form = await openForm(page, "facilitator", "GET /facilitator/supported");
  await page.route("**/facilitator/supported", (route) =>
    route.fulfill({ body: text, contentType: "text/html", headers: { "retry-after": "<b>3</b>" } }),
  );
  await sendIn(form);
  await expect(form.getByRole("region", { name: "Response body" })).toHaveText(text);
  await expect(form.getByText("<b>3</b>")).toBeVisible();
  await expect(form.locator("img, script, b")).toHaveCount(0);
  await expect(page).toHaveTitle(/^Facilitator/);
});

test("a request without a response can be cancelled, or fails with a clear message", { tag: "@once" }, async ({
  page,
  context,
}) => {
  const form = await openForm(page, "facilitator", "GET /facilitator/supported");
  await page.route("**/facilitator/supported", () => {}, { times: 1 });
  await sendIn(form);
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(form.getByText(/^Cancelled\./)).toBeVisible();
  await expect(form.getByRole("button", { name: "Send request" })).toBeFocused();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // The browser writes this failure to its console, which the page's watch would count.
  await page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  });
  await sendIn(form);
  await expect(form.getByText("No response", { exact: true })).toBeVisible();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await form.getByRole("button", { name: "Copy as curl" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`curl -i -X GET '${new URL(page.url()).origin}/facilitator/supported'`);
});
