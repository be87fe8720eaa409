import type { Page } from "@playwright/test";
import { makeLink, newPayee } from "./support/api";
import { visitAndPay, visitor } from "./support/checkout";
import { chooseSpendingWallet, expect, expectAccessible, expectFits, test } from "./support/test";
import { press, reviewing } from "./support/vaults";

/** What the wallet shows of the message, by the service's descriptor. */
const inWords = (page: Page) => page.getByRole("dialog", { name: /^Sign: / }).getByRole("region", { name: "In words" });

const line = (page: Page, label: string) =>
  inWords(page)
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) });

test("the wallet displays a purchase as an amount and a payee (axe)", async ({ page }) => {
  const seller = await newPayee();
  const link = await makeLink(seller);
  const buyer = await visitor(page);
  await visitAndPay(page, link.url);
  await expect(inWords(page)).toContainText(/Pay 1\.25 USDC to 0x[0-9a-fA-F]{40}/);
  await expect(line(page, "Amount")).toContainText("1.25 USDC");
  await expect(line(page, "From")).toContainText(buyer.account.address);
  await expect(line(page, "Not after")).toContainText("UTC");
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("purchase.png") });
});

test("the wallet displays a mandate as its terms, and a vault's funding in the words of the page (axe)", async ({
  page,
}) => {
  const { agent } = await reviewing(page, { hostAllowlist: ["shop.example.com"] });
  await page.getByText("Exactly what you sign").click();
  await expect(page.getByText("“Pay into a contract” or ReceiveWithAuthorization")).toBeVisible();
  await page.getByLabel("Amount to move in").fill("10");
  await press(page);
  await expect(inWords(page)).toContainText("Pay into a contract");
  await expect(inWords(page)).toContainText(/Pay 10\.00 USDC into 0x[0-9a-fA-F]{40}/);
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await chooseSpendingWallet(page);
  await press(page);
  await expect(inWords(page)).toContainText(`Allow agent ${agent.agentId} to spend up to 25.00 USDC in total until`);
  await expect(line(page, "May pay (empty: any host)")).toContainText("shop.example.com");
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("mandate.png") });
});

test("the wallet says that it has no descriptor, and displays names and numbers", { tag: "@once" }, async ({
  page,
}) => {
  await page.route("**/.well-known/erc7730/*", (route) => route.fulfill({ status: 404, body: "{}" }));
  const link = await makeLink(await newPayee());
  await visitor(page);
  await visitAndPay(page, link.url);
  const dialog = page.getByRole("dialog", { name: /^Sign: / });
  await expect(dialog).toContainText("This wallet found no description of this message");
  await expect(dialog).toContainText("1.25 USDC");
  await expect(inWords(page)).toHaveCount(0);
});
