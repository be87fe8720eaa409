import type { Page } from "@playwright/test";
import { makeLink, newPayee, newPerson } from "./support/api";
import { become, expect, test } from "./support/test";

/** A page whose scripts arrive when `release` is called. Opened from the front page, which has none of them. */
async function openWithoutScripts(page: Page, path: string): Promise<{ release: () => void }> {
  await page.goto("/");
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.evaluate((to) => location.assign(to), path);
  await page.waitForURL(`**${path}`, { waitUntil: "commit" });
  return { release };
}

/** How often the search was opened. A second click changes nothing that is shown, so its event is counted. */
async function countSearches(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const here = window as unknown as { searches: number };
    here.searches = 0;
    addEventListener("tessera:search", () => here.searches++);
  });
  return () => page.evaluate(() => (window as unknown as { searches: number }).searches);
}

const search = (page: Page) => page.getByRole("button", { name: /^Search/ });
const palette = (page: Page) => page.getByRole("dialog", { name: "Search" });

/** React has attached to everything that the page has now. */
const attached = (page: Page) => expect(page.locator("[data-early]")).toHaveCount(0);

test("a click on Sign in before the scripts have run opens the dialog", { tag: "@once" }, async ({ page }) => {
  const { release } = await openWithoutScripts(page, "/dashboard");
  const button = page.getByRole("button", { name: "Sign in with your wallet" });
  await button.click();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await expect(dialog).toBeHidden();
  release();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await expect(dialog).toBeVisible();
});

test("a click on the documentation's Menu before the scripts have run opens it", async ({ page, viewport }) => {
  test.skip((viewport?.width ?? 0) >= 1024, "The navigation is a column there");
  const { release } = await openWithoutScripts(page, "/docs");
  await page.getByRole("button", { name: "Menu" }).tap();
  release();
  const menu = page.getByRole("dialog", { name: "Menu" });
  await expect(menu.getByRole("link", { name: "Pay a seller" })).toBeVisible();
  await menu.getByRole("button", { name: "Close menu" }).tap();
  await expect(menu).toBeHidden();
});

test("a click on a checkout before the scripts have run lists the wallets", { tag: "@once" }, async ({ page }) => {
  const { linkId } = await makeLink(await newPayee());
  const { release } = await openWithoutScripts(page, `/pay/${linkId}`);
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  release();
  await expect(page.getByRole("dialog").getByRole("button", { name: /Tessera test wallet/ })).toBeVisible();
});

test("a click on a checkout before the scripts have run opens another way to pay", { tag: "@once" }, async ({
  page,
}) => {
  const { linkId } = await makeLink(await newPayee());
  const { release } = await openWithoutScripts(page, `/pay/${linkId}`);
  const tab = page.getByRole("tab", { name: "Agent" });
  await tab.click();
  release();
  await expect(tab).toHaveAttribute("aria-selected", "true");
});

test("an early click and a later one are each handled once", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  const searches = await countSearches(page);
  const { release } = await openWithoutScripts(page, "/dashboard");
  await search(page).click();
  await search(page).click();
  release();
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette(page)).toBeHidden();
  expect(await searches()).toBe(1);
  await search(page).click();
  await expect(palette(page)).toBeVisible();
  expect(await searches()).toBe(2);
});

test("an early click is discarded after a click elsewhere", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  const searches = await countSearches(page);
  const { release } = await openWithoutScripts(page, "/dashboard/wallet");
  await search(page).click();
  // Not marked: it moves money.
  await page.getByRole("button", { name: "Add 100 test USDC to your spending wallet" }).click();
  release();
  await attached(page);
  await search(page).click();
  await expect(palette(page)).toBeVisible();
  expect(await searches()).toBe(1);
  await expect(page.getByText("100.00 USDC")).toHaveCount(0);
});

test("an early click is discarded after ten seconds", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  const searches = await countSearches(page);
  const { release } = await openWithoutScripts(page, "/dashboard");
  await search(page).click();
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 10_000;
  });
  release();
  await attached(page);
  await search(page).click();
  await expect(palette(page)).toBeVisible();
  expect(await searches()).toBe(1);
});

test("of several clicks while React attaches, the last one is handled once", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  const searches = await countSearches(page);
  // In each task until React has attached, which a click can make it do at once.
  await page.addInitScript(() => {
    const { port1, port2 } = new MessageChannel();
    let isOver = false;
    port1.onmessage = () => {
      const button = document.querySelector<HTMLElement>("aside > button[data-early]");
      button?.click();
      isOver ||= button !== null && !button.hasAttribute("data-early");
      if (!isOver) port2.postMessage(null);
    };
    port2.postMessage(null);
  });
  await page.goto("/dashboard");
  await expect(palette(page)).toBeVisible();
  await attached(page);
  expect(await searches()).toBe(1);
});
