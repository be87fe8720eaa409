import { imitate, remember, stranger } from "./support/addresses";
import { type Agent, call, claim, fund, makeLink, newAgent, newPerson, payLink, propose } from "./support/api";
import { HOST, linkedAgent, repeat, requestApproval } from "./support/approval";
import { requestPayout } from "./support/payouts";
import { become, expect, expectAccessible, expectFits, signAction, test } from "./support/test";

test("a list that is cut says so", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  await become(page, owner);
  await page.goto("/dashboard/approvals");
  const mandates = page.getByRole("list", { name: "Mandates waiting for you" }).getByRole("listitem");
  const isCut = page.getByText("If there are more, they appear here when you have decided some.");
  await expect(mandates).toHaveCount(1);
  await expect(isCut).toHaveCount(0);
  for (let more = 0; more < 20; more++) await claim(owner, await propose(agent));
  await page.reload();
  await expect(mandates).toHaveCount(20);
  await expect(isCut).toBeVisible();
});

test("an owner approves several payments with one confirmation, each with its own outcome", async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  const knownAddress = stranger();
  await remember(owner, knownAddress, "Weather office");
  // The two that are chosen fit it one by one.
  const json = { maxAmountPer24Hours: "1600000", waitingMax: 20 };
  await call("POST", "/api/wallet/spending-caps", { cookie: owner.cookie, json });
  // The newest comes first, so this is the repeated one.
  await requestApproval(agent);
  const second = await requestApproval(agent, { amount: "1500000", resource: `https://${HOST}/other` });
  await requestApproval(agent, { amount: "7000000", payTo: imitate(knownAddress) });
  const first = await requestApproval(agent);
  await become(page, owner);
  await page.goto("/dashboard/approvals");
  const card = page.getByRole("region", { name: "Payments to approve" });

  await test.step("no payment is selected at first, and a repeated request is marked", async () => {
    await expect(card).toContainText("Waiting for you: 4 payments9.00 USDC");
    await expect(card).toContainText("Available: 0.00 USDC");
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Choose what to approve" })).toBeDisabled();
    await expect(card.getByText("“Weekly report”").first()).toBeVisible();
    await expect(card.getByText("Looks like the request above")).toHaveCount(1);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("all payments can be selected except the repeated one, which can be rejected here", async () => {
    await page.getByRole("button", { name: "Choose all" }).click();
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
    const repeated = page.getByRole("listitem").filter({ hasText: "Looks like the request above" });
    await repeated.getByRole("button", { name: /^Reject/ }).click();
    await expect(card.getByText("Looks like the request above")).toHaveCount(0);
  });

  await test.step("the owner sees the total of the selected payments, and that the wallet holds and their limit leaves too little", async () => {
    await expect(card).toContainText("Chosen: 2 payments");
    await expect(card).toContainText("1.75 USDC");
    await expect(card).toContainText("It is short of these payments by 1.75 USDC.");
    await expect(card).toContainText("1.75 USDC is chosen, and 1.60 USDC is left in 24 hours.");
    await page.screenshot({ path: test.info().outputPath("above.png"), fullPage: true });
    await expect(page.getByText("Looks like another address")).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "7.00 USDC" })).toBeDisabled();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner confirms the list", async () => {
    await page.getByRole("button", { name: "Approve 2 payments: 1.75 USDC" }).click();
    const dialog = page.getByRole("dialog", { name: "Approve 2 payments of 1.75 USDC?" });
    await expect(dialog.getByRole("listitem")).toHaveCount(2);
    await expect(dialog).toContainText("“Weekly report”");
    await expect(dialog).toContainText("too little");
    await expect(dialog).toContainText("Above your limit");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Approve 2 payments" }).click();
    await signAction(page, "Approve payments");
  });

  await test.step("the owner sees each outcome, and the agent can pay", async () => {
    await expect(page.getByRole("status").filter({ hasText: "All were approved." })).toBeVisible();
    await expect(page.getByRole("list", { name: "Outcome of each payment" }).getByText("Approved")).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Choose what to approve" })).toBeDisabled();
    await expectAccessible(page);
    await expectFits(page);
    for (const each of [first, second]) expect((await repeat(agent, each, 200)).xPaymentB64).toBeTruthy();
  });
});

test("several payouts are paid with one confirmation and one signature", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  await fund(owner, "5000000");
  const knownAddress = stranger();
  await remember(owner, knownAddress, "Weather office");
  await requestPayout(agent, { toAddress: knownAddress, amount: "1000000" });
  const fresh = stranger();
  await requestPayout(agent, { toAddress: fresh, amount: "500000" });
  await requestPayout(agent, { toAddress: imitate(knownAddress), amount: "250000" });
  await become(page, owner);
  await page.goto("/dashboard/approvals");
  const card = page.getByRole("region", { name: "Payouts to approve" });
  await card.getByRole("button", { name: "Choose all" }).click();
  await expect(card).toContainText("Chosen: 2 payouts");
  await expect(card).toContainText("1.50 USDC");
  await expect(card.getByText("Looks like another address")).toBeVisible();
  await expect(card.getByRole("checkbox", { name: "0.25 USDC" })).toBeDisabled();
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("payouts.png"), fullPage: true });

  await card.getByRole("button", { name: "Approve 2 payouts: 1.50 USDC" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 2 payouts of 1.50 USDC?" });
  await expect(dialog).toContainText(fresh);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Approve 2 payouts" }).click();
  await signAction(page, "Approve payouts");
  await expect(page.getByRole("status").filter({ hasText: "All were approved." })).toBeVisible();
  await expect(page.getByRole("list", { name: "Outcome of each payout" }).getByText("Approved")).toHaveCount(2);
  await expectAccessible(page);
  await expectFits(page);
});

test("several refunds are paid with one confirmation", { tag: "@once" }, async ({ page }) => {
  const owner = await newPerson();
  const agent = await newAgent("Data seller");
  await claim(owner, await propose(agent));
  for (const _ of [1, 2]) await askForRefund(agent);
  await become(page, owner);
  await page.goto("/dashboard/approvals");
  const card = page.getByRole("region", { name: "Refunds to approve" });
  for (const box of await card.getByRole("checkbox").all()) await box.check();
  await expect(card).toContainText("2.50 USDC");
  await expectAccessible(page);
  await expectFits(page);
  await card.getByRole("button", { name: "Approve 2 refunds: 2.50 USDC" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 2 refunds of 2.50 USDC?" });
  await dialog.getByRole("button", { name: "Approve 2 refunds" }).click();
  await expect(page.getByRole("list", { name: "Outcome of each refund" }).getByText("Approved")).toHaveCount(2);
  await expect(card).toHaveCount(0);
});

/** The refunded sale was of 1.25 USDC. */
async function askForRefund(agent: Agent): Promise<void> {
  const link = await makeLink(agent);
  await payLink(link);
  const path = `/api/payment-links/${(link as { linkId: string }).linkId}/payments`;
  const { payments } = await call<{ payments: { id: number }[] }>("GET", path, { jwt: agent.jwt });
  const json = { paymentId: payments[0]?.id };
  await call("POST", "/api/payment-links/refunds/initiate", { jwt: agent.jwt, json }, 201);
}

test.describe("on a wide screen", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("an owner decides on a payment beside the list, and the URL and the keyboard follow the selection (axe)", {
    tag: "@once",
  }, async ({ page }) => {
    const { owner, agent } = await linkedAgent();
    await requestApproval(agent);
    await requestApproval(agent, { amount: "1500000", resource: `https://${HOST}/other` });
    await become(page, owner);
    await page.goto("/dashboard/approvals");
    const links = page.getByRole("link", { name: /^See the payment of/ });
    await links.first().focus();
    await page.keyboard.press("ArrowDown");
    await expect(links.nth(1)).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/dashboard\/approvals\?show=apr_/);
    const pane = page.getByRole("region", { name: "The chosen payment" });
    await expect(pane.getByRole("heading", { level: 2, name: /^Pay / })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Approvals");
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("beside.png") });
    await pane.getByRole("button", { name: "Reject" }).click();
    await expect(pane.getByRole("heading", { name: /Rejected/ })).toBeVisible();
    await expect(links).toHaveCount(1);
    await pane.getByRole("link", { name: "Close the details" }).click();
    await expect(page).toHaveURL(/\/dashboard\/approvals$/);
    await expect(pane).toHaveCount(0);
  });
});
