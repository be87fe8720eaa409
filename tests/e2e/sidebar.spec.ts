import type { Page } from "@playwright/test";
import { call, newPerson } from "./support/api";
import { linkedAgent, requestApproval } from "./support/approval";
import { requestPayout } from "./support/payouts";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const openMenu = async (page: Page) => {
  if ((page.viewportSize()?.width ?? 0) < 768) await page.getByRole("button", { name: "Menu" }).click();
};

const GROUPS = {
  Money: ["Approvals", "Wallet", "Payments", "Payouts"],
  Agents: ["Agents", "Mandates", "Activity", "Identity", "Firewall"],
  Selling: ["Links", "Invoices", "Facilitator"],
  Developers: ["Webhooks", "Docs", "Settings"],
};

test("the sidebar shows its groups, marks the current page, and counts waiting decisions without a reload", async ({
  page,
}) => {
  const { owner, agent } = await linkedAgent();
  await become(page, owner);
  const connecting = page.waitForResponse((response) => response.url().includes("/api/events"));
  await page.goto("/dashboard/links/new");
  await connecting;
  await openMenu(page);
  const sidebar = page.getByRole("navigation", { name: "Dashboard" });
  const items = async (name: string) =>
    (await sidebar.getByRole("list", { name, exact: true }).getByRole("link").allTextContents()).map((text) =>
      text.replace(/\d+ waiting for you$/, ""),
    );
  await expect(sidebar.getByRole("link", { name: "Overview" })).toBeVisible();
  for (const [name, labels] of Object.entries(GROUPS)) expect(await items(name)).toEqual(labels);
  await expect(sidebar.locator("[aria-current]")).toHaveText("Links");

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

  await sidebar.getByRole("link", { name: "Mandates" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mandates");
  await openMenu(page);
  await expect(sidebar.locator("[aria-current]")).toHaveText("Mandates");
});

test("the sidebar counts nothing for an owner without waiting decisions", { tag: "@once" }, async ({ page }) => {
  await become(page, await newPerson());
  await page.goto("/dashboard");
  await expect(
    page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: /^Approvals/ }),
  ).toHaveText("Approvals");
  await expect(page).toHaveTitle("Overview · Tessera");
});

test("pages of one decision have no sidebar, and the other pages count in it what waits (axe)", async ({ page }) => {
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
    const navigation = page.getByRole("navigation", { name: "Dashboard" });
    if (!title.startsWith("Agent") && !title.startsWith("Firewall")) {
      await expect(navigation).toHaveCount(0);
      await expect(page.getByRole("button", { name: /^Account 0x/ })).toBeVisible();
      await expectAccessible(page);
      await expectFits(page);
      await page.screenshot({ path: test.info().outputPath(`${title}.png`) });
      continue;
    }
    await openMenu(page);
    await expect(navigation.getByRole("link", { name: /^Approvals/ })).toContainText(`${waiting} waiting for you`);
  }
});
