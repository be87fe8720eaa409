import type { Page } from "@playwright/test";
import { linkedAgent, requestApproval } from "./support/approval";
import { requestPayout } from "./support/payouts";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const openMenu = async (page: Page) => {
  if ((page.viewportSize()?.width ?? 0) < 768) await page.getByRole("button", { name: "Menu" }).click();
};

test("an owner keeps the sidebar and the count where they decide (axe)", async ({ page }) => {
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
