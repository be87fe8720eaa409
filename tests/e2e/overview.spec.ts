import type { Page } from "@playwright/test";
import { makeLink, newPerson, payLink } from "./support/api";
import { busyOwner } from "./support/dashboard";
import { fullOwner } from "./support/every-page";
import { linked } from "./support/links";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const sections = (page: Page) => page.getByRole("main").getByRole("heading", { level: 2 });

test("the overview begins with what waits for the owner, then the balance and the budgets (axe)", async ({ page }) => {
  const { person } = await busyOwner();
  await become(page, person);
  await page.goto("/dashboard");
  await expect(sections(page).first()).toHaveText("Waiting for you");
  await expect(page.getByRole("region", { name: "Balance" })).toContainText("98.75 USDC");
  const budgets = page.getByRole("list", { name: "Budgets of your agents" }).getByRole("listitem");
  // One of the two mandates is signed.
  await expect(budgets).toHaveCount(1);
  await expect(budgets).toContainText("23.75 left of 25.00 USDC");
  await expect(sections(page)).toHaveText(["Waiting for you", "Budgets", "Latest payments"]);
  await expectAccessible(page);
  await expectFits(page);
});

test("everything that waits is in one section, and leaves the balance on the first screen", { tag: "@once" }, async ({
  page,
}) => {
  const { person } = await fullOwner();
  await become(page, person);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/dashboard");
  const waiting = page.getByRole("region", { name: "Waiting for you" });
  // The rows say what they are, because the lists have no visible headings.
  for (const [kind, text] of [
    ["Payments", "Pay 0.25 USDC to"],
    ["Payees", "New address of http"],
    ["Payouts", "Pay out 1.00 USDC to"],
    ["Refunds", "Refund 0.25 USDC"],
    ["Mandates", "Up to 3.00 USDC for"],
  ])
    await expect(waiting.getByRole("list", { name: new RegExp(`^${kind} waiting for`) })).toContainText(text ?? "");
  await expect(page.getByRole("region", { name: "Balance" }).getByText("USDC").first()).toBeInViewport();
  await waiting.getByRole("link", { name: "All approvals" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Approvals" })).toBeVisible();
});

test("the overview of an owner who only sells has the balance and the sales, without steps for paying (axe)", async ({
  page,
}) => {
  const person = await newPerson();
  const agent = await linked(person, "Weather shop");
  await payLink(await makeLink(agent));
  await become(page, person);
  await page.goto("/dashboard");
  // The mandate with which the agent was linked waits.
  await expect(sections(page)).toHaveText(["Waiting for you", "Sales", "Latest payments"]);
  await expect(page.getByRole("region", { name: "Sales" })).toContainText("Volume, before refunds1.25 USDC");
  await expect(page.getByRole("heading", { name: "Budgets" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "First steps" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Balance" })).toContainText("Balance on Base");
  await expect(page.getByRole("region", { name: "Sales" })).toHaveCount(1);
  await expectAccessible(page);
  await expectFits(page);
});

test("the overview of an owner whose agents pay and sell has the budgets before the sales, which come once", {
  tag: "@once",
}, async ({ page }) => {
  const { person, agent } = await busyOwner();
  await payLink(await makeLink(agent, { amount: "2500000" }), "2500000");
  await become(page, person);
  await page.goto("/dashboard");
  await expect(sections(page)).toHaveText(["Waiting for you", "Budgets", "Sales", "Latest payments"]);
  const sales = page.getByRole("region", { name: "Sales" });
  await expect(sales).toHaveCount(1);
  await expect(sales).toContainText("Volume, before refunds2.50 USDC");
  await expect(page.getByRole("region", { name: "Latest payments" }).getByRole("row")).toHaveCount(3);
});
