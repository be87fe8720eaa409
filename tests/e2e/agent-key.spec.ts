import { Tessera } from "@tessera/client";
import { withAgentKey } from "@tessera/client/agent-key";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { type Agent, BASE_URL, call, newPayee, type Proposal, payUpl } from "./support/api";
import { answerWallet, connectIfPrompted, expect, expectAccessible, expectFits, test } from "./support/test";
import { balanceOf, fact, OPENING, openVault, owns, reviewing, vault } from "./support/vaults";

type Key = ReturnType<typeof privateKeyToAccount>;

/** The agent's own process, which has its token and a key. */
const clientOf = ({ agentId, token }: Agent, key: Key) =>
  new Tessera({ baseUrl: BASE_URL, agentId, token, fetch: withAgentKey(key) });

const urlOf = ({ agentId }: Agent) => `${BASE_URL}/unifypaymentlink/agentid/${agentId}?amount=1000000&asset=usdc`;

const order = ({ mandateId }: Proposal, idempotencyKey: string) => ({
  maxAmount: "1000000",
  mandateId,
  idempotencyKey,
});

async function vaultOf({ jwt }: Agent, { mandateId }: Proposal): Promise<string> {
  type Mandate = { vault: { address: string } };
  return (await call<Mandate>("GET", `/api/mandates/agent/${mandateId}`, { jwt })).vault.address;
}

/** The agent's second key: the page says what it protects from, and the vault pays nothing without it. */
test("an owner signs a vault from which an agent pays only with its own key", async ({ page }) => {
  test.setTimeout(180_000);
  const key = privateKeyToAccount(generatePrivateKey());
  const { owner, agent, proposal } = await reviewing(page, { vault: { agentKey: key.address } });

  await test.step("the owner sees whose key signs as well, and what can be lost without it", async () => {
    await expect(page.getByText("Agent’s own key")).toBeVisible();
    await expect(page.getByTitle(key.address)).toBeVisible();
    await expect(page.getByText("signs each payment as well")).toBeVisible();
    await page.getByText("Compare", { exact: true }).click();
    await expect(page.getByText("Nothing, without your agent’s key as well.")).toBeVisible();
    await expect(
      page.getByText("Nothing without its key as well. With both, up to 25.00 USDC, within these limits."),
    ).toBeVisible();
    await expect(page.getByText("Nothing. You take the money out yourself, with your wallet.")).toBeVisible();
    // The key protects the vault only.
    await expect(page.getByText(/^Everything in your spending wallet/)).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner signs terms that name the key", async () => {
    await page.getByText("Exactly what you sign").click();
    await expect(page.getByRole("region", { name: "typed data" })).toContainText(`"agentKey": "${key.address}"`);
    await openVault(page);
    await expect(vault(page).getByTitle(key.address)).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  const [payee, vaultAddress] = [await newPayee(), await vaultOf(agent, proposal)];

  await test.step("the agent's token alone pays nothing", async () => {
    await expect(payUpl(agent, proposal.mandateId, payee, "1000000")).rejects.toThrow("agent_authorization_required");
    const stranger = clientOf(agent, privateKeyToAccount(generatePrivateKey()));
    await expect(stranger.pay(urlOf(payee), {}, order(proposal, "stolen"))).rejects.toMatchObject({
      code: "agent_key_refused",
    });
    expect(await balanceOf(vaultAddress)).toBe("10000000");
  });

  await test.step("the agent pays with its key, and the owner sees the payment", async () => {
    const { receipt } = await clientOf(agent, key).pay(urlOf(payee), {}, order(proposal, "weekly"));
    expect(receipt).toMatchObject({ amount: "1000000", payer: vaultAddress });
    await page.goto(`/mandates/${proposal.mandateId}`);
    await expect(page.getByRole("row").filter({ hasText: "Settled" })).toContainText("1.00", OPENING);
    await expect(fact(page, "Spent")).toContainText("1.00 USDC", OPENING);
    await expect(fact(page, "Agent’s own key")).toContainText("signs each payment as well");
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the owner withdraws the rest, which needs no signature of the agent", async () => {
    await page.getByRole("button", { name: "Take back everything now" }).click();
    await page.getByRole("button", { name: "Sign and take back" }).click();
    await connectIfPrompted(page);
    await answerWallet(page, "Sign");
    await expect(vault(page).getByText("Closed", { exact: true })).toBeVisible(OPENING);
    await owns(owner, "39000000");
  });
});

test("for an agent without its own key, the page says that the service's signature is enough", {
  tag: "@once",
}, async ({ page }) => {
  await reviewing(page);
  await page.getByText("Compare", { exact: true }).click();
  await expect(page.getByText("none: payments need our signature only")).toBeVisible();
  await expect(page.getByText(/^Up to 25\.00 USDC of this mandate, until it ends or you take it back/)).toBeVisible();
  await expect(page.getByText(/^Nothing, without your agent’s key/)).toHaveCount(0);
});
