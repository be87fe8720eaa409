import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { compactVerify, createRemoteJWKSet } from "jose";
import {
  BASE_URL,
  claim,
  fund,
  makeLink,
  newAgent,
  newPerson,
  payLinkByMandate,
  payUpl,
  propose,
  sign,
} from "./support/api";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

const HOSTILE = `=1+1 <img src=x onerror=alert(1)> ${"x".repeat(300)}`;

const stat = (page: Page, label: string) =>
  page
    .getByRole("region", { name: "Sales" })
    .locator("div", { has: page.getByText(label, { exact: true }) })
    .last();
const rows = (page: Page) => page.getByRole("main").getByRole("rowgroup").last().getByRole("row");

async function download(page: Page, link: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: link }).click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

const unfold = (page: Page) =>
  page.locator("main details").evaluateAll((all: HTMLDetailsElement[]) => {
    for (const details of all) details.open = true;
  });

test("a seller sees the sales, finds one payment among them, and proves it by its receipt", { tag: "@once" }, async ({
  page,
}) => {
  test.slow();
  const seller = await newPerson();
  const shop = await newAgent("Data shop");
  await claim(seller, await propose(shop));
  const link = await makeLink(shop, { description: HOSTILE, resourceContent: "shelf 7" });
  await become(page, seller);
  let payment = "";
  let receipt = "";

  await test.step("before the first sale the overview says what it will show", async () => {
    await page.goto("/dashboard");
    await expect(page.getByRole("heading", { name: "No sales yet" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Create a payment link" })).toHaveAttribute(
      "href",
      "/dashboard/links/new",
    );
    await expectAccessible(page);
  });

  const buyer = await newPerson();
  const spender = await newAgent("Buyer");
  await fund(buyer, "2000000");
  const proposal = await propose(spender);
  await sign(buyer, proposal);
  await payLinkByMandate(spender, proposal.mandateId, link);
  await payUpl(spender, proposal.mandateId, shop, "750000");
  // The wallet is empty now: this proof is refused at admission, and counts as no payment.
  await expect(payUpl(spender, proposal.mandateId, shop, "1000000")).rejects.toThrow("INSUFFICIENT_FUNDS");

  await test.step("the overview sums the settled payments and counts the failed ones", async () => {
    await page.goto("/dashboard");
    await expect(stat(page, "Volume, before refunds")).toContainText("2.00 USDC");
    await expect(stat(page, "Payments")).toContainText("2");
    await expect(stat(page, "Success rate")).toContainText("100%");
    await expect(stat(page, "Success rate")).toContainText("2 of 2");
    await expect(stat(page, "Payers")).toContainText("1");
    await expect(stat(page, "Average")).toContainText("1.00 USDC");
    await page.getByRole("navigation", { name: "Period" }).getByRole("link", { name: "7 days" }).click();
    await expect(page).toHaveURL(/\?period=7d$/);
    await expect(page.getByRole("img", { name: /^Settled per day\. Most in .*: 2\.00 USDC\./ })).toBeVisible();
    await page.getByText("As a table").click();
    const today = page
      .getByRole("region", { name: "Settled per day, oldest first" })
      .getByRole("row")
      .filter({ hasText: "2.00" });
    await expect(today.getByRole("cell")).toHaveText(["2", "2.00"]);
  });

  await test.step("payments are filtered by the URL, also without using the form", async () => {
    await page.getByRole("link", { name: "All sales" }).click();
    await expect(rows(page)).toHaveCount(2);
    const lately = page.getByRole("region", { name: "The last 30 days" });
    await expect(lately).toContainText("before refunds2.00 USDC2 payments on Base");
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Status", { exact: true }).selectOption("Settled");
    await page.getByLabel("Paid at", { exact: true }).selectOption("A payment link");
    await page.getByLabel("Link", { exact: true }).fill(` ${link.linkId} `);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await expect(page).toHaveURL(/status=settled/);
    await expect(rows(page)).toHaveCount(1);
    const chips = page.getByRole("list", { name: "Active filters" });
    await expect(chips.getByRole("listitem")).toHaveCount(4);
    const { name, text } = await download(page, "Download CSV");
    expect(name).toMatch(/^tessera-payments-\d{4}-\d\d-\d\d\.csv$/);
    expect(text).toContain(`,settled,,1,,1250000,1.25,USDC,base,`);
    expect(text).toContain(`'=1+1 <img`);
    expect(text.trim().split("\r\n")).toHaveLength(2);
    await chips.getByRole("link", { name: "Paid at" }).click();
    await expect(chips.getByRole("listitem")).toHaveCount(3);
    await chips.getByRole("link", { name: "Clear all" }).click();
    await expect(rows(page)).toHaveCount(2);
    await page.goto("/dashboard/payments?side=received&payer=0x12&source=upl");
    await expect(page.getByText("Payer must be a 20-byte 0x address.")).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await expectAccessible(page);
    await page.goto("/dashboard/payments?side=received&to=2026-01-01");
    await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  });

  await test.step("one payment's page shows its history step by step", async () => {
    await page.goto("/dashboard/payments?side=received&source=payment_link");
    await rows(page).getByRole("link", { name: "=1+1" }).click();
    await expect(page).toHaveURL(/\/dashboard\/payments\/\d+$/);
    payment = page.url();
    await expect(page.getByRole("heading", { level: 1, name: "=1+1" })).toBeVisible();
    await expect(page.getByRole("main").locator("img")).toHaveCount(0);
    const steps = page.locator("section", { hasText: "What happened" }).getByRole("listitem");
    await expect(steps).toHaveText([
      /Proof received and accepted/,
      /Transaction signed and stored/,
      /Sent to Base/,
      /Settled in block \d+/,
    ]);
    await page.getByText("What was sold", { exact: true }).click();
    await expect(page.getByText("shelf 7")).toBeVisible();
    await page.getByText("The proof as it was signed").click();
    await expect(page.getByRole("region", { name: "the authorization" })).toContainText('"value": "1250000"');
  });

  await test.step("the receipt is signed by a published key, and prints completely", async () => {
    await page.getByRole("link", { name: "See the receipt" }).click();
    await expect(page).toHaveURL(/\/receipt\/stl_/);
    receipt = page.url();
    await page.getByText("Signed receipt", { exact: true }).click();
    const { name, text } = await download(page, "Download JSON");
    expect(name).toMatch(/^receipt-stl_\w+\.json$/);
    const { jws, receipt: claims } = JSON.parse(text);
    await expect(page.getByRole("region", { name: "the signed receipt" })).toHaveText(jws);
    const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", BASE_URL));
    const { payload, protectedHeader } = await compactVerify(jws, keys, { algorithms: ["RS256"] });
    expect(protectedHeader.typ).toBe("receipt+jwt");
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims);
    expect(claims).toMatchObject({ amount: "1250000", linkId: link.linkId, iss: new URL(BASE_URL).origin });
    await page.emulateMedia({ media: "print" });
    await expect(page.getByText(claims.payer, { exact: true })).toBeVisible();
    await expect(page.getByText(claims.txHash, { exact: true })).toBeVisible();
    await expect(page.getByRole("button")).toHaveCount(0);
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await page.emulateMedia({ media: null });
  });

  await test.step("axe finds no fault and nothing scrolls sideways, in light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of ["/dashboard", "/dashboard/payments?side=received&status=settled", payment, receipt]) {
        await page.goto(path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await page.waitForLoadState();
        await unfold(page);
        await expectAccessible(page);
        await expectFits(page);
      }
    }
  });

  await test.step("other accounts cannot see the payment", async () => {
    await page.context().clearCookies();
    await become(page, buyer);
    await page.goto(payment);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
    expect(await page.content()).not.toContain("shelf 7");
    await page.goto("/dashboard/payments?side=received");
    await expect(page.getByRole("heading", { name: "No sales yet" })).toBeVisible();
  });
});
