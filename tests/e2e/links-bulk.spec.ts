import { type Agent, call, makeLink } from "./support/api";
import { rows, seller } from "./support/links";
import { expect, expectAccessible, expectFits, test } from "./support/test";

const statusOf = async ({ jwt }: Agent, linkId: string): Promise<unknown> => {
  const { paymentLink } = await call<{ paymentLink: { status: string } }>("GET", `/api/payment-links/${linkId}`, {
    jwt,
  });
  return paymentLink.status;
};

// Phones have no check boxes.
test("several links are disabled, enabled and deleted with one confirmation (axe)", { tag: "@once" }, async ({
  page,
}) => {
  const { agents } = await seller(page, "Atlas Research", "Corner shop");
  const [atlas, corner] = agents as [Agent, Agent];
  const first = await makeLink(atlas, { description: "Report 1" });
  const second = await makeLink(corner, { description: "Report 2" });
  const third = await makeLink(corner, { description: "Report 3" });
  await page.goto("/dashboard/links");
  const box = (name: string) => page.getByRole("checkbox", { name });
  const bar = page.getByRole("region", { name: "Selected links" });
  const dialog = page.getByRole("dialog");
  await expect(bar).toHaveCount(0);

  await test.step("the owner disables two of three links by keyboard", async () => {
    await box("Select Report 1").focus();
    await page.keyboard.press("Space");
    await box("Select Report 2").check();
    await expect(box("Select all on this page")).toBeChecked({ indeterminate: true });
    await expect(bar).toContainText("2 links selected");
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: `test-results/bulk-${test.info().project.name}.png`, fullPage: true });
    await bar.getByRole("button", { name: "Disable" }).focus();
    await page.keyboard.press("Enter");
    await expect(dialog).toContainText("Disable 2 links?");
    await expect(dialog.getByRole("listitem")).toHaveText(["Report 2", "Report 1"]);
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: `test-results/bulk-confirm-${test.info().project.name}.png` });
    await dialog.getByRole("button", { name: "Go back" }).click();
    await expect(bar.getByRole("button", { name: "Disable" })).toBeFocused();
    expect(await statusOf(atlas, first.linkId)).toBe("active");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Disable 2 links" }).click();
    await expect(page.getByRole("status").filter({ hasText: "2 links disabled" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Disabled 2" })).toBeVisible();
    await expect(bar).toHaveCount(0);
    expect([await statusOf(atlas, first.linkId), await statusOf(corner, third.linkId)]).toEqual(["disabled", "active"]);
  });

  await test.step("the owner selects all links of the page, and one failure does not stop the others", async () => {
    await box("Select all on this page").check();
    await expect(bar).toContainText("3 links selected");
    const json = { status: "error", code: "link_not_found", message: "Not found" };
    await page.route(`**/payment-links/${second.linkId}`, (route) => route.fulfill({ status: 404, json }));
    await bar.getByRole("button", { name: "Enable" }).click();
    await dialog.getByRole("button", { name: "Enable 3 links" }).click();
    const failed = page.getByRole("alert").filter({ hasText: "2 of 3 links enabled" });
    await expect(failed).toContainText("Report 2: This link no longer exists.");
    await expect(failed).toBeVisible();
    await expect(bar).toContainText("1 link selected");
    await expect(box("Select Report 2")).toBeChecked();
    await expectAccessible(page);
    await expectFits(page);
    expect([await statusOf(atlas, first.linkId), await statusOf(corner, third.linkId)]).toEqual(["active", "active"]);
    expect(await statusOf(corner, second.linkId)).toBe("disabled");
  });

  await test.step("the owner deletes exactly the selected links", async () => {
    await bar.getByRole("button", { name: "Clear selection" }).click();
    await expect(bar).toHaveCount(0);
    await box("Select Report 3").check();
    await bar.getByRole("button", { name: "Delete" }).click();
    await expect(dialog).toContainText("Deleting cannot be undone.");
    await dialog.getByRole("button", { name: "Delete 1 link" }).click();
    await expect(page.getByRole("status").filter({ hasText: "1 link deleted" })).toBeVisible();
    await expect(rows(page)).toHaveCount(2);
    await call("GET", `/api/payment-links/${third.linkId}`, { jwt: corner.jwt }, 404);
    expect(await statusOf(atlas, first.linkId)).toBe("active");
  });
});
