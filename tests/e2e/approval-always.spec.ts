import { call } from "./support/api";
import { HOST, heading, linkedAgent, repeat, requestApproval, TITLE } from "./support/approval";
import { answerWallet, become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

test("an owner allows the host for all payments, signs a mandate, and still decides on this payment", {
  tag: "@once",
}, async ({ page }) => {
  const { owner, agent, wallet } = await linkedAgent();
  await call("POST", "/api/devnet/faucet", { json: { address: wallet, amount: "5000000" } });
  const approval = await requestApproval(agent);
  await become(page, owner);
  await page.goto(approval.approvalUrl);
  await expect(page.getByText("Your spending wallet holds too little")).toHaveCount(0);

  await test.step("the owner sets the limits", async () => {
    await page.getByText("Always allow this host, up to a limit").click();
    const cap = page.getByLabel("At most per payment");
    const limit = page.getByLabel("At most in total");
    await expect(cap).toHaveValue("0.25");
    await expect(limit).toHaveValue("2.50");
    for (const [field, wrong] of [
      [cap, ""],
      [cap, "1,5"],
      [limit, "0"],
      [limit, "0.1"],
    ] as const) {
      const inputValueBefore = await field.inputValue();
      await field.fill(wrong);
      await page.getByRole("button", { name: "Review and sign" }).click();
      await expect(field).toHaveAttribute("aria-invalid", "true");
      await field.fill(inputValueBefore);
    }
    await expectAccessible(page);
    await expectFits(page);
    await limit.fill("3");
    await page.getByLabel("For", { exact: true }).selectOption({ label: "30 days" });
    await page.getByRole("button", { name: "Review and sign" }).click();
  });

  await test.step("the owner reads and signs the mandate", async () => {
    await expect(heading(page, `Let it pay ${HOST} on its own, within these limits`)).toBeFocused();
    const card = page.getByRole("region", { name: "What it may do" });
    await expect(card).toContainText("3.00 USDC");
    await expect(card).toContainText("at most 0.25 USDC");
    await expect(card).toContainText(HOST);
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: /^Sign with your wallet: up to 3.00 USDC/ }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, TITLE)).toBeFocused();
    await expect(page.getByText("The agent can pay this host from now on")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner approves this payment, and the mandate covers later ones", async () => {
    await page.getByRole("button", { name: "Approve 0.25 USDC" }).click();
    await expect(heading(page, "Approved. Your agent can pay now")).toBeFocused();
    await repeat(agent, approval, 200);
    const { eligibleMandates } = await call<{ eligibleMandates: { mandateId: string; remainingAmount: string }[] }>(
      "GET",
      `/api/mandates/eligible?host=${HOST}&amount=250000`,
      { jwt: agent.jwt },
    );
    expect(eligibleMandates).toMatchObject([{ remainingAmount: "3000000" }]);
    const mandateId = eligibleMandates[0]?.mandateId;
    // The host does not exist, so the owner confirms the address that the mandate pays there, once.
    const pay = { jwt: agent.jwt, json: { ...approval.json, mandateId } };
    const waiting = await call<{ approvalUrl: string }>("POST", "/api/payment/x402V3Payment", pay, 202);
    await page.goto(waiting.approvalUrl);
    await page.getByRole("button", { name: "Confirm this address" }).click();
    await signAction(page, "Confirm a payee");
    await expect(heading(page, "Confirmed. Your agent may pay this address")).toBeFocused();
    await call("POST", "/api/payment/x402V3Payment", pay);
  });

  await test.step("the mandate is listed as one that the owner prepared, without words of the agent", async () => {
    await page.goto("/dashboard/mandates");
    const list = page.getByRole("main").getByRole("listitem").filter({ hasText: "3.00 USDC" });
    await expect(list).toContainText(`You prepared it to: Pay ${HOST} without asking each time`);
    await expect(list).not.toContainText("The agent says");
    await expectFits(page);
    await list.getByRole("link").first().click();
    await expect(page.getByText("You prepared it to")).toBeVisible();
    await expect(page.getByText("The agent said")).toHaveCount(0);
  });
});

test("when the owner rejects that mandate, the payment still waits for a decision", { tag: "@once" }, async ({
  page,
}) => {
  const { owner, agent } = await linkedAgent();
  const approval = await requestApproval(agent);
  await become(page, owner);
  await page.goto(approval.approvalUrl);
  await page.getByText("Always allow this host, up to a limit").click();
  await page.getByRole("button", { name: "Review and sign" }).click();
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(heading(page, TITLE)).toBeFocused();
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(heading(page, "Rejected. Nothing was signed")).toBeFocused();
});
