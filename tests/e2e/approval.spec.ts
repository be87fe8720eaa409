import type { Page } from "@playwright/test";
import postgres from "postgres";
import { imitate, remember, stranger } from "./support/addresses";
import { type Agent, call, claim, newAgent, newPerson, type Person, propose } from "./support/api";
import { answerWallet, become, expect, expectAccessible, expectFits, signInHere, test } from "./support/test";

type Asked = { approvalId: string; approvalUrl: string; json: Record<string, unknown> };
type Outcome = { status: string; code?: string; xPaymentB64?: string; paymentRecordId?: string };

const HOST = "api.example.com";
const HOSTILE = "<img src=x onerror=alert(1)> Approved by Tessera evil";
const TITLE = `Pay 0.25 USDC to ${HOST}?`;

async function ask(agent: Agent, change: object = {}): Promise<Asked> {
  const json = {
    amount: "250000",
    payTo: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    resource: `https://${HOST}/report?week=47`,
    description: "Weekly report",
    ...change,
  };
  const path = "/api/payment/x402V1Payment";
  const answer = await call<Omit<Asked, "json">>("POST", path, { jwt: agent.jwt, json }, 202);
  return { ...answer, json };
}

/** The agent's second call. */
const repeat = (agent: Agent, { approvalId, json }: Asked, status: number): Promise<Outcome> =>
  call("POST", "/api/payment/x402V1Payment", { jwt: agent.jwt, json: { ...json, approvalId } }, status);

async function linkedAgent(): Promise<{ owner: Person; agent: Agent; wallet: string }> {
  const owner = await newPerson();
  const agent = await newAgent();
  await claim(owner, await propose(agent));
  const { wallets } = await call<{ wallets: { network: string; address: string }[] }>("GET", "/api/wallet", {
    cookie: owner.cookie,
  });
  return { owner, agent, wallet: wallets.find(({ network }) => network === "base")?.address ?? "" };
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

test("a person who has no agent yet signs in, links it and approves one payment", async ({ page }) => {
  const agent = await newAgent();
  const asked = await ask(agent, { description: HOSTILE });
  const person = await newPerson();
  await become(page, person, false);

  await test.step("sees what is asked before signing in", async () => {
    await page.goto(asked.approvalUrl);
    await expect(heading(page, TITLE)).toBeVisible();
    await expect(page.getByRole("region", { name: "Payment" }).getByRole("figure")).toContainText(HOSTILE);
    await expect(page.locator("img")).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("signs in and links the agent", async () => {
    await signInHere(page, "Connect a wallet and sign in");
    await expect(heading(page, "Is this your agent?")).toBeFocused();
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Link Research agent to your account" }).click();
    await expect(heading(page, TITLE)).toBeFocused();
  });

  await test.step("sees exactly this payment, and that the wallet is short of it", async () => {
    const card = page.getByRole("region", { name: "Payment" });
    await expect(card).toContainText("First payment to this address");
    await expect(card).toContainText("https://api.example.com/report?week=47");
    await expect(card).toContainText("holds 0.00 USDC");
    await expect(card).toContainText("test money");
    await expect(page.getByText("Your spending wallet holds too little")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("approves, and the agent is given the proof once", async () => {
    await page.getByRole("button", { name: "Approve 0.25 USDC" }).click();
    await expect(heading(page, "Approved. Your agent can pay now")).toBeFocused();
    await expectAccessible(page);
    await expectFits(page);
    const { xPaymentB64 } = await repeat(agent, asked, 200);
    expect(xPaymentB64).toBeTruthy();
    await expect(heading(page, "Signed. Your agent has the payment")).toBeVisible();
    expect((await repeat(agent, asked, 409)).code).toBe("approval_used");
  });

  await test.step("finds it in the activity", async () => {
    await page.goto("/dashboard/activity?kind=money");
    await expect(page.getByText(`Research agent asked you to pay 0.25 USDC to ${HOST}`)).toBeVisible();
    await expect(page.getByText(`You approved a payment of Research agent: 0.25 USDC to ${HOST}`)).toBeVisible();
    await page.getByText("You approved a payment of").click();
    await page.getByRole("link", { name: "See the request" }).first().click();
    await expect(heading(page, "Signed. Your agent has the payment")).toBeVisible();
  });
});

test("an owner finds what waits on the overview, rejects one with the keyboard and takes another back", async ({
  page,
}) => {
  const { owner, agent } = await linkedAgent();
  const first = await ask(agent);
  await become(page, owner);
  await page.goto("/dashboard");
  const waiting = page.getByRole("list", { name: "Payments that wait for your approval" });
  await expect(waiting).toContainText(`0.25 USDC to ${HOST}`);
  await expectAccessible(page);
  await expectFits(page);
  await waiting.getByRole("link").click();
  await expect(heading(page, TITLE)).toBeVisible();

  await page.getByRole("button", { name: "Reject" }).focus();
  await page.keyboard.press("Enter");
  await expect(heading(page, "Rejected. Nothing was signed")).toBeFocused();
  await expectAccessible(page);
  await expectFits(page);
  expect((await repeat(agent, first, 403)).code).toBe("approval_denied");

  const second = await ask(agent);
  await page.goto(second.approvalUrl);
  await page.getByRole("button", { name: "Approve 0.25 USDC" }).focus();
  await page.keyboard.press("Enter");
  await expect(heading(page, "Approved. Your agent can pay now")).toBeFocused();
  await page.getByRole("button", { name: "Withdraw approval" }).click();
  await expect(heading(page, "Rejected. Nothing was signed")).toBeFocused();
  expect((await repeat(agent, second, 403)).code).toBe("approval_denied");
  await page.goto("/dashboard");
  await expect(waiting).toHaveCount(0);
});

test("an address that imitates a known one is paid only once both were compared", { tag: "@once" }, async ({
  page,
}) => {
  const { owner, agent } = await linkedAgent();
  const known = stranger();
  const fake = imitate(known);
  await remember(owner, known, "Alice <b>Example</b>");
  const asked = await ask(agent, { payTo: fake, resource: `https://${HOST}/${"long".repeat(60)}` });
  await become(page, owner);
  await page.goto(asked.approvalUrl);
  const card = page.getByRole("region", { name: "Payment" });
  await expect(card).toContainText("First payment to this address");
  await expect(card).toContainText("looks like an address you know, and is another one");
  await expect(card).toContainText("Alice <b>Example</b>");
  await expectAccessible(page);
  await expectFits(page);
  const approve = page.getByRole("button", { name: "Approve 0.25 USDC" });
  await expect(approve).toBeDisabled();
  await page.getByText("Always allow this host, up to a limit").click();
  const allow = page.getByRole("button", { name: "Review and sign" });
  await expect(allow).toBeDisabled();
  await page.getByLabel("At most in total").press("Enter");
  await expectAccessible(page);
  await page.getByRole("checkbox", { name: /compared the two addresses/ }).focus();
  await page.keyboard.press("Space");
  await allow.click();
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(approve).toBeDisabled();
  await page.getByRole("checkbox", { name: /compared the two addresses/ }).check();
  await approve.focus();
  await page.keyboard.press("Enter");
  await expect(heading(page, "Approved. Your agent can pay now")).toBeFocused();
  expect((await repeat(agent, asked, 200)).xPaymentB64).toBeTruthy();

  const other = await ask(agent, { payTo: fake });
  await page.goto(other.approvalUrl);
  await expect(approve).toBeDisabled();
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(heading(page, "Rejected. Nothing was signed")).toBeFocused();
});

test("an owner always allows the host, signs, and still decides on this payment", async ({ page }) => {
  const { owner, agent, wallet } = await linkedAgent();
  await call("POST", "/api/devnet/faucet", { json: { address: wallet, amount: "5000000" } });
  const asked = await ask(agent);
  await become(page, owner);
  await page.goto(asked.approvalUrl);
  await expect(page.getByText("Your spending wallet holds too little")).toHaveCount(0);

  await test.step("sets the limits", async () => {
    await page.getByText("Always allow this host, up to a limit").click();
    const cap = page.getByLabel("At most per payment");
    const limit = page.getByLabel("At most in total");
    await expect(cap).toHaveValue("0.25");
    await expect(limit).toHaveValue("2.50");
    for (const [field, wrong] of [
      [cap, ""],
      [cap, "1,5"],
      [limit, "0"],
      [limit, "0.1"],
    ] as const) {
      const before = await field.inputValue();
      await field.fill(wrong);
      await page.getByRole("button", { name: "Review and sign" }).click();
      await expect(field).toHaveAttribute("aria-invalid", "true");
      await field.fill(before);
    }
    await expectAccessible(page);
    await expectFits(page);
    await limit.fill("3");
    await page.getByLabel("For", { exact: true }).selectOption({ label: "30 days" });
    await page.getByRole("button", { name: "Review and sign" }).click();
  });

  await test.step("reads and signs the mandate", async () => {
    await expect(heading(page, `Let it pay ${HOST} on its own, within these limits`)).toBeFocused();
    const card = page.getByRole("region", { name: "What it may do" });
    await expect(card).toContainText("3.00 USDC");
    await expect(card).toContainText("at most 0.25 USDC");
    await expect(card).toContainText(HOST);
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: /^Sign in wallet: up to 3.00 USDC/ }).click();
    await answerWallet(page, "Sign");
    await expect(heading(page, TITLE)).toBeFocused();
    await expect(page.getByText("The agent can pay this host from now on")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("approves this payment; later ones go by the mandate", async () => {
    await page.getByRole("button", { name: "Approve 0.25 USDC" }).click();
    await expect(heading(page, "Approved. Your agent can pay now")).toBeFocused();
    await repeat(agent, asked, 200);
    const { eligibleMandates } = await call<{ eligibleMandates: { mandateId: string; remainingAmount: string }[] }>(
      "GET",
      `/api/mandates/eligible?host=${HOST}&amount=250000`,
      { jwt: agent.jwt },
    );
    expect(eligibleMandates).toMatchObject([{ remainingAmount: "3000000" }]);
    const mandateId = eligibleMandates[0]?.mandateId;
    await call("POST", "/api/payment/x402V3Payment", { jwt: agent.jwt, json: { ...asked.json, mandateId } });
  });

  await test.step("finds the mandate as one that they prepared, in nobody else's words", async () => {
    await page.goto("/dashboard/mandates");
    const list = page.getByRole("main").getByRole("listitem").filter({ hasText: "3.00 USDC" });
    await expect(list).toContainText(`You prepared it to: Pay ${HOST} without asking each time`);
    await expect(list).not.toContainText("The agent says");
    await expectFits(page);
    await list.getByRole("link").first().click();
    await expect(page.getByText("You prepared it to")).toBeVisible();
    await expect(page.getByText("The agent said")).toHaveCount(0);
  });
});

test("a mandate that is not wanted after all leaves the payment to be decided", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  const asked = await ask(agent);
  await become(page, owner);
  await page.goto(asked.approvalUrl);
  await page.getByText("Always allow this host, up to a limit").click();
  await page.getByRole("button", { name: "Review and sign" }).click();
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(heading(page, TITLE)).toBeFocused();
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(heading(page, "Rejected. Nothing was signed")).toBeFocused();
});

test("the page tells when the ten minutes are over", { tag: "@once" }, async ({ page }) => {
  // The server's clock cannot be moved from here: the row is, which takes the database of `npm test`.
  const { DATABASE_URL } = process.env;
  test.skip(DATABASE_URL === undefined, "runs in npm test");
  const { owner, agent } = await linkedAgent();
  const asked = await ask(agent);
  await become(page, owner);
  await page.goto(asked.approvalUrl);
  await expect(heading(page, TITLE)).toBeVisible();
  const sql = postgres(DATABASE_URL ?? "", { max: 1 });
  await sql`update approvals set expires_at = now() where id = ${asked.approvalId}`;
  await sql.end();
  await expect(heading(page, "This request has run out")).toBeFocused();
  await expect(page.getByRole("button", { name: /Approve|Reject/ })).toHaveCount(0);
  await expectAccessible(page);
  expect((await repeat(agent, asked, 410)).code).toBe("approval_expired");
});

test("nobody else sees or decides it, without or with the link", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  const asked = await ask(agent);
  const bare = asked.approvalUrl.split("?")[0] ?? "";
  await page.goto(bare);
  await expect(heading(page, "Sign in to see this payment")).toBeVisible();
  await expect(page.getByText("0.25")).toHaveCount(0);
  await expectAccessible(page);
  await become(page, await newPerson());
  await page.goto(bare);
  await expect(heading(page, "There is no such payment for you")).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${bare}?token=wrong`);
  await expect(heading(page, "There is no such payment for you")).toBeVisible();
  await page.goto(asked.approvalUrl);
  await expect(heading(page, "This agent is already linked to another account")).toBeVisible();
  await expect(page.getByText("0.25")).toHaveCount(0);
  await expectAccessible(page);
  await become(page, owner);
  await page.goto(bare);
  await expect(heading(page, TITLE)).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on an approval, ${colorScheme}`, { tag: colorScheme === "dark" ? "@once" : [] }, async ({
    page,
  }) => {
    const { owner, agent } = await linkedAgent();
    const asked = await ask(agent, { description: "Weekly report. ".repeat(40), network: "base-sepolia" });
    await page.emulateMedia({ colorScheme });
    await become(page, owner);
    await page.goto(asked.approvalUrl);
    await expect(heading(page, TITLE)).toBeVisible();
    await page.getByText("Always allow this host, up to a limit").click();
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Approve 0.25 USDC" }).click();
    await expect(heading(page, "Approved. Your agent can pay now")).toBeVisible();
    await expectAccessible(page);
  });
}
