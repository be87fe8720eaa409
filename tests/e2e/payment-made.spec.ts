import { confirmed } from "./support/api";
import { linkedAgent, repeat, requestApproval } from "./support/approval";
import { busyOwner } from "./support/dashboard";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

test("the page of a payment made shows its purpose and chain of evidence, and verifies it in the browser", async ({
  page,
}) => {
  const { person } = await busyOwner();
  await become(page, person);
  await page.goto("/dashboard/payments");

  await test.step("the owner sees the purpose of the payment and how it was authorized", async () => {
    await page.getByRole("row").filter({ hasText: "1.25" }).getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Payment of 1.25 USDC" })).toBeVisible();
    await expect(page.getByText("Spend up to 25 USDC on market data for the weekly report.")).toBeVisible();
    const chain = page.getByRole("list", { name: "The chain of evidence" });
    for (const step of ["Mandate signed", "Requirement", "Scan", "Authorization", "Transaction", "Receipt"])
      await expect(chain.getByText(step, { exact: true })).toBeVisible();
    await expect(chain.getByRole("link", { name: "See the receipt" })).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner verifies the signatures, and the page names what was not checked", async () => {
    await page.getByRole("button", { name: "Verify this payment" }).click();
    await expect(
      page.getByRole("status").filter({ hasText: "4 verified, 0 that do not match, 1 not checked." }),
    ).toBeVisible();
    const checked = page.getByRole("list", { name: "What was checked" });
    await expect(checked.getByRole("listitem").filter({ hasText: "The transaction" })).toContainText("Not checked");
    await expectAccessible(page);
    await expectFits(page);
  });
});

test("the page of a payment that was approved by itself names the approval, and others cannot see it", {
  tag: "@once",
}, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  const approval = await requestApproval(agent);
  await confirmed(owner, `/api/approvals/${approval.approvalId}/approve`, {});
  const { paymentRecordId } = await repeat(agent, approval, 200);
  await become(page, owner);
  await page.goto(`/dashboard/payments/${paymentRecordId}`);
  await expect(page.getByText("Approved by you")).toBeVisible();
  await page.getByRole("link", { name: "See what you approved" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Signed/);
  const { owner: stranger } = await linkedAgent();
  await become(page, stranger);
  await page.goto(`/dashboard/payments/${paymentRecordId}`);
  await expect(page.getByRole("heading", { level: 1, name: "Payment of" })).toHaveCount(0);
});
