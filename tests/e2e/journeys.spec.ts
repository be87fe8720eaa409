import { newAgent, newPayee, payUpl, propose } from "./support/api";
import { heading, payment } from "./support/checkout";
import { Journey, signIn, signInWallet } from "./support/journey";
import { expect, expectFits, test } from "./support/test";
import { OPENING, payWhenReady, vault } from "./support/vaults";

/** People who have never seen the product, with an empty wallet. The bounds are what each journey takes today. */

test("a new seller creates an agent and a link, and sees the first payment of a buyer", async ({ page, browser }) => {
  const journey = new Journey("Seller");
  await page.goto("/");
  await journey.click(page.getByRole("link", { name: "Try it with test money" }));
  await journey.click(page.getByRole("button", { name: /Tessera test wallet/ }));
  await signInWallet(journey, page);
  await journey.type(page.getByLabel("Name of your shop"), "Corner shop");
  await journey.click(page.getByRole("button", { name: "Create a seller" }));
  await journey.type(page.getByLabel("Price"), "2.50");
  await journey.click(page.getByRole("button", { name: "Create link" }));
  await expect(page.getByRole("heading", { name: "Your link is ready" })).toBeVisible();
  const url = await page.getByRole("link", { name: "Open the checkout" }).getAttribute("href");
  await journey.click(page.getByRole("button", { name: "Copy link" }));
  await journey.click(page.getByRole("link", { name: "View this link" }));

  const other = await browser.newContext();
  const buyer = await other.newPage();
  await buyer.goto(url ?? "");
  await journey.click(buyer.getByRole("button", { name: "Connect a wallet" }));
  await journey.click(buyer.getByRole("dialog").getByRole("button", { name: /Tessera test wallet/ }));
  await journey.click(buyer.getByRole("button", { name: "Get test USDC" }));
  await journey.click(buyer.getByRole("button", { name: "Pay 2.50 USDC" }));
  await signInWallet(journey, buyer);
  await expect(heading(buyer, "You paid 2.50 USDC")).toBeVisible();
  await expect(payment(buyer).getByRole("link", { name: "See the receipt" })).toBeVisible();
  await other.close();

  // Without a reload, where the seller was left.
  const revenue = page.getByRole("region", { name: "Revenue" });
  await expect(revenue).toContainText("Payments settled1");
  await expect(revenue).toContainText("Net2.50 USDC");
  await journey.click(revenue.getByRole("link", { name: "All payments" }));
  await expect(page.getByRole("row").filter({ hasText: "2.50" })).toContainText("Settled");
  await expectFits(page);
  journey.end({ clicks: 13, fields: 2 });
});

test("an owner signs an agent's mandate with a vault, and sees its first payment", async ({ page }) => {
  test.setTimeout(120_000);
  const agent = await newAgent();
  const proposal = await propose(agent);
  const journey = new Journey("Owner, vault");
  await page.goto(proposal.authorizationUrl);
  await signIn(journey, page, "Connect a wallet and sign in");
  await journey.click(page.getByRole("button", { name: "Link Research agent to your account" }));
  await journey.type(page.getByLabel("The most you can lose"), "20");
  await journey.click(page.getByRole("button", { name: /test USDC/ }));
  await expect(page.getByText("100.00 test USDC arrived in your own wallet.")).toBeVisible();
  await journey.click(page.getByRole("button", { name: "Sign with your wallet: move 20.00 USDC into the vault" }));
  await signInWallet(journey, page);
  await expect(vault(page).getByText("Open", { exact: true })).toBeVisible(OPENING);
  await journey.click(page.getByRole("link", { name: "See the mandate and its payments" }));
  await payWhenReady(agent, proposal, await newPayee(), "1000000");
  await expect(page.getByRole("row").filter({ hasText: "Settled" })).toContainText("1.00", OPENING);
  await expect(page.getByText("19.00 left of 20.00 USDC")).toBeVisible();
  await expectFits(page);
  journey.end({ clicks: 8, fields: 1 });
});

test("an owner signs an agent's mandate for the spending wallet, adds money, and sees its first payment", async ({
  page,
}) => {
  const agent = await newAgent();
  const proposal = await propose(agent);
  const journey = new Journey("Owner, spending wallet");
  await page.goto(proposal.authorizationUrl);
  await signIn(journey, page, "Connect a wallet and sign in");
  await journey.click(page.getByRole("button", { name: "Link Research agent to your account" }));
  await journey.click(page.getByRole("radio", { name: "Your spending wallet" }));
  await journey.click(page.getByRole("button", { name: /^Sign with your wallet/ }));
  await signInWallet(journey, page);
  await journey.click(page.getByRole("button", { name: "Get test USDC" }));
  await expect(page.getByText("holds 100.00 USDC", { exact: true })).toBeVisible();
  await journey.click(page.getByRole("link", { name: "See the mandate and its payments" }));
  await payUpl(agent, proposal.mandateId, await newPayee(), "1000000");
  const row = page.getByRole("row").filter({ hasText: "Settled" });
  await expect(row).toContainText("1.00");
  await expect(page.getByText("24.00 left of 25.00 USDC")).toBeVisible();
  await expectFits(page);
  journey.end({ clicks: 9, fields: 0 });
});
