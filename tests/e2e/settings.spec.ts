import { remember, stranger } from "./support/addresses";
import { call, fund, newPerson } from "./support/api";
import { answerWallet, become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

test("an owner sees the devices with a session, and ends the other sessions @once", async ({ page }) => {
  const owner = await newPerson();
  const otherPerson = await newPerson(owner.key);
  const third = await newPerson(owner.key);
  await become(page, owner);
  await page.goto("/dashboard/settings");
  const list = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expect(list).toHaveCount(3);
  await expect(list.filter({ hasText: "This browser" })).toHaveCount(1);
  await expectAccessible(page);
  await expectFits(page);

  await list
    .getByRole("button", { name: /^End the session/ })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
  await expect(list).toHaveCount(2);
  await page.getByRole("button", { name: "End all other sessions" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End all others" }).click();
  await expect(list).toHaveCount(1);
  await expect(page.getByText("You are signed in nowhere else.")).toBeVisible();
  for (const { cookie } of [otherPerson, third]) await call("GET", "/api/wallet", { cookie }, 401);
  await call("GET", "/api/wallet", { cookie: owner.cookie });

  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => call("GET", "/api/wallet", { cookie: owner.cookie }, 401).then(() => true)).toBe(true);
});

test("the settings link to the address book @once", async ({ page }) => {
  const owner = await newPerson();
  await become(page, owner);
  await page.goto("/dashboard/settings");
  await expect(page.getByText("Your address book is empty.")).toBeVisible();
  await remember(owner, stranger(), "Bo");
  await page.reload();
  await expect(page.getByText("Your address book has 1 address.")).toBeVisible();
  await page.getByRole("link", { name: "Open the address book" }).click();
  await expect(page.getByRole("row", { name: /Bo/ })).toBeVisible();
});

test("a payout that the wallet refuses to sign moves nothing, and can be signed afterwards @once", async ({ page }) => {
  const owner = await newPerson();
  await fund(owner);
  await become(page, owner);
  const to = stranger();
  await page.goto("/dashboard/payouts/new");
  await page.getByLabel("To", { exact: true }).fill(to);
  await page.getByLabel("Amount").fill("1.5");
  await page.getByRole("button", { name: "Review the payout" }).click();
  const pay = page.getByRole("button", { name: "Pay 1.50 USDC" });
  const dialog = page.getByRole("dialog", { name: "Pay out: sign with your wallet" });

  await pay.click();
  await expect(dialog).toContainText("1.50 USDC");
  await expect(dialog).toContainText(to);
  await dialog.getByRole("button", { name: "Do not sign" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You did not sign" })).toBeVisible();

  await pay.click();
  await dialog.getByRole("button", { name: "Sign with your wallet" }).click();
  await answerWallet(page, "Reject");
  await expect(dialog.getByRole("alert")).toContainText("You did not sign");
  await expectAccessible(page);
  expect(await call("GET", "/api/wallet/payouts", { cookie: owner.cookie })).toMatchObject({ payouts: [] });
  await dialog.getByRole("button", { name: "Sign with your wallet" }).click();
  await answerWallet(page, "Sign");
  await expect(page.getByRole("heading", { level: 1, name: "1.50 USDC paid" })).toBeVisible({ timeout: 30_000 });
});

test("a lower approval limit is saved at once, and a higher one requires a signature @once", async ({ page }) => {
  const owner = await newPerson();
  await become(page, owner);
  await page.goto("/dashboard/settings");
  const field = page.getByLabel("Limit without a signature");
  const save = page.getByRole("button", { name: "Save the limit" });
  await expect(field).toHaveValue("100.00");
  await field.fill("much");
  await save.click();
  await expect(page.getByRole("alert").filter({ hasText: "Enter an amount" })).toBeVisible();
  await field.fill("20");
  await save.click();
  await expect(page.getByText("Approval limit saved")).toBeVisible();
  await field.fill("250");
  await save.click();
  await signAction(page, "Raise your approval limit");
  await expect(field).toHaveValue("250.00");
  const { limit } = await call<{ limit: string }>("GET", "/api/wallet/approval-limit", { cookie: owner.cookie });
  expect(limit).toBe("250000000");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no fault on the settings, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    const owner = await newPerson();
    await newPerson(owner.key);
    await become(page, owner);
    await page.goto("/dashboard/settings");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });
}
