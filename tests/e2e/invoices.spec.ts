import type { Page } from "@playwright/test";
import { type Agent, call, payLink } from "./support/api";
import { linked, rows, seller } from "./support/links";
import { readPdf } from "./support/pdf";
import { expect, expectAccessible, expectFits, test } from "./support/test";

const HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>";
const EMAIL = "ap@example.com";

type Invoice = { invoiceId: string; linkId: string; number: string; url: string; paymentUrl: string; total: string };

async function makeInvoice(agent: Agent, change: object = {}): Promise<Invoice> {
  const json = {
    buyer: { name: "Example Ltd", address: "1 Example Street\nBern", email: EMAIL },
    dueDate: "2090-01-31",
    lines: [
      { description: "Consulting, hours", quantity: "2.5", unitAmount: "400000" },
      { description: "Setup", unitAmount: "250000" },
    ],
    sellerDetails: "Shop Ltd\nCHE-123.456.789",
    note: "Thank you for your order.",
    ...change,
  };
  return (await call<{ invoice: Invoice }>("POST", "/api/invoices", { jwt: agent.jwt, json })).invoice;
}

const line = (index: number) => ({ description: `Delivery number ${index}`, quantity: "3", unitAmount: "1234500000" });
const badge = (page: Page, word: string) => page.getByText(word, { exact: true }).filter({ visible: true });
const pdfOf = async (page: Page, format: "A4" | "Letter") => readPdf(await page.pdf({ format }));
const squeezed = (text: string) => text.replace(/\s/gu, "");

test("a buyer reads an invoice, and its page says that it is paid once the chain shows it (axe)", async ({ page }) => {
  test.slow();
  const { agents } = await seller(page, "Data seller");
  const [agent] = agents as [Agent];
  const invoice = await makeInvoice(agent, { tax: { label: "VAT", percent: "8" } });
  await page.context().clearCookies();

  await test.step("the page shows the parties, the lines, the totals and how to pay", async () => {
    await page.goto(invoice.url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Invoice ${invoice.number}`);
    await expect(page).toHaveTitle(new RegExp(invoice.number));
    await expect(badge(page, "Open")).toBeVisible();
    await expect(page.getByText(/^Due in [\d,]+ days$/)).toBeVisible();
    const document = page.getByRole("article", { name: `Invoice ${invoice.number}` });
    for (const seen of ["Data seller", "Shop Ltd", "Example Ltd", "1 Example Street", "31 January 2090", "Consulting"])
      await expect(document).toContainText(seen);
    for (const sum of ["1.25", "VAT (8%)", "0.10", "1.35 USDC", "Thank you for your order."])
      await expect(document).toContainText(sum);
    await expect(document).toContainText(invoice.paymentUrl);
    await expect(page.getByRole("link", { name: "Pay 1.35 USDC" })).toHaveAttribute("href", invoice.paymentUrl);
    await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
    await expect(page.locator("meta[name=referrer]")).toHaveAttribute("content", "no-referrer");
    expect(await page.content()).not.toContain(EMAIL);
    await expectFits(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
  });

  await test.step("the page links to a checkout for the total", async () => {
    await page.getByRole("link", { name: "Pay 1.35 USDC" }).click();
    await expect(page.getByText(`Invoice ${invoice.number}`).first()).toBeVisible();
    expect(await page.content()).not.toContain(invoice.invoiceId);
    expect(await page.content()).not.toContain("Example Ltd");
    await page.goBack();
    await expect(badge(page, "Open")).toBeVisible();
  });

  await test.step("the invoice is paid, and the page says so without a reload", async () => {
    const paid = await payLink({ linkId: invoice.linkId, url: invoice.paymentUrl }, invoice.total);
    await expect(badge(page, "Paid").first()).toBeVisible();
    await expect(page.getByText("The chain shows the transfer of the whole amount.")).toBeVisible();
    await expect(page.getByRole("article")).toContainText(/Transaction0x[0-9a-f]{64}/);
    await expect(page.getByRole("link", { name: "Open the receipt" })).toHaveAttribute("href", paid.receiptUrl);
    await expect(page.getByRole("link", { name: /^Pay / })).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });
});

test("an invoice prints cleanly on one page, and a long one repeats the table's header @once", async ({ page }) => {
  const { agents } = await seller(page, "Data seller");
  const [agent] = agents as [Agent];
  const lines = Array.from({ length: 5 }, (_, index) => line(index + 1));
  const short = await makeInvoice(agent, { lines, tax: { label: "VAT", percent: "8.1" } });
  await page.goto(short.url);
  await expect(page.getByRole("button", { name: "Print or save as PDF" })).toBeVisible();
  for (const format of ["A4", "Letter"] as const) {
    const pages = await pdfOf(page, format);
    expect(pages).toHaveLength(1);
    const { text = "", width = 0 } = pages[0] ?? {};
    expect(Math.round(width)).toBe(format === "A4" ? 596 : 612);
    for (const part of [
      ...[`Invoice ${short.number}`, "Data seller", "Shop Ltd", "Example Ltd", "1 Example Street", "31 January 2090"],
      ...["Description", "Quantity", "Unit price", "Delivery number 5", "1,234.50", "3,703.50", "VAT (8.1%)"],
      ...["Total", "20,017.42", "Thank you for your order.", short.paymentUrl],
    ])
      expect(text).toContain(squeezed(part));
    for (const screen of ["Print or save", "Pay 20", "Keep it to yourself", "Local devnet", "Due in", EMAIL])
      expect(text).not.toContain(squeezed(screen));
  }

  const long = await makeInvoice(agent, { lines: Array.from({ length: 50 }, (_, index) => line(index + 1)) });
  await page.goto(long.url);
  for (const format of ["A4", "Letter"] as const) {
    const pages = await pdfOf(page, format);
    expect(pages.length).toBeGreaterThan(1);
    const withLines = pages.filter(({ text }) => text.includes("Deliverynumber"));
    expect(withLines.length).toBeGreaterThan(1);
    for (const { text } of withLines) expect(text).toContain("DescriptionQuantityUnitpriceUSDC");
    // The first page is used, and no line is cut or left out.
    expect(pages[0]?.text).toContain("Deliverynumber10");
    const all = pages.map(({ text }) => text).join("");
    for (let index = 1; index <= 50; index++) expect(all).toContain(`Deliverynumber${index}3`);
    expect(pages.at(-1)?.text).toContain("Total");
  }
});

test("an owner creates an invoice by keyboard, finds it, and cancels it (axe)", async ({ page }) => {
  test.slow();
  const { person } = await seller(page);
  await test.step("the owner is led to create a seller, and then a first invoice", async () => {
    await page.goto("/dashboard/invoices");
    await expect(page.getByRole("heading", { name: "Sell something" })).toBeVisible();
    await linked(person, "Atlas Research");
    await page.goto("/dashboard/invoices");
    await page.getByRole("link", { name: "Create your first invoice" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("New invoice");
  });

  const form = page.getByRole("form", { name: "New invoice" });
  await test.step("the owner sees an error at each invalid field, and the total while typing", async () => {
    await expect(form.getByLabel("Agent")).toHaveCount(0);
    const issued = form.getByLabel("Issue date");
    await expect(issued).toBeHidden();
    const day = await issued.inputValue();
    await issued.evaluate((input) => input.closest("details")?.setAttribute("open", ""));
    await issued.fill("");
    await form.getByText("More", { exact: true }).click();
    await form.getByRole("button", { name: "Create invoice" }).click();
    await expect(issued).toBeVisible();
    await issued.fill(day);
    await form.getByText("More", { exact: true }).click();
    await form.getByRole("button", { name: "Create invoice" }).press("Enter");
    await expect(form.getByLabel("Buyer’s name")).toBeFocused();
    await expect(form.getByRole("alert")).toHaveCount(3);
    await page.keyboard.type("Example Ltd");
    await form.getByLabel("Buyer’s address").fill("1 Example Street\nBern");
    await form.getByLabel("Description").fill("Consulting, hours");
    await form.getByLabel("Quantity").fill("2.5");
    await form.getByLabel("Unit price").fill("80");
    await form.getByRole("button", { name: "Add a line" }).click();
    const second = form.getByRole("group", { name: "Line 2" });
    await second.getByLabel("Description").fill("Setup");
    await second.getByLabel("Unit price").fill("20");
    await form.getByRole("button", { name: "Add a line" }).click();
    await form.getByRole("button", { name: "Remove line 3" }).click();
    await form.getByLabel("Tax", { exact: true }).selectOption("percent");
    await form.getByLabel("Percentage").fill("101");
    await expect(form.getByText("220.00 USDC")).toBeVisible();
    await form.getByRole("button", { name: "Create invoice" }).click();
    await expect(form.getByLabel("Percentage")).toBeFocused();
    await form.getByLabel("Percentage").fill("8.1");
    await expect(form.getByText("237.82 USDC")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner creates the invoice and sees it as its buyer does", async () => {
    await form.getByRole("button", { name: "Create invoice" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Invoice INV-20\d\d-0001$/);
    await expect(page.getByRole("article")).toContainText("237.82 USDC");
    await expect(badge(page, "Open")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("link", { name: "Its payment link" }).click();
    await expect(page.getByRole("link", { name: "Open its invoice" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Edit link" })).toHaveCount(0);
    await page.goto("/dashboard/links");
    await expect(rows(page)).toHaveCount(0);
  });

  await test.step("the owner finds the invoice in the list by its status", async () => {
    await page.goto("/dashboard/invoices");
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page).first()).toContainText("Example Ltd");
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("link", { name: "Paid", exact: true }).click();
    await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
    await page.getByRole("link", { name: "Unpaid", exact: true }).click();
    await rows(page).first().getByRole("link").click();
  });

  await test.step("the owner confirms the cancellation, and the invoice's page shows it to the buyer", async () => {
    await page.getByRole("button", { name: "Cancel invoice" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("This cannot be undone");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel invoice" }).click();
    await expect(badge(page, "Cancelled").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel invoice" })).toHaveCount(0);
    const here = page.url();
    await page.getByRole("link", { name: "Duplicate" }).click();
    await expect(form.getByLabel("Buyer’s name")).toHaveValue("Example Ltd");
    await expect(form.getByRole("group", { name: "Line 2" }).getByLabel("Unit price")).toHaveValue("20.00");
    await expect(form.getByText("237.82 USDC")).toBeVisible();
    await page.goto(here);
    await page.getByRole("link", { name: "Open the buyer’s page" }).click();
    await expect(page.getByText("The seller cancelled this invoice", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: /^Pay / })).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });
});

test("an invoice keeps its seller, and shows refunds and that it can no longer be paid (axe)", async ({ page }) => {
  test.slow();
  const { person, agents } = await seller(page, "Data seller");
  const [agent] = agents as [Agent];
  const { cookie } = person;
  const [paid, open] = [await makeInvoice(agent), await makeInvoice(agent)];
  const pagesOf = ({ invoiceId }: Invoice) => [`/invoice/${invoiceId}`, `/dashboard/invoices/${invoiceId}`];

  await test.step("a new seller name does not appear on old invoices", async () => {
    await call("PATCH", "/api/seller/profile", { cookie, json: { name: "Other Ltd" } });
    for (const path of pagesOf(open)) {
      await page.goto(path);
      await expect(page.getByRole("article")).toContainText("Data seller");
      await expect(page.getByText("Other Ltd")).toHaveCount(0);
    }
  });

  await test.step("a refund is shown beside the invoice's state", async () => {
    await payLink({ linkId: paid.linkId, url: paid.paymentUrl }, paid.total);
    const path = `/api/payment-links/${paid.linkId}/payments`;
    const { payments } = await call<{ payments: { id: number }[] }>("GET", path, { jwt: agent.jwt });
    const json = { paymentId: payments[0]?.id };
    const initiate = "/api/payment-links/refunds/initiate";
    const { refundId } = await call<{ refundId: string }>("POST", initiate, { jwt: agent.jwt, json }, 201);
    await call("POST", `/api/refunds/${refundId}/approve`, { cookie });
    for (const path of [...pagesOf(paid), "/dashboard/invoices"]) {
      await expect(async () => {
        await page.goto(path);
        await expect(badge(page, "Refunded 1.25 USDC").first()).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await expectAccessible(page);
      await expectFits(page);
    }
    await page.goto(paid.url);
    await expect(page.getByRole("article")).toContainText("Refunded1.25 USDC");
  });

  await test.step("the buyer and the owner read that the agent was removed", async () => {
    await call("DELETE", `/api/agents/${agent.agentId}`, { cookie });
    for (const path of pagesOf(open)) {
      await page.goto(path);
      await expect(badge(page, "Cannot be paid")).toBeVisible();
      await expect(badge(page, "It can no longer be paid")).toBeVisible();
      await expect(page.getByRole("article")).toContainText("the seller’s agent was removed");
      await expect(page.getByText(open.paymentUrl)).toHaveCount(0);
      await expect(page.getByRole("link", { name: /^Pay / })).toHaveCount(0);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
      await expectFits(page);
    }
  });
});

test("hostile texts and huge sums break no page of an invoice (axe)", async ({ page }) => {
  test.slow();
  const { agents } = await seller(page, "A".repeat(100));
  const [agent] = agents as [Agent];
  const invoice = await makeInvoice(agent, {
    buyer: { name: "W".repeat(100), address: `${HOSTILE}\n${"W".repeat(400)}` },
    number: `${"N".repeat(39)}1`,
    lines: [
      { description: HOSTILE, quantity: "999999999.999", unitAmount: `${10n ** 60n}` },
      { description: "W".repeat(200), unitAmount: "1" },
      { description: "مرحبا עולם", unitAmount: "1" },
    ],
    tax: { label: "W".repeat(40), percent: "99.999" },
    note: `${HOSTILE}\n${"W".repeat(900)}`,
    sellerDetails: `${HOSTILE}${"W".repeat(400)}`,
    issueDate: "2020-01-01",
    dueDate: "2020-01-31",
  });
  for (const path of [
    `/invoice/${invoice.invoiceId}`,
    `/dashboard/invoices/${invoice.invoiceId}`,
    "/dashboard/invoices",
  ]) {
    await page.goto(path);
    await expect(badge(page, "Overdue").first()).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await expectFits(page);
    expect(await page.locator("main img, main script").count()).toBe(0);
  }
  for (const path of ["/invoice/inv_000000000000000000000000", "/invoice/nobody", "/dashboard/invoices/nobody"]) {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
  }
});
