import { busyOwner } from "./support/dashboard";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

test.describe("on a wide screen", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("a payment is shown beside its list, is in the URL, and the keyboard works (axe)", { tag: "@once" }, async ({
    page,
  }) => {
    const { person } = await busyOwner();
    await become(page, person);
    const asked: string[] = [];
    await page.goto("/dashboard/payments");
    const link = page.getByRole("rowheader").getByRole("link").first();
    await expect(link).toBeVisible();
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/dashboard/payments" && searchParams.has("show")) asked.push(request.url());
    });
    await link.focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/dashboard\/payments\?show=pay_\w+$/);
    const pane = page.getByRole("region", { name: "The chosen payment" });
    await expect(pane.getByRole("heading", { level: 2, name: "Payment of 1.25 USDC" })).toBeVisible();
    await expect(link).toHaveAttribute("aria-current", "true");
    await expect(link).toBeFocused();
    expect(asked).toHaveLength(1);
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("payments-beside.png") });

    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/\/dashboard\/payments$/);
    await expect(pane).toHaveCount(0);
    await page.goBack();
    await expect(pane).toBeVisible();
    await page.reload();
    await expect(pane).toBeVisible();
    await pane.getByRole("link", { name: "Open its page" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Payment of 1.25 USDC" })).toBeVisible();
  });
});

test("on other screens a payment has its own page", async ({ page }) => {
  const { person } = await busyOwner();
  await become(page, person);
  await page.goto("/dashboard/payments");
  await page.getByRole("rowheader").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/dashboard\/payments\/pay_\w+$/);
  await expectFits(page);
});
