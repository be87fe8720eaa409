import { call, makeLink, newPerson } from "./support/api";
import { connect, heading, visitor } from "./support/checkout";
import { linked, seller } from "./support/links";
import { answerWallet, become, expect, expectAccessible, expectFits, test } from "./support/test";

test("an owner creates a link with options in the form (axe)", async ({ page }) => {
  const { agents } = await seller(page, "Option shop");
  await page.goto("/dashboard/links/new");
  const form = page.getByRole("form", { name: "New payment link" });
  await form.getByLabel("Price").fill("5");
  await form.getByLabel("Title").fill("Support us");
  await form.getByText("More", { exact: true }).click();
  await form.getByLabel("Lowest amount").fill("6");
  await form.getByLabel("Highest amount").fill("50");
  await form.getByRole("button", { name: "Create link" }).click();
  await expect(form.getByLabel("Lowest amount")).toBeFocused();
  await expect(form.getByRole("alert")).toHaveText("It must not be above the price.");
  await form.getByLabel("Lowest amount").fill("1");
  await expect(page.getByRole("region", { name: "Preview of the checkout" })).toContainText(
    "You choose what you pay1.00 USDC to 50.00 USDC",
  );
  await form.getByLabel("Suggested amounts").fill("5 10");
  await form.getByRole("button", { name: "Add a question" }).click();
  await form.getByRole("textbox", { name: "Question 1" }).fill("E-mail");
  await form.getByLabel("Metadata").fill("campaign = winter");
  await form.getByLabel("Message while it is disabled").fill("Back on Monday");
  await form.getByLabel("Tax note on receipts").fill("VAT DE 1");
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: "test-results/options-form.png", fullPage: true });
  await form.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeVisible();
  const { paymentLinks } = await call<{ paymentLinks: object[] }>("GET", "/api/payment-links", {
    jwt: agents[0]?.jwt ?? "",
  });
  expect(paymentLinks).toMatchObject([
    {
      title: "Support us",
      customAmount: { min: "1000000", max: "50000000", presets: ["5000000", "10000000"] },
      fields: [{ name: "e_mail", label: "E-mail", isRequired: true }],
      metadata: { campaign: "winter" },
      disabledMessage: "Back on Monday",
      taxNote: "VAT DE 1",
    },
  ]);
  await page.getByRole("link", { name: "View this link" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Support us");
  await expect(page.getByText("campaign")).toBeVisible();
  await page.getByRole("link", { name: "Edit link" }).click();
  await page.getByLabel("Title").fill("Support our work");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Support our work");
});

test("a buyer chooses an amount, answers the questions, and pays exactly that amount (axe)", async ({ page }) => {
  const owner = await newPerson();
  const agent = await linked(owner, "Option shop");
  const { linkId } = await makeLink(agent, {
    amount: "5000000",
    title: "Support us",
    description: "For the winter",
    customAmount: { min: "1000000", max: "50000000", presets: ["5000000", "10000000"] },
    fields: [{ name: "email", label: "E-mail", isRequired: true }],
    reference: "R-77",
  });
  await visitor(page);
  await page.goto(`/pay/${linkId}?amount=7000000`);
  await expect(page.getByRole("textbox", { name: "Amount" })).toHaveValue("7.00");
  await expect(page.getByText("Support us")).toBeVisible();
  const total = page.getByRole("status").filter({ hasText: "Total" });
  const preset = page.getByRole("button", { name: "10.00", exact: true });
  await preset.click();
  await expect(total).toContainText("10.00 USDC");
  await expect(preset).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("textbox", { name: "Amount" }).fill("60");
  await expect(total).toHaveText("Total–");
  await expect(preset).toHaveAttribute("aria-pressed", "false");
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: "test-results/options-checkout.png", fullPage: true });
  await connect(page);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Amount" })).toBeFocused();
  await expect(page.getByRole("alert").filter({ hasText: "Enter an amount from 1.00 to 50.00 USDC." })).toBeVisible();
  await page.getByRole("textbox", { name: "Amount" }).fill("10");
  await expect(total).toContainText("10.00 USDC");
  await expect(preset).toHaveAttribute("aria-pressed", "true");
  const pay = page.getByRole("button", { name: "Pay 10.00 USDC" });
  await pay.click();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await expect(page.getByRole("alert").filter({ hasText: "needs this" })).toBeVisible();
  await page.getByLabel("E-mail").fill("ann@example.com");
  await pay.click();
  await answerWallet(page, "Sign");
  await expect(heading(page, "You paid 10.00 USDC")).toBeVisible();
  const { payments } = await call<{ payments: object[] }>("GET", "/api/received-payments", { jwt: agent.jwt });
  expect(payments).toMatchObject([{ amount: "10000000", answers: { email: "ann@example.com" }, reference: "R-77" }]);
  await become(page, owner);
  await page.goto("/dashboard/payments?side=received");
  const row = page.getByRole("row").filter({ hasText: "Settled" });
  await expect(row.getByRole("link", { name: "Support us" })).toBeVisible();
  await expect(row).toContainText("ann@example.com");
  await expect(row).not.toContainText("For the winter");
  await expectFits(page);
});

test("a disabled link shows the seller's message", { tag: "@once" }, async ({ page }) => {
  const agent = await linked(await newPerson(), "Option shop");
  const { linkId } = await makeLink(agent, { amount: "1", disabledMessage: "Back on Monday" });
  await call("PATCH", `/api/payment-links/${linkId}`, { jwt: agent.jwt, json: { status: "disabled" } });
  await page.goto(`/pay/${linkId}`);
  await expect(page.getByText("Back on Monday")).toBeVisible();
});
