import type { Page } from "@playwright/test";
import { makeLink, newPerson, payLink } from "./support/api";
import { busyOwner } from "./support/dashboard";
import { linked } from "./support/links";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const views = (page: Page) => page.getByRole("navigation", { name: "Saved views" });
const dialog = (page: Page) => page.getByRole("dialog");

async function choose(page: Page, view: string, item: "Rename" | "Delete") {
  await page.getByRole("button", { name: `Change the view ${view}` }).press("Enter");
  await page.getByRole("menuitem", { name: item }).press("Enter");
}

test("an owner saves, applies, renames and deletes a view of payments, by keyboard (axe)", async ({
  page,
  browser,
}) => {
  const { person } = await busyOwner();
  await become(page, person);
  await page.goto("/dashboard/payments");
  await expect(views(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Save view" })).toHaveCount(0);
  await page.goto("/dashboard/payments?status=settled&host=shop.example.com");

  await test.step("saves the filters", async () => {
    await page.getByRole("button", { name: "Save view" }).press("Enter");
    await expect(dialog(page).getByLabel("Name")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toContainText("Give it a name");
    await expectAccessible(page);
    await page.keyboard.type("The <b>shop</b>");
    await page.keyboard.press("Enter");
    const view = views(page).getByRole("link", { name: "The <b>shop</b>" });
    await expect(view).toHaveAttribute("aria-current", "true");
    await expect(view).toBeFocused();
    await expect(page.getByRole("button", { name: "Save view" })).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("view.png") });
  });

  await test.step("applies it, also in another browser", async () => {
    await page.goto("/dashboard/payments");
    const view = views(page).getByRole("link");
    await expect(view).not.toHaveAttribute("aria-current");
    await view.press("Enter");
    await expect(page).toHaveURL(/\?status=settled&host=shop\.example\.com$|\?host=shop\.example\.com&status=settled$/);
    await expect(page.getByRole("heading", { name: "None of this kind" })).toBeVisible();
    const other = await browser.newContext();
    const elsewhere = await other.newPage();
    await become(elsewhere, person);
    await elsewhere.goto("/dashboard/payments");
    await expect(views(elsewhere).getByRole("link")).toHaveText(["The <b>shop</b>"]);
    await other.close();
  });

  await test.step("renames it, to a name that is free", async () => {
    await page.goto("/dashboard/payments?status=settled");
    await page.getByRole("button", { name: "Save view" }).click();
    await dialog(page).getByLabel("Name").fill("Settled");
    await dialog(page).getByRole("button", { name: "Save name" }).click();
    await expect(views(page).getByRole("link", { name: "Settled" })).toHaveAttribute("aria-current", "true");
    await choose(page, "Settled", "Rename");
    await dialog(page).getByLabel("Name").fill("The <b>shop</b>");
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toContainText("Choose another name");
    await dialog(page).getByLabel("Name").fill("Paid");
    await page.keyboard.press("Enter");
    await expect(views(page).getByRole("link")).toHaveText(["Paid", "The <b>shop</b>"]);
  });

  await test.step("deletes it", async () => {
    await choose(page, "Paid", "Delete");
    await expectAccessible(page);
    await dialog(page).getByRole("button", { name: "Delete view" }).click();
    await expect(views(page).getByRole("link")).toHaveText(["The <b>shop</b>"]);
    await expect(page).toHaveURL(/\?status=settled$/);
    await expect(page.getByRole("button", { name: "Save view" })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "Settled" })).toHaveCount(1);
  });
});

test("views of sales are the sales list's own", { tag: "@once" }, async ({ page }) => {
  const person = await newPerson();
  const agent = await linked(person, "Weather shop");
  await payLink(await makeLink(agent));
  await become(page, person);
  await page.goto("/dashboard/payments?side=received&status=refunded");
  await page.getByRole("button", { name: "Save view" }).click();
  await dialog(page).getByLabel("Name").fill("Refunds");
  await page.keyboard.press("Enter");
  await expect(views(page).getByRole("link", { name: "Refunds" })).toHaveAttribute("aria-current", "true");
  await page.goto("/dashboard/payments");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payments");
  await expect(views(page)).toHaveCount(0);
  await page.goto("/dashboard/payments?side=received");
  await views(page).getByRole("link", { name: "Refunds" }).click();
  await expect(page).toHaveURL(/side=received&status=refunded$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Payments");
});
