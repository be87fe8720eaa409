import { newPayee, payUpl } from "./support/api";
import { heading } from "./support/approval";
import { answerWallet, expect, expectAccessible, expectFits, test } from "./support/test";
import { openVault, owns, payWhenReady, press, reviewing } from "./support/vaults";

test("an owner moves the rest of a mandate from the spending wallet to a vault with one signature", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { owner, agent, proposal } = await reviewing(page);
  await page.getByRole("radio", { name: "Your spending wallet" }).check();
  await press(page);
  await answerWallet(page, "Sign");
  await expect(heading(page, /^Signed/)).toBeFocused();

  await page.goto(`/mandates/${proposal.mandateId}`);
  await expect(page.getByRole("heading", { level: 2, name: "Move it to a vault" })).toBeVisible();
  await expect(page.getByText("the 25.00 USDC that are left move to a mandate")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("move.png"), fullPage: true });
  await page.getByRole("button", { name: "Review the new mandate" }).click();
  await expect(page.getByText("It takes over what is left of a mandate")).toBeVisible();
  await expect(page.getByRole("radio", { name: "Your spending wallet" })).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("move-review.png"), fullPage: true });
  await openVault(page);

  await page.goto(`/mandates/${proposal.mandateId}`);
  await expect(page.getByText("The rest moved to a vault")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await expect(payUpl(agent, proposal.mandateId, await newPayee(), "1000000")).rejects.toThrow("mandate_revoked");
  await page.getByRole("link", { name: "See the mandate with the vault" }).click();
  await expect(page).not.toHaveURL(new RegExp(proposal.mandateId));
  await expect(heading(page, "Mandate of 25.00 USDC")).toBeVisible();
  const mandateId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await payWhenReady(agent, { ...proposal, mandateId }, await newPayee(), "1000000");
  await owns(owner, "30000000");
});
