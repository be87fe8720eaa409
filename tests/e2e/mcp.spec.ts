import { stranger } from "./support/addresses";
import { newPerson } from "./support/api";
import { type McpAgent, openSeller, registerAgent, WEATHER } from "./support/mcp";
import { heading } from "./support/payouts";
import { answerWallet, become, chooseSpendingWallet, expect, signAction, signInHere, test } from "./support/test";

const PRICE = "$0.25";

test("an agent over MCP has a mandate signed, buys from a seller, and has a payout approved", {
  tag: "@once",
}, async ({ page }) => {
  test.setTimeout(120_000);
  const person = await newPerson();
  await become(page, person, false);
  const sellers = stranger();
  const seller = await openSeller(sellers, PRICE);
  let agent: McpAgent | undefined;
  let mandateId = "";

  try {
    const connected = await registerAgent("Weather agent");
    agent = connected;

    await test.step("the agent proposes a mandate, and the person signs it at its URL", async () => {
      const proposed = await connected.call("create_intent_mandate", {
        intent: {
          naturalLanguage: "Buy weather data for the week.",
          limitAmount: "5000000",
          validForSeconds: 7 * 86_400,
          hostAllowlist: [new URL(seller.url).hostname],
        },
      });
      expect(proposed).toMatchObject({ status: "ok", agentStatus: "needs_wallet_authorization" });
      mandateId = String(proposed.mandateId);
      await page.goto(String(proposed.authorizationUrl));
      await expect(page.getByRole("figure")).toContainText("Buy weather data for the week.");
      await signInHere(page, "Connect a wallet and sign in");
      await page.getByRole("button", { name: "Link Weather agent to your account" }).click();
      await chooseSpendingWallet(page);
      await page.getByRole("button", { name: /^Sign with your wallet/ }).click();
      await answerWallet(page, "Sign");
      await expect(heading(page, "Signed. Add money so that it can pay")).toBeFocused();
      await page.getByRole("button", { name: "Get test USDC" }).click();
      await expect(page.getByText("holds 100.00 USDC", { exact: true })).toBeVisible();
      expect(await connected.call("get_mandate_status", { mandateId })).toMatchObject({
        mandate: { status: "signed" },
      });
    });

    await test.step("the agent pays the seller, and the person sees the payment", async () => {
      const order = { url: seller.url, maxAmount: "250000", idempotencyKey: "weather-1" };
      expect(await connected.call("check_price", { url: seller.url })).toMatchObject({
        status: 402,
        canBePaid: true,
        options: [{ amount: "250000" }],
      });
      const paid = await connected.call("pay_url", order);
      expect(paid).toMatchObject({ outcome: "delivered", answer: { status: 200 }, payment: { mandateId } });
      expect(JSON.parse((paid.answer as { body: string }).body)).toEqual(WEATHER);
      await page.goto(`/mandates/${mandateId}`);
      await expect(page.getByRole("row").filter({ hasText: "Settled" })).toContainText("0.25");
    });

    await test.step("a payout waits until the person approves it, and then continues", async () => {
      const order = { toAddress: stranger(), amount: "1250000", payoutId: "salary-1", description: "Wages" };
      const requested = await connected.call("request_payout", order);
      expect(requested).toMatchObject({ status: "pending_authorization" });
      const status = async () => (await connected.call("get_payout_status", { payoutId: "salary-1" })).status;
      expect(await status()).toBe("pending_authorization");
      await page.goto(String(requested.approvalUrl));
      await expect(heading(page, /^Pay 1\.25 USDC to 0x/)).toBeVisible();
      await page.getByRole("button", { name: "Pay 1.25 USDC" }).click();
      await signAction(page, "Approve a payout");
      await expect(heading(page, "1.25 USDC paid")).toBeFocused({ timeout: 30_000 });
      await expect.poll(status).toBe("succeeded");
    });
  } finally {
    await agent?.close();
    seller.close();
  }
});
