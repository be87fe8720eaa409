import { imitate, remember, stranger } from "./support/addresses";
import { HOST, linkedAgent, repeat, requestApproval } from "./support/approval";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

test("several payments are approved with one confirmation, each with its own outcome", async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  const known = stranger();
  await remember(owner, known, "Weather office");
  const first = await requestApproval(agent);
  const second = await requestApproval(agent, { amount: "1500000", resource: `https://${HOST}/other` });
  await requestApproval(agent, { amount: "7000000", payTo: imitate(known) });
  await become(page, owner);
  await page.goto("/dashboard/approvals");

  await test.step("sees the sum of those that can be approved here", async () => {
    const card = page.getByRole("region", { name: "Payments to approve" });
    await expect(card).toContainText("Chosen: 2 payments");
    await expect(card).toContainText("1.75 USDC");
    await expect(page.getByText("Looks like another address")).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "7.00 USDC" })).toBeDisabled();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("confirms the list", async () => {
    await page.getByRole("button", { name: "Approve 2 payments: 1.75 USDC" }).click();
    const dialog = page.getByRole("dialog", { name: "Approve 2 payments of 1.75 USDC?" });
    await expect(dialog.getByRole("listitem")).toHaveCount(2);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Approve 2 payments" }).click();
  });

  await test.step("sees each outcome, and the agent can pay", async () => {
    await expect(page.getByRole("status").filter({ hasText: "All were approved." })).toBeVisible();
    await expect(page.getByRole("list", { name: "Outcome of each payment" }).getByText("Approved")).toHaveCount(2);
    await expect(page.getByRole("button", { name: /^Approve 0 payments/ })).toBeDisabled();
    await expectAccessible(page);
    await expectFits(page);
    for (const each of [first, second]) expect((await repeat(agent, each, 200)).xPaymentB64).toBeTruthy();
  });
});
