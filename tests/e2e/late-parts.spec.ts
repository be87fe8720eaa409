import type { Page } from "@playwright/test";
import { newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

/** What a page loads only when it is needed, on a connection that has broken since. */
async function cutScripts(page: Page): Promise<{ mend: () => Promise<void> }> {
  const scripts = "**/_next/static/**/*.js";
  await page.route(scripts, (route) => route.fulfill({ status: 404, body: "" }));
  return { mend: () => page.unroute(scripts) };
}

const account = (page: Page) => page.getByRole("button", { name: /^Account 0x/ }).filter({ visible: true });

test("a menu whose code cannot be loaded says so, and opens with the next click", async ({ page, viewport }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard");
  if ((viewport?.width ?? 0) < 768) await page.getByRole("button", { name: "Menu" }).click();
  await expect(account(page)).toBeVisible();
  const cut = await cutScripts(page);
  await account(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "We could not be reached. Try again." })).toBeVisible();
  await expectFits(page);
  await cut.mend();
  await account(page).click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
});

test("a secret is shown although the code of dialogs cannot be loaded", async ({ page }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard/facilitator");
  await cutScripts(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create a key" });
  await form.getByLabel("Name").fill("Shop");
  await form.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog", { name: "Store the key" });
  await expect(dialog.getByRole("region", { name: "The secret" })).toContainText(/\S{20,}/);
  await expectAccessible(page);
  await expectFits(page);
  // The secret is not shown again, so only the dialog's button closes it.
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
});

test("the page does not claim that the session has ended when the sign-out may have failed", { tag: "@once" }, async ({
  page,
}) => {
  await become(page, await newPerson());
  await page.goto("/dashboard");
  await account(page).click();
  await cutScripts(page);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "you may still be signed in" })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
});
