import { makeLink, newPayee, payLink } from "./support/api";
import { connect, heading, PAY, visitor } from "./support/checkout";
import { seller } from "./support/links";
import { answerWallet, expect, expectAccessible, expectFits, test } from "./support/test";

test("a link's page shows its revenue as a chart, a table and a file (axe)", async ({ page }) => {
  const { agents } = await seller(page, "Data seller");
  const [agent] = agents;
  if (!agent) throw new Error("no agent");
  const [link, otherLink] = [await makeLink(agent), await makeLink(agent, { description: "Another" })];
  const revenue = page.getByRole("region", { name: "Revenue" });
  await page.goto(`/dashboard/links/${link.linkId}`);
  await expect(revenue).toContainText("No payment has settled yet.");
  const { settlementId } = await payLink(link);
  await payLink(link);
  await payLink(otherLink);
  await page.reload();
  await expect(revenue).toContainText("Payments settled2");
  await expect(revenue).toContainText("Settled2.50 USDC");
  await expect(revenue).toContainText("Refunded0.00 USDC");
  await expect(revenue).toContainText("Net2.50 USDC");
  await expect(revenue.getByRole("img", { name: /^Settled per day\. Most in .*: 2\.50 USDC/ })).toBeVisible();
  await revenue.getByText("As a table").click();
  const days = revenue.getByRole("table").locator("tbody").getByRole("row");
  await expect(days).toHaveCount(30);
  await expect(days.last()).toContainText("2.50");
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: `test-results/revenue-${test.info().project.name}.png`, fullPage: true });

  await revenue.getByRole("link", { name: "All payments" }).click();
  await expect(page).toHaveURL(/section=payments/);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  const stream = await file.createReadStream();
  const lines = Buffer.concat(await stream.toArray())
    .toString("utf8")
    .trim()
    .split("\n");
  expect(lines).toHaveLength(3);
  expect(lines.join()).toContain(settlementId);
  await expectAccessible(page);
  await expectFits(page);
});

test("a sold URL is shown as a link with its host, to the buyer and on the receipt (axe)", async ({ page }) => {
  const resourceContent = "Get it at https://files.example/report.pdf. Not https://bank.example@evil.example/";
  const link = await makeLink(await newPayee(), { resourceContent });
  await visitor(page);
  await page.goto(link.url);
  await connect(page);
  await page.getByRole("button", { name: PAY }).click();
  await answerWallet(page, "Sign");
  await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
  const expectLink = async () => {
    const delivered = page.getByRole("link", { name: "https://files.example/report.pdf" });
    await expect(delivered).toHaveAttribute("href", "https://files.example/report.pdf");
    await expect(delivered).toHaveAttribute("rel", "noopener noreferrer nofollow");
    await expect(delivered).toHaveAttribute("target", "_blank");
    await expect(page.getByText("(opens files.example)")).toBeVisible();
    await expect(page.getByRole("link", { name: /evil/ })).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  };
  await expectLink();
  await page.getByRole("link", { name: "See the receipt" }).click();
  await expect(page).toHaveURL(/\/receipt\//);
  await expectLink();
});
