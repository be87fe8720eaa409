import { toAddress } from "@/lib/core/address";
import { stranger } from "./support/addresses";
import { call, newPerson } from "./support/api";
import { become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

/** On the list `ours` of the service that these tests run against. */
const DENIED = "0xd1e5000000000000000000000000000000000001";

test("an owner denies payees, and allowing more requires a signature", async ({ page }) => {
  const owner = await newPerson();
  await become(page, owner);
  await page.goto("/dashboard/wallet");
  const denied = page.getByRole("region", { name: "Never paid" });
  const form = page.getByRole("form", { name: "Deny a payee" });
  await expect(denied.getByText("Nobody is on this list.")).toBeVisible();
  await form.getByLabel("Address or host").fill("https://tracker.example/a");
  await form.getByRole("button", { name: "Deny payee" }).click();
  await expect(form.getByText("Enter a whole 0x address")).toBeVisible();
  await form.getByLabel("Address or host").fill("Tracker.example");
  await page.keyboard.press("Enter");
  await expect(denied.getByRole("listitem")).toContainText("tracker.example");
  const address = toAddress(stranger());
  await form.getByLabel("Address or host").fill(address.toLowerCase());
  await form.getByRole("button", { name: "Deny payee" }).click();
  await expect(denied.getByRole("listitem")).toHaveCount(2);
  await expect(denied.getByRole("listitem").filter({ hasText: address })).toBeVisible();
  const only = page.getByRole("region", { name: "Only these are paid" });
  await only.getByRole("switch").click();
  await expect(only.getByText("your agents can pay nobody")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);

  await denied.getByRole("button", { name: "Remove tracker.example" }).click();
  await signAction(page, "Let your agents pay more payees");
  await expect(denied.getByRole("listitem")).toHaveCount(1);
  await page.getByRole("form", { name: "Allow a payee" }).getByLabel("Address or host").fill("api.example.com");
  await page.getByRole("button", { name: "Allow payee" }).click();
  await signAction(page, "Let your agents pay more payees");
  await expect(only.getByRole("listitem")).toContainText("api.example.com");
  const lists = await call<object>("GET", "/api/wallet/payee-lists", { cookie: owner.cookie });
  expect(lists).toMatchObject({
    isAllowListOn: true,
    entries: [
      { list: "allow", payee: "api.example.com" },
      { list: "deny", payee: address },
    ],
  });
});

test("a mistake on the operator's list is reported in one step", async ({ page }) => {
  test.skip(!process.env.SCREENING_LISTS?.startsWith("ours="), "this service has no list of denied addresses");
  await page.goto(`/report?address=${DENIED}`);
  await expect(page.getByText("It is on the operator’s list “ours”")).toBeVisible();
  await page.getByLabel("Why it is a mistake").fill("It is my shop.");
  await expectAccessible(page);
  await expectFits(page);
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Sent to the operator")).toBeVisible();
});

test("an address that no list of the operator has cannot be reported @once", async ({ page }) => {
  await page.goto(`/report?address=${toAddress(stranger())}`);
  await expect(page.getByText("It is on no list of the operator")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send report" })).toBeHidden();
  await page.goto("/report?address=javascript:alert(1)");
  await expect(page.getByText("Open this page with the link in the message")).toBeVisible();
  await expectAccessible(page);
});
