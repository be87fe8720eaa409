import { call, newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

test("an owner limits all spending, and raising the limit requires a signature @once", async ({ page }) => {
  const owner = await newPerson();
  await become(page, owner);
  await page.goto("/dashboard/wallet");
  await page.getByText("Set a limit").click();
  const form = page.getByRole("form", { name: "Limit" });
  const save = form.getByRole("button", { name: "Save the limit" });
  await form.getByLabel("In 24 hours").fill("much");
  await save.click();
  await expect(form.getByText("Enter an amount")).toBeVisible();
  await form.getByLabel("In 24 hours").fill("20");
  await form.getByLabel("What is above").selectOption("3");
  await save.click();
  await expect(page.getByText("Limit saved")).toBeVisible();
  await expect(page.getByRole("region", { name: "In 24 hours" })).toContainText("20.00 left of 20.00 USDC");
  await form.getByLabel("In 24 hours").fill("25");
  await save.click();
  await signAction(page, "Raise a limit on your spending");
  await expect(page.getByRole("region", { name: "In 24 hours" })).toContainText("25.00 left of 25.00 USDC");
  const { caps } = await call<{ caps: object[] }>("GET", "/api/wallet/spending-caps", { cookie: owner.cookie });
  expect(caps).toMatchObject([{ network: "base", agentId: null, last24Hours: { cap: "25000000" }, waitingMax: 3 }]);
  await expectAccessible(page);
  await expectFits(page);
});
