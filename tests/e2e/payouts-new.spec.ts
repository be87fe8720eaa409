import { readFile } from "node:fs/promises";
import { remember, stranger } from "./support/addresses";
import { all, heading, rich } from "./support/payouts";
import { become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

test("an owner splits an amount by shares with the keyboard alone, exact to the last unit @once", async ({ page }) => {
  const owner = await rich();
  const recipients = [stranger(), stranger(), stranger()];
  await remember(owner, recipients[1] ?? "", "Bo the drummer");
  await become(page, owner);
  await page.goto("/dashboard/payouts/new");
  const { keyboard } = page;

  await test.step("the owner types the recipients and shares", async () => {
    // What is typed before the page's scripts run may be lost.
    await expect(async () => {
      await page.getByLabel("To", { exact: true }).focus();
      await keyboard.press("ControlOrMeta+A");
      await keyboard.insertText(recipients[0]?.toLowerCase() ?? "");
      await expect(page.getByText(recipients[0] ?? "", { exact: true })).toBeVisible({ timeout: 5_000 });
    }).toPass();
    for (const to of recipients.slice(1)) {
      await page.getByRole("button", { name: "Add a recipient" }).focus();
      await keyboard.press("Enter");
      const rows = page.getByRole("group", { name: "Who is paid" }).getByRole("combobox", { name: /^To/ });
      await expect(rows.last()).toBeFocused();
      await keyboard.insertText(to);
    }
    await expect(page.locator("bdi", { hasText: "Bo the drummer" })).toBeVisible();
    await page.getByRole("radio", { name: "Amounts" }).focus();
    await keyboard.press("ArrowDown");
    await page.getByLabel("Total to split").focus();
    await keyboard.insertText("10.00001");
    for (const [index, share] of ["33.34", "33.33", "33.32"].entries()) {
      await page.getByLabel(`Share ${index + 1}`).focus();
      await keyboard.insertText(share);
    }
  });

  await test.step("the owner sees that a hundredth of a percent is missing", async () => {
    await expect(page.getByText("The shares add up to 99.99%: 0.01% are not assigned yet.")).toBeVisible();
    await keyboard.press("Enter");
    await expect(page.getByRole("form").getByRole("alert")).toContainText("0.01% are not assigned yet");
    await expectAccessible(page);
    await expectFits(page);
    await page.getByLabel("Share 3").fill("33.33");
  });

  await test.step("the owner sees exact amounts and who gets the rounding remainder", async () => {
    await expect(page.getByText("Exactly 3.334004 USDC, with 0.000001 USDC from rounding")).toBeVisible();
    await expect(page.getByText("Exactly 3.333003 USDC")).toHaveCount(2);
    await expect(page.getByRole("status").filter({ hasText: "Together" })).toContainText("10.00001 USDC");
  });

  await test.step("the owner reviews the payout, and pays", async () => {
    await page.getByLabel("What it is for").fill("Royalties");
    await page.getByRole("button", { name: "Review the payout" }).focus();
    await keyboard.press("Enter");
    await expect(heading(page, "Pay 10.00001 USDC to 3 recipients?")).toBeFocused();
    const legs = page.getByRole("list", { name: "Recipients" }).getByRole("listitem");
    await expect(legs).toHaveCount(3);
    await expect(legs.nth(0)).toContainText(recipients[0] ?? "");
    await expect(legs.nth(0)).toContainText("3.334004 USDC");
    await expect(legs.nth(1)).toContainText("Bo the drummer");
    await expect(legs.nth(1)).toContainText("33.33%");
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Pay 10.00001 USDC" }).focus();
    await keyboard.press("Enter");
    await signAction(page, "Pay out");
    await expect(heading(page, "10.00001 USDC paid")).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole("link", { name: "Receipt" })).toHaveCount(3);
    await expectAccessible(page);
    await expectFits(page);
    const [paid] = await all(owner);
    expect(paid?.legs.map(({ amount }) => amount)).toEqual(["3334004", "3333003", "3333003"]);
  });

  await test.step("the owner duplicates the payout with one recipient less, by amounts", async () => {
    await page.getByRole("link", { name: "Duplicate" }).click();
    await expect(heading(page, "Duplicate a payout")).toBeVisible();
    await expect(page.getByLabel("Share 1")).toHaveValue("33.34");
    await expect(page.getByLabel("What it is for")).toHaveValue("Royalties");
    await page.getByRole("radio", { name: "Amounts" }).click();
    await expect(page.getByLabel("Amount 1")).toHaveValue("3.334004");
    await page.getByRole("button", { name: "Remove recipient 3" }).click();
    await expect(page.getByLabel("To 2")).toBeFocused();
    await expect(page.getByRole("status").filter({ hasText: "Together" })).toContainText("6.667007 USDC");
    await page.getByLabel("To 2").fill(recipients[0] ?? "");
    await page.getByRole("button", { name: "Review the payout" }).click();
    await expect(page.getByLabel("To 2")).toBeFocused();
    await expect(page.getByRole("form").getByRole("alert")).toContainText("List each address once.");
  });
});

test("an uploaded file of payouts is paid except for its invalid row, and the same file again pays nothing", {
  tag: "@once",
}, async ({ page }) => {
  const owner = await rich();
  const [first, second] = [stranger(), stranger()];
  await remember(owner, first, "Alice");
  await become(page, owner);
  const file = {
    name: "november.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      `payout_id,to_address,amount,description\r\nnov-1,${first},1.5,"Work, ""November"""\r\nnov-2,0x12,1,\r\nnov-3,${second.toLowerCase()},0.25,\r\n`,
    ),
  };
  const choose = async () => {
    await page.goto("/dashboard/payouts/batch");
    await page.getByLabel("Choose a file").setInputFiles(file);
    await expect(page.getByRole("alert").filter({ hasText: "A line cannot be paid" })).toContainText(
      "Line 3, to_address",
    );
  };
  const pay = async () => {
    await page.getByRole("button", { name: "Pay 2 payouts" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pay 2 payouts" }).click();
  };

  await test.step("the page offers a template", async () => {
    await page.goto("/dashboard/payouts/batch");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download a template" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain("payout_id,to_address,amount,network");
  });

  await test.step("the owner reviews the file, and pays", async () => {
    await choose();
    const preview = page.getByRole("region", { name: "Totals of the file" });
    await expect(preview).toContainText("1.75 USDC");
    await expect(preview.getByRole("row", { name: /Alice/ })).toContainText('Work, "November"');
    await expect(preview.getByRole("row", { name: second })).toContainText("First payment to this address");
    await expectAccessible(page);
    await pay();
    await signAction(page, "Pay a file");
    await expect(page.getByRole("status").filter({ hasText: "2 made, 0 existed already, 0 refused." })).toBeVisible();
    await expectAccessible(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the results" }).click();
    const results = await readFile(await (await download).path(), "utf8");
    expect(results.split("\r\n")).toEqual([
      "\ufeffline,payout_id,result,reason,record_id",
      expect.stringMatching(/^2,nov-1,made,,po_\w+$/),
      expect.stringMatching(/^3,,left out,"?to_address: .*,$/),
      expect.stringMatching(/^4,nov-3,made,,po_\w+$/),
      "",
    ]);
  });

  await test.step("the same file pays nothing twice", async () => {
    await choose();
    await pay();
    await expect(page.getByRole("status").filter({ hasText: "0 made, 2 existed already, 0 refused." })).toBeVisible();
    expect((await all(owner)).map(({ payoutId, amount }) => [payoutId, amount])).toEqual([
      ["nov-3", "250000"],
      ["nov-1", "1500000"],
    ]);
  });
});
