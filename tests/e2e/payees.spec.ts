import { type Receiver, startReceiver } from "../support/receiver";
import { imitate, stranger } from "./support/addresses";
import { type Agent, call, claim, newAgent, newPerson, type Person, propose, sign } from "./support/api";
import { heading } from "./support/approval";
import {
  answerWallet,
  become,
  chooseSpendingWallet,
  connectIfPrompted,
  expect,
  expectAccessible,
  expectFits,
  signAction,
  signInHere,
  test,
} from "./support/test";

const SWITCH = "Confirm new payees";
const WAITING = "Is this the host's address?";
const CONFIRMED = "Confirmed. Your agent may pay this address";

let shop: Receiver;
test.beforeEach(async () => {
  shop = await startReceiver();
});
test.afterEach(() => shop.close());

/** The seller's 402, with this address. */
function offer(payTo: string) {
  const accepts = [
    {
      scheme: "exact",
      network: "base",
      maxAmountRequired: "250000",
      resource: shop.url,
      payTo,
      asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      maxTimeoutSeconds: 60,
      description: "data",
    },
  ];
  shop.answer((_, res) => void res.writeHead(402).end(JSON.stringify({ x402Version: 1, accepts })));
}

type Answer = { approvalUrl: string; payeeId: string; xPaymentB64: string };

const pay = (agent: Agent, mandateId: string, payTo: string, status: number): Promise<Answer> =>
  call(
    "POST",
    "/api/payment/x402V3Payment",
    { jwt: agent.jwt, json: { mandateId, payTo, amount: "250000", resource: shop.url } },
    status,
  );

async function confirming(): Promise<{ owner: Person; agent: Agent; mandateId: string }> {
  const [owner, agent] = [await newPerson(), await newAgent()];
  const proposal = await propose(agent, { hostAllowlist: ["localhost"], confirmPayees: true });
  await sign(owner, proposal);
  return { owner, agent, mandateId: proposal.mandateId };
}

test("the switch for confirming payees is on when a mandate names hosts, can be turned off, and is part of the signed data", {
  tag: "@once",
}, async ({ page }) => {
  const [owner, agent] = [await newPerson(), await newAgent()];
  const proposal = await propose(agent, { hostAllowlist: ["localhost"] });
  await claim(owner, proposal);
  await become(page, owner);
  await page.goto(proposal.authorizationUrl);
  const toggle = page.getByRole("switch", { name: SWITCH });
  await expect(toggle).toBeChecked();
  await chooseSpendingWallet(page);
  await page.getByText("Exactly what you sign").click();
  const typed = page.getByRole("region", { name: "typed data" });
  await expect(typed).toContainText('"confirmPayees": true');
  await expectAccessible(page);
  await expectFits(page);
  await toggle.scrollIntoViewIfNeeded();
  await page.screenshot({ path: test.info().outputPath("switch.png") });

  await toggle.click();
  await expect(toggle).not.toBeChecked();
  await expect(typed).not.toContainText("confirmPayees");
  await page.reload();
  await expect(toggle).not.toBeChecked();
  await toggle.click();
  await expect(toggle).toBeChecked();

  await chooseSpendingWallet(page);
  await page.getByRole("button", { name: /^Sign with your wallet/ }).click();
  await connectIfPrompted(page);
  await expect(page.getByRole("dialog")).toContainText("confirmPayees");
  await answerWallet(page, "Sign");
  await expect(heading(page, /^Signed\./)).toBeFocused();
  await expect(page.getByText("confirmed by the host, or by you")).toBeVisible();
  await pay(agent, proposal.mandateId, stranger(), 202);
});

test("the switch is off for a mandate with any host, which is signed without it", { tag: "@once" }, async ({
  page,
}) => {
  const [owner, agent] = [await newPerson(), await newAgent()];
  const proposal = await propose(agent, { hostAllowlist: [] });
  await claim(owner, proposal);
  await become(page, owner);
  await page.goto(proposal.authorizationUrl);
  await expect(page.getByRole("switch", { name: SWITCH })).not.toBeChecked();
  await chooseSpendingWallet(page);
  await page.getByRole("button", { name: /^Sign with your wallet/ }).click();
  await connectIfPrompted(page);
  await answerWallet(page, "Sign");
  await expect(heading(page, /^Signed\./)).toBeFocused();
  const { xPaymentB64 } = await pay(agent, proposal.mandateId, stranger(), 200);
  expect(xPaymentB64).toBeTruthy();
});

test("an owner confirms an address that the host does not name, and refuses it later", async ({ page }) => {
  const { owner, agent, mandateId } = await confirming();
  shop.answerStatus(503);
  const payTo = stranger();
  const { approvalUrl } = await pay(agent, mandateId, payTo, 202);

  await test.step("the owner signs in first", async () => {
    await become(page, owner, false);
    await page.goto(approvalUrl);
    await expect(heading(page, "Sign in to see this payee")).toBeVisible();
    await expect(page.getByText(payTo)).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
    await signInHere(page, "Sign in with your wallet");
  });

  await test.step("the owner sees the full address, the host, and the reason for the confirmation", async () => {
    await expect(heading(page, WAITING)).toBeVisible();
    const card = page.getByRole("region", { name: "Payee" });
    await expect(card).toContainText(payTo);
    await expect(card).toContainText(new URL(shop.url).origin);
    await expect(card).toContainText("Never paid before");
    await expect(card).toContainText("The host did not answer with a price.");
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({ path: test.info().outputPath("waiting.png"), fullPage: true });
  });

  await test.step("the owner finds the payee on the overview", async () => {
    await page.goto("/dashboard");
    const waiting = page.getByRole("list", { name: "Payees waiting for your confirmation" });
    await expect(waiting).toContainText(payTo);
    await expectFits(page);
    await waiting.getByRole("link").click();
    await expect(heading(page, WAITING)).toBeVisible();
  });

  await test.step("the owner confirms the payee, and the agent pays", async () => {
    await page.getByRole("button", { name: "Confirm this address" }).click();
    await signAction(page, "Confirm a payee");
    await expect(heading(page, CONFIRMED)).toBeFocused();
    await expectAccessible(page);
    await expectFits(page);
    await pay(agent, mandateId, payTo, 200);
  });

  await test.step("the owner refuses the payee afterwards", async () => {
    await page.getByText("Change this decision").click();
    await page.getByRole("button", { name: "Refuse" }).click();
    await expect(heading(page, "Refused. Nothing was signed")).toBeVisible();
    await pay(agent, mandateId, payTo, 403);
  });

  await test.step("another person sees nothing", async () => {
    await become(page, await newPerson());
    await page.goto(approvalUrl);
    await expect(heading(page, "There is no such payee for you")).toBeVisible();
  });
});

test("a changed address is shown on the mandate's page with its evidence, and in the activity", {
  tag: "@once",
}, async ({ page }) => {
  const { owner, agent, mandateId } = await confirming();
  const [first, second] = [stranger(), stranger()];
  offer(first);
  await pay(agent, mandateId, first, 200);
  offer(second);
  await pay(agent, mandateId, second, 200);

  await become(page, owner);
  await page.goto(`/mandates/${mandateId}`);
  const entries = page.getByRole("list", { name: "Payees, newest first" }).getByRole("listitem");
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText("Changed address");
  await expect(entries.first()).toContainText(second);
  await expect(entries.first()).toContainText(`before: ${first}`);
  await expect(entries.last()).toContainText("by the host itself");
  await entries.first().getByText("Evidence: what the host answered").click();
  await expect(entries.first()).toContainText('"amount": "250000"');
  await expect(entries.first()).toContainText(/0x[0-9a-f]{64}/);
  await expectAccessible(page);
  await expectFits(page);
  await entries.first().scrollIntoViewIfNeeded();
  await page.screenshot({ path: test.info().outputPath("evidence.png"), fullPage: true });

  await page.goto("/dashboard/activity?type=payee.changed");
  await expect(page.getByText(/The address changed for/)).toContainText(second);
  await expectFits(page);
});

test("a look-alike of a known address is marked", { tag: "@once" }, async ({ page }) => {
  const { owner, agent, mandateId } = await confirming();
  const knownAddress = owner.account.address;
  const { approvalUrl } = await pay(agent, mandateId, imitate(knownAddress), 202);
  await become(page, owner);
  await page.goto(approvalUrl);
  await expect(page.getByText("This looks like an address you know, but is a different one")).toBeVisible();
  const confirm = page.getByRole("button", { name: "Confirm this address" });
  await expect(confirm).toBeDisabled();
  await page.getByRole("checkbox", { name: /^I have compared/ }).check();
  await confirm.click();
  await signAction(page, "Confirm a payee");
  await expect(heading(page, CONFIRMED)).toBeFocused();
});
