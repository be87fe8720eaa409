import { newPerson } from "./support/api";
import { busyOwner } from "./support/dashboard";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const bar = { name: "Loading the page" };

test("a click whose answer takes long shows a bar until the page is there", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard/wallet");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/dashboard\/payouts\?.*_rsc/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("navigation", { name: "Money" }).getByRole("link", { name: "Payouts" }).click();
  await expect(page.getByRole("progressbar", bar)).toBeVisible();
  await expectAccessible(page);
  answer();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payouts");
  await expect(page.getByRole("progressbar", bar)).toHaveCount(0);
  await page.getByRole("navigation", { name: "Money" }).getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wallet");
  await expect(page.getByRole("progressbar", bar)).toHaveCount(0);
});

test("a page stays while the network is away, and continues by itself", async ({ page, context }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard/wallet");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wallet");
  await context.setOffline(true);
  await page.getByRole("navigation", { name: "Money" }).getByRole("link", { name: "Payouts" }).click();
  await expect(page.getByText("You are offline, or we cannot be reached.")).toBeVisible();
  await page.getByRole("link", { name: "Tessera, home" }).filter({ visible: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wallet");
  await expectFits(page);
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payouts");
  await expect(page.getByText("You are offline, or we cannot be reached.")).toHaveCount(0);
});

test("a page of one account asks for nothing in the name of another that signed in meanwhile", {
  tag: "@once",
}, async ({ page }) => {
  const { person } = await busyOwner();
  await become(page, person);
  await page.goto("/dashboard/agents");
  await become(page, await newPerson());
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Chief of data");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("This page shows another account than the one that is now signed in")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Rename" })).toHaveCount(0);
});

test("a link of the dashboard brings the sign-in once the session has ended", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard/wallet");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Wallet");
  await page.context().clearCookies();
  await page.getByRole("navigation", { name: "Money" }).getByRole("link", { name: "Payouts" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to your dashboard");
  await expect(page).toHaveURL(/\/dashboard\/payouts/);
});

test("an unknown address has the dashboard's frame, a search and a way on (axe)", async ({ page }) => {
  await page.goto("/dashboard/nope");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
  await become(page, await newPerson());
  const response = await page.goto("/dashboard/nope");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("dialog", { name: "Search" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Open dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");

  expect((await page.goto("/nope"))?.status()).toBe(404);
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Search the documentation" }).fill("refund");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/search\?q=refund$/);
});
