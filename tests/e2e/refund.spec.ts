import {
  type Agent,
  BASE_URL,
  call,
  claim,
  type Link,
  makeLink,
  newAgent,
  newPerson,
  type Person,
  payLink,
  payPath,
  propose,
} from "./support/api";
import { become, expect, expectAccessible, expectFits, signInHere, test } from "./support/test";

type Sold = { owner: Person; agent: Agent; paymentId: number; payer: string; wallet: string; receiptUrl: string };
type Refund = { refundId: string; refundUrl: string; status: string };

/** An agent of somebody's that was paid 1.25 USDC at a link. */
async function sellOnce(): Promise<Sold> {
  const owner = await newPerson();
  const agent = await newAgent("Data seller");
  await claim(owner, await propose(agent));
  const link = await makeLink(agent);
  const { payer, receiptUrl } = await payLink(link);
  const path = `/api/payment-links/${(link as { linkId: string }).linkId}/payments`;
  const { payments } = await call<{ payments: { id: number; payTo: string }[] }>("GET", path, { jwt: agent.jwt });
  const [payment] = payments;
  if (!payment) throw new Error("nothing was paid");
  return { owner, agent, paymentId: payment.id, payer, wallet: payment.payTo, receiptUrl };
}

const initiate = ({ agent, paymentId }: Sold, json: object = {}): Promise<Refund> =>
  call("POST", "/api/payment-links/refunds/initiate", { jwt: agent.jwt, json: { paymentId, ...json } }, 201);
const now = ({ agent }: Sold, { refundId }: Refund): Promise<Refund> =>
  call("GET", `/api/payment-links/refunds/${refundId}`, { jwt: agent.jwt });

const HOSTILE = '<img src=x onerror=alert(1)> "late" evil';

test("an owner decides on a refund that an agent requested", async ({ page }) => {
  const sale = await sellOnce();
  const { owner } = sale;
  const refund = await initiate(sale, { amount: "1000000", reason: HOSTILE });

  await test.step("the owner signs in to see the refund", async () => {
    await become(page, owner, false);
    await page.goto(refund.refundUrl);
    await expect(page.getByRole("heading", { level: 1, name: "Sign in to see this refund" })).toBeVisible();
    await expect(page.getByText("1.00")).toHaveCount(0);
    await expectAccessible(page);
    await signInHere(page, "Sign in with your wallet");
    await expect(page.getByRole("heading", { level: 1, name: "Refund 1.00 USDC?" })).toBeFocused();
    const card = page.getByRole("region", { name: "Refund" });
    await expect(card).toContainText("of 1.25 USDC paid");
    await expect(card.getByRole("figure")).toContainText(HOSTILE);
    await expect(page.locator("img")).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner cannot pay with an empty wallet until it has money", async () => {
    await call("POST", "/api/wallet/withdrawals", { cookie: owner.cookie, json: { network: "base" } });
    await page.reload();
    await expect(page.getByText("Your spending wallet holds too little")).toBeVisible();
    await expect(page.getByRole("button", { name: "Refund 1.00 USDC" })).toBeDisabled();
    await expectAccessible(page);
    await call("POST", "/api/devnet/faucet", { json: { address: sale.wallet, amount: "2000000" } });
    await expect(page.getByRole("button", { name: "Refund 1.00 USDC" })).toBeEnabled();
  });

  await test.step("the owner approves with the keyboard, and sees the refund paid", async () => {
    await page.getByRole("button", { name: "Refund 1.00 USDC" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "1.00 USDC refunded" })).toBeFocused();
    expect((await now(sale, refund)).status).toBe("settled");
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("link", { name: "See the receipt" }).click();
    await expect(page.getByText("A refund of a payment")).toBeVisible();
  });

  await test.step("the buyer sees the refund on the payment's receipt", async () => {
    await page.goto(sale.receiptUrl);
    await expect(page.getByRole("heading", { level: 1, name: "Paid", exact: true })).toBeVisible();
    await expect(page.getByText("Refunded 1.00 of 1.25 USDC")).toBeVisible();
    await expect(page.getByText("The seller’s words, not verified")).toBeVisible();
    await expect(page.getByText(HOSTILE)).toHaveCount(0);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      await expectFits(page);
      const name = `refunded-${colorScheme}-${test.info().project.name}`;
      await page.screenshot({ path: `test-results/${name}.png`, fullPage: true });
    }
    await page.getByRole("link", { name: "its receipt" }).click();
    await expect(page.getByText("A refund of a payment")).toBeVisible();
  });

  await test.step("the owner rejects another refund", async () => {
    const second = await initiate(sale);
    await page.goto(second.refundUrl);
    await expect(page.getByText("All of what was paid")).toHaveCount(0);
    await expect(page.getByText("Other refunds")).toBeVisible();
    await page.getByRole("button", { name: "Reject" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "You rejected this refund" })).toBeFocused();
    await expectAccessible(page);
    expect((await now(sale, second)).status).toBe("cancelled");
  });

  await test.step("the owner finds both refunds in the activity", async () => {
    await page.goto("/dashboard/activity?kind=link");
    await expect(page.getByText("You rejected a refund of Data seller")).toBeVisible();
    await expect(page.getByText("A refund of Data seller was paid: 1.00 USDC")).toBeVisible();
    const items = page.getByRole("list", { name: "What happened, newest first" }).getByRole("listitem");
    await expect(items.filter({ hasText: "refund" })).toHaveCount(2);
    const requested = page.getByText("Data seller asked you for a refund of 1.00 USDC").filter({ visible: true });
    await expect(requested).toHaveCount(0);
    await page.getByText("A refund of Data seller was paid: 1.00 USDC").click();
    await expect(requested).toHaveCount(1);
  });
});

test("an owner refunds a part of a payment from its page", { tag: "@once" }, async ({ page }) => {
  const sale = await sellOnce();
  await become(page, sale.owner);
  await page.goto("/dashboard/payments?side=received");
  await page.getByRole("link", { name: "AI market report, November" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "AI market report, November" })).toBeVisible();

  await test.step("the owner prepares the refund in a dialog", async () => {
    await page.getByRole("button", { name: "Refund" }).click();
    const amount = page.getByLabel("Amount");
    await expect(amount).toHaveValue("1.25");
    for (const wrong of ["", "0", "1.250001", "-1", "1,5"]) {
      await amount.fill(wrong);
      await page.getByRole("button", { name: "Review the refund" }).click();
      await expect(page.getByRole("alert")).toBeVisible();
    }
    await expectAccessible(page);
    await expectFits(page);
    await amount.fill("0.5");
    await page.getByLabel("Note to yourself").fill("As we agreed");
    await page.getByRole("button", { name: "Review the refund" }).click();
  });

  await test.step("the owner finds the refund among the waiting decisions, and approves it", async () => {
    await expect(page.getByRole("heading", { level: 1, name: "Refund 0.50 USDC?" })).toBeVisible();
    await expect(page.getByText("You prepared this refund.")).toBeVisible();
    await page.goto("/dashboard");
    await page.getByRole("list", { name: "Refunds waiting for your approval" }).getByRole("link").click();
    await page.getByRole("button", { name: "Refund 0.50 USDC" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "0.50 USDC refunded" })).toBeFocused();
  });

  await test.step("the owner sees the refund on the payment and in the list", async () => {
    await page.getByRole("link", { name: "Open the payment" }).click();
    await expect(page.getByText("Partly refunded")).toBeVisible();
    await expect(page.getByRole("list", { name: "Refunds of this payment" })).toContainText("Refunded");
    await expectAccessible(page);
    await expectFits(page);
    const rest = await initiate(sale);
    await call("POST", `/api/refunds/${rest.refundId}/approve`, { cookie: sale.owner.cookie });
    await page.goto("/dashboard/payments?side=received&status=refunded");
    await expect(page.getByRole("table").getByText("Refunded").first()).toBeAttached();
    await page.goto("/dashboard/payments?side=received&status=failed");
    await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
    await page.goto(sale.receiptUrl);
    await expect(page.getByRole("heading", { level: 1, name: "Paid and refunded" })).toBeVisible();
    await expect(page.getByText("Refunded 1.25 of 1.25 USDC")).toBeVisible();
    await expectAccessible(page);
    await page.screenshot({ path: "test-results/refunded-all.png", fullPage: true });
  });
});

test("a refund of a pass is at least what is unused, and its page says that it ends the pass", async ({ page }) => {
  const owner = await newPerson();
  const agent = await newAgent("Quotes seller");
  await claim(owner, await propose(agent));
  const pass = { calls: 10, amount: "1000000" };
  const { upstream } = (await makeLink(agent, { upstream: { url: "http://localhost:9", pass } })) as Link & {
    upstream: { pass: { url: string } };
  };
  const buyer = await newPerson();
  await call("POST", "/api/devnet/faucet", { json: { address: buyer.account.address, amount: pass.amount } });
  await payPath(buyer, upstream.pass.url.replace(BASE_URL, ""));
  await become(page, owner);
  await page.goto("/dashboard/payments?side=received");
  await page.getByRole("link", { name: "AI market report, November" }).first().click();
  await page.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund a payment" });
  await expect(dialog).toContainText("From 1.00 USDC, what is unused of the pass that the refund ends");
  await dialog.getByLabel("Amount").fill("0.50");
  await dialog.getByRole("button", { name: "Review the refund" }).click();
  await expect(dialog).toContainText("At least 1.00 USDC is unused of the pass");
  await page.screenshot({ path: `test-results/refund-pass-dialog-${test.info().project.name}.png` });
  await dialog.getByLabel("Amount").fill("1");
  await dialog.getByRole("button", { name: "Review the refund" }).click();
  await expect(page.getByText("Your approval ends the pass that was bought.")).toBeVisible();
  await page.screenshot({ path: `test-results/refund-pass-${test.info().project.name}.png`, fullPage: true });
  await expectAccessible(page);
  await expectFits(page);
});

test("other accounts cannot see a refund", { tag: "@once" }, async ({ page }) => {
  const sale = await sellOnce();
  const refund = await initiate(sale);
  await become(page, await newPerson());
  await page.goto(refund.refundUrl);
  await expect(page.getByRole("heading", { level: 1, name: "There is no such refund for you" })).toBeVisible();
  await expectAccessible(page);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no fault on a refund, ${colorScheme}`, { tag: colorScheme === "dark" ? "@once" : [] }, async ({
    page,
  }) => {
    const sale = await sellOnce();
    const refund = await initiate(sale, { reason: "The report was late" });
    await page.emulateMedia({ colorScheme });
    await become(page, sale.owner);
    await page.goto(refund.refundUrl);
    await expect(page.getByRole("heading", { level: 1, name: "Refund 1.25 USDC?" })).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    await call("POST", `/api/payment-links/refunds/${refund.refundId}/cancel`, { jwt: sale.agent.jwt });
    await expect(page.getByRole("heading", { level: 1, name: "The agent cancelled this refund" })).toBeVisible();
    await expectAccessible(page);
  });
}
