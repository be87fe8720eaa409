import type { Page } from "@playwright/test";
import { call, newPerson } from "./support/api";
import { linkedAgent, requestApproval } from "./support/approval";
import { requestPayout } from "./support/payouts";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const openMenu = async (page: Page) => {
  if ((page.viewportSize()?.width ?? 0) < 768) await page.getByRole("button", { name: "Menu" }).click();
};

const SECTIONS = ["Overview", "Approvals", "Money", "Agents", "Selling", "Firewall", "Developers"];
const TABS = {
  "/dashboard/wallet": ["Money", "Wallet", "Payments", "Payouts"],
  "/dashboard/agents": ["Agents", "Agents", "Mandates", "Activity"],
  "/dashboard/links": ["Selling", "Links", "Invoices", "Sales"],
  "/dashboard/webhooks": ["Developers", "Webhooks", "Keys", "Facilitator", "Identity", "Docs"],
} as const;

test("every section is reachable, and shows its pages as tabs", async ({ page }) => {
  await become(page, await newPerson());
  for (const [path, [section, ...labels]] of Object.entries(TABS)) {
    await page.goto(path);
    const tabs = page.getByRole("navigation", { name: section, exact: true });
    await expect(tabs.getByRole("link")).toHaveText(labels);
    await expect(tabs.locator("[aria-current=page]")).toHaveText(labels[0]);
    await expectFits(page);
  }
  // One path, two pages.
  await page.goto("/dashboard/payments?side=received");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sales");
  await expect(page.getByRole("navigation", { name: "Selling" }).locator("[aria-current=page]")).toHaveText("Sales");
  await openMenu(page);
  const sidebar = page.getByRole("navigation", { name: "Dashboard" });
  await expect(sidebar.locator("[aria-current]")).toHaveText("Selling");
  // Nothing scrolls, and nothing lies over a link.
  await expect.poll(() => sidebar.evaluate((nav) => nav.scrollHeight - nav.clientHeight)).toBeLessThanOrEqual(0);
  for (const link of await sidebar.getByRole("link").all()) await link.click({ trial: true });
  await page
    .getByRole("button", { name: /^Account/ })
    .filter({ visible: true })
    .click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
});

test("the sidebar marks the current section, and counts waiting decisions without a reload", async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  await become(page, owner);
  const connecting = page.waitForResponse((response) => response.url().includes("/api/events"));
  await page.goto("/dashboard/links/new");
  await connecting;
  await openMenu(page);
  const sidebar = page.getByRole("navigation", { name: "Dashboard" });
  const labels = async () =>
    (await sidebar.getByRole("link").allTextContents()).map((text) => text.replace(/\d+ waiting for you$/, ""));
  await expect(sidebar.getByRole("link", { name: "Overview" })).toBeVisible();
  expect(await labels()).toEqual(SECTIONS);
  await expect(sidebar.locator("[aria-current]")).toHaveText("Selling");

  // The mandate with which the agent was linked waits.
  const approvals = sidebar.getByRole("link", { name: /^Approvals/ });
  const expectWaiting = async (count: number) => {
    // Nothing moves in a menu that is open.
    await page.keyboard.press("Escape");
    await expect(page).toHaveTitle(new RegExp(`^\\(${count}\\) `));
    await openMenu(page);
    await expect(approvals).toHaveText(`Approvals${count} waiting for you`);
  };
  await expectWaiting(1);
  const { approvalId } = await requestApproval(agent);
  await expectWaiting(2);
  await call("POST", `/api/approvals/${approvalId}/deny`, { cookie: owner.cookie, json: {} });
  await expectWaiting(1);
  await expect(sidebar.getByText(/waiting for you/)).toHaveCount(1);

  await sidebar.getByRole("link", { name: "Agents" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
  await openMenu(page);
  await expect(sidebar.locator("[aria-current]")).toHaveText("Agents");
});

test("the sidebar counts nothing for an owner without waiting decisions", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard");
  await expect(
    page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: /^Approvals/ }),
  ).toHaveText("Approvals");
  await expect(page).toHaveTitle("Overview · Tessera");
});

test("the sidebar and its count stay visible on the pages where an owner decides (axe)", async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  const approval = await requestApproval(agent);
  const payout = await requestPayout(agent, { toAddress: owner.account.address, amount: "1000000" });
  await become(page, owner);
  // The mandate with which the agent was linked waits too.
  const waiting = 3;
  for (const [path, title] of [
    [approval.approvalUrl, "Approve a payment"],
    [payout.approvalUrl, "Approve a payout"],
    ["/identity", "Agent identity"],
    ["/firewall", "Firewall playground"],
    ["/add-agent", "Link an agent"],
  ] as const) {
    await page.goto(path);
    await expect(page).toHaveTitle(`(${waiting}) ${title} · Tessera`);
    await openMenu(page);
    const item = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: /^Approvals/ });
    await expect(item).toContainText(`${waiting} waiting for you`);
    if (title.startsWith("Approve")) {
      await expect(item).toHaveAttribute("aria-current", "page");
      await expectAccessible(page);
      await expectFits(page);
      await page.screenshot({ path: test.info().outputPath(`${title}.png`) });
    }
  }
});
