import { newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

test("the front page shows the real signing page, what can be lost, and where to begin (axe)", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "A wallet for your agents, with limits that you sign",
  );
  await expect(page).toHaveTitle(/^Tessera: /);
  const picture = page.getByRole("img", { name: /^The page on which you sign/ });
  await expect(picture).toHaveAccessibleName(/10\.00 USDC in total and 0\.50 USDC per payment/);
  await expect(picture).toContainText("The most you can lose");
  await expect(picture).toContainText("Sign with your wallet: move 10.00 USDC into the vault");
  // Nothing in the picture takes the focus.
  await picture.getByText("Sign with your wallet").evaluate((button) => (button as HTMLElement).focus());
  await expect(page.locator("body")).toBeFocused();
  await expect(page.getByText("Nobody has audited the contracts")).toBeVisible();
  for (const title of ["How it works", "The most you can lose", "For developers"]) {
    await expect(page.getByRole("heading", { level: 2, name: title })).toBeVisible();
  }
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("home-screen.png") });
  await page.screenshot({ path: test.info().outputPath("home.png"), fullPage: true });
});

test("the front page is short, shows what it costs, and its first screen has the whole picture", async ({ page }) => {
  await page.goto("/");
  // biome-ignore lint/performance/useDomNodeTextContent: what is folded is not read
  const text = await page.locator("body").innerText();
  const words = text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
  expect(words).toBeGreaterThan(200);
  expect(words).toBeLessThanOrEqual(600);
  await expect(page.getByText("A firewall scan over HTTP costs 0.50 USDC")).toBeVisible();
  const size = page.viewportSize();
  if (size && size.width >= 1024) {
    const [heading, picture] = await Promise.all([
      page.getByRole("heading", { level: 1 }).boundingBox(),
      page.getByRole("img", { name: /^The page on which you sign/ }).boundingBox(),
    ]);
    expect(heading?.y).toBeLessThan(200);
    expect((picture?.y ?? 0) + (picture?.height ?? 0)).toBeLessThanOrEqual(900);
  }
  await page.getByRole("main").getByRole("link", { name: "What it costs" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("What it costs");
});

test("on a phone the front page has a menu and a way to sign in, on the narrowest too", async ({ page, viewport }) => {
  test.skip((viewport?.width ?? 0) >= 768, "wide screens have the links in the bar");
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  const menu = page.getByRole("navigation", { name: "Menu" });
  await expect(menu).toBeHidden();
  await page.locator("summary[aria-label=Menu]").click();
  await expectAccessible(page);
  await expectFits(page);
  await menu.getByRole("button", { name: "Switch between light and dark" }).click();
  await expect(page.locator("html")).toHaveClass(/dark/);
  await expect(menu).toBeHidden();
  await page.locator("summary[aria-label=Menu]").click();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.locator("summary[aria-label=Menu]").click();
  await menu.getByRole("link", { name: "Developers" }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole("heading", { name: "For developers" })).toBeInViewport();
  await page.setViewportSize({ width: 320, height: 700 });
  await expectFits(page);
  await page.locator("summary[aria-label=Menu]").click();
  await expectFits(page);
});

test("a vault's owner finds the page that needs no service from the footer and from the security page", {
  tag: "@once",
}, async ({ page }) => {
  for (const path of ["/", "/security"]) {
    await page.goto(path);
    const region = path === "/" ? page.getByRole("contentinfo") : page.getByRole("main");
    await region.getByRole("link", { name: "Leave a vault" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Leave a vault");
  }
});

test("the front page loads no scripts of the framework", { tag: "@once" }, async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(new URL(request.url()).pathname);
  });
  await page.goto("/", { waitUntil: "networkidle" });
  expect(scripts).toEqual(["/home.js"]);
});

test("a visitor switches the color scheme, keeps it on other pages, and switches back", { tag: "@once" }, async ({
  page,
}) => {
  await page.goto("/");
  const html = page.locator("html");
  await expect(html).toHaveClass(/light/);
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await expect(html).toHaveClass(/dark/);
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath("home-dark.png") });
  await page.goto("/terms");
  await expect(html).toHaveClass(/dark/);
  await page.getByRole("link", { name: "Tessera, home" }).click();
  await expect(page.getByRole("button", { name: "Switch between light and dark" })).toBeVisible();
  await expect(html).toHaveClass(/dark/);
});

test("code on the front page can be copied", { tag: "@once" }, async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/");
  await page.getByText("With curl", { exact: true }).click();
  await page.getByRole("button", { name: "Copy the commands" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toHaveCount(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("# 1. Register.");
});

const PAGES = [
  ["Status", "Status"],
  ["Terms", "Terms"],
  ["Privacy", "Privacy"],
  ["Security contact", "Security"],
] as const;

for (const [label, title] of PAGES) {
  test(`the footer links to ${title} (axe)`, async ({ page }) => {
    await page.goto("/");
    await page.getByRole("navigation", { name: "Footer" }).getByRole("link", { name: label, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page).toHaveTitle(`${title} · Tessera`);
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath(`${title}.png`), fullPage: true });
  });
}

test("the privacy page names what notices store and who transmits them", { tag: "@once" }, async ({ page }) => {
  await page.goto("/privacy");
  const main = page.getByRole("main");
  await expect(main).toContainText("For each browser in which you turned notices on");
  await expect(main).toContainText("the push service of its maker");
  // The world of these tests offers no wallet of Coinbase's.
  await expect(main).not.toContainText("Coinbase");
});

test("the status page names both networks, contains no secret, and must not be cached", { tag: "@once" }, async ({
  page,
  request,
}) => {
  const response = await page.goto("/status");
  expect(response?.headers()["cache-control"]).toMatch(/no-store|no-cache/);
  await expect(page.getByText("The service is working")).toBeVisible();
  for (const name of ["Base", "Base Sepolia"]) {
    const card = page.getByRole("region", { name, exact: true });
    await expect(card).toContainText("Working");
    await expect(card).toContainText(/Newest block[\d,]+/);
  }
  const { chains, queues } = await (await request.get("/readyz")).json();
  const text = (await page.getByRole("main").textContent()) ?? "";
  expect(chains).toHaveLength(2);
  expect(text).not.toMatch(/0x[0-9a-fA-F]{40}/);
  expect(queues).toHaveLength(2);
  await expectAccessible(page);
});

test("security.txt names where to report, and until when it is valid", { tag: "@once" }, async ({
  request,
  baseURL,
}) => {
  const response = await request.get("/.well-known/security.txt");
  expect([response.status(), response.headers()["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  const text = await response.text();
  expect(text).toContain(`Contact: ${baseURL}/security\n`);
  const expires = new Date(/^Expires: (.+)$/m.exec(text)?.[1] ?? "").getTime();
  expect(expires).toBeGreaterThan(Date.now() + 170 * 86_400_000);
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
});

test("a signed-in person gets from the front page to their dashboard", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  await page.goto("/");
  await page.getByRole("link", { name: "Try it with test money" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
  await page.getByRole("link", { name: "Tessera, home" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "A wallet for your agents, with limits that you sign",
  );
});
