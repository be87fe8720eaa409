import postgres from "postgres";
import { imitate, remember, stranger } from "./support/addresses";
import { BASE_URL, call, fund, newAgent, newPerson } from "./support/api";
import { HOST, heading, linkedAgent, repeat, requestApproval, TITLE } from "./support/approval";
import { busyOwner } from "./support/dashboard";
import { become, expect, expectAccessible, expectFits, signAction, signInHere, test } from "./support/test";

const HOSTILE = "<img src=x onerror=alert(1)> Approved by Tessera evil";

/** The wallet is empty, so the page must not say that the agent can pay. */
const UNFUNDED = "Approved. Add 0.25 USDC, or the payment fails";

test("a person without an agent signs in, links one and approves one payment", async ({ page }) => {
  const agent = await newAgent();
  const approval = await requestApproval(agent, { description: HOSTILE });
  const person = await newPerson();
  await become(page, person, false);

  await test.step("the person sees the request before signing in", async () => {
    await page.goto(approval.approvalUrl);
    await expect(heading(page, TITLE)).toBeVisible();
    await expect(page.getByRole("region", { name: "Payment" }).getByRole("figure")).toContainText(HOSTILE);
    await expect(page.locator("img")).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the person signs in and links the agent", async () => {
    await signInHere(page, "Connect a wallet and sign in");
    await expect(heading(page, "Is this your agent?")).toBeFocused();
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Link Research agent to your account" }).click();
    await expect(heading(page, TITLE)).toBeFocused();
  });

  await test.step("the person sees exactly this payment, and that the wallet holds too little", async () => {
    const card = page.getByRole("region", { name: "Payment" });
    await expect(card).toContainText("First payment to this address and host");
    await expect(card).toContainText("https://api.example.com/report?week=47");
    await expect(card).toContainText("holds 0.00 USDC0.25 USDC too little");
    await expect(card).toContainText("test money");
    await expect(page.getByText("Your spending wallet holds too little")).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the person approves, and the agent gets the proof once", async () => {
    await page.getByRole("button", { name: "Approve 0.25 USDC" }).click();
    await signAction(page, "Approve a payment");
    await expect(heading(page, UNFUNDED)).toBeFocused();
    await expect(page.getByRole("link", { name: "Add money" })).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    const { xPaymentB64 } = await repeat(agent, approval, 200);
    expect(xPaymentB64).toBeTruthy();
    await expect(heading(page, "Signed. Your agent has the payment")).toBeVisible();
    expect((await repeat(agent, approval, 409)).code).toBe("approval_used");
  });

  await test.step("the person finds the payment in the activity", async () => {
    await page.goto("/dashboard/activity?kind=money");
    await expect(page.getByText(`Research agent asked you to pay 0.25 USDC to ${HOST}`)).toBeVisible();
    await expect(page.getByText(`You approved a payment of Research agent: 0.25 USDC to ${HOST}`)).toBeVisible();
    await page.getByText("You approved a payment of").click();
    await page.getByRole("link", { name: "See the request" }).first().click();
    await expect(heading(page, "Signed. Your agent has the payment")).toBeVisible();
  });
});

test("an owner finds a waiting payment on the overview, rejects one with the keyboard and withdraws another approval", {
  tag: "@once",
}, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  const first = await requestApproval(agent);
  await become(page, owner);
  await page.goto("/dashboard");
  const waiting = page.getByRole("list", { name: "Payments waiting for your approval" });
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

  const second = await requestApproval(agent);
  await page.goto(second.approvalUrl);
  await page.getByRole("button", { name: "Approve 0.25 USDC" }).focus();
  await page.keyboard.press("Enter");
  await signAction(page, "Approve a payment");
  await expect(heading(page, UNFUNDED)).toBeFocused();
  await page.getByRole("button", { name: "Withdraw approval" }).click();
  await expect(heading(page, "Rejected. Nothing was signed")).toBeFocused();
  expect((await repeat(agent, second, 403)).code).toBe("approval_denied");
  await page.goto("/dashboard");
  await expect(waiting).toHaveCount(0);
});

test("the page says what became of earlier payments for the host, and which limit the payment exceeds", async ({
  page,
}) => {
  const { person, agent } = await busyOwner();
  const host = new URL(BASE_URL).host;
  const json = { maxAmountPer24Hours: "1300000", waitingMax: 3 };
  await call("POST", "/api/wallet/spending-caps", { cookie: person.cookie, json });
  type Made = { payments: { status: string; resource: string; payTo: string }[] };
  const lastPayment = async () => (await call<Made>("GET", "/api/payments", agent)).payments[0];
  await expect.poll(async () => (await lastPayment())?.status).toBe("settled");
  const { resource = "", payTo = "" } = (await lastPayment()) ?? {};
  await become(page, person);
  const card = page.getByRole("region", { name: "Payment" });

  await test.step("another address and price than before are marked", async () => {
    const { approvalUrl } = await requestApproval(agent, { resource, amount: "40000" });
    await page.goto(approvalUrl);
    await expect(heading(page, `Pay 0.04 USDC to ${host}?`)).toBeVisible();
    await expect(card).toContainText("Paid once: delivery unknown");
    await expect(card).toContainText("1.25 USDC the first time");
    await expect(card).toContainText("Another address than last time");
    await expect(page.getByText("Above your limit")).toHaveCount(0);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("the limit is named with what is left of it and when the payment fits", async () => {
    const { approvalUrl } = await requestApproval(agent, { resource, payTo, amount: "1250000" });
    await page.goto(approvalUrl);
    const note = page.getByText("Above your limit: 1.30 USDC in 24 hours").locator("..");
    await expect(note).toContainText(/0\.05 USDC is left\. This payment fits from \d/);
    await expect(note).toContainText("If you approve, it is paid all the same.");
    await expect(card).not.toContainText(/the first time|Another address/);
    await expectAccessible(page);
    await expectFits(page);
  });

  await test.step("a limit that was set since and lets nothing wait is said to refuse it", async () => {
    const strict = { agentId: agent.agentId, maxAmountPer30Days: "1250000" };
    const { approvalUrl } = await requestApproval(agent, { resource, payTo, amount: "1270000" });
    await call("POST", "/api/wallet/spending-caps", { cookie: person.cookie, json: strict });
    await page.goto(approvalUrl);
    await expect(page.getByText("Above your limit for this agent: 1.25 USDC in 30 days")).toBeVisible();
    await expect(page.getByText("This payment never fits. It is refused, also if you approve.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Change the limit" })).toBeVisible();
    await expectAccessible(page);
  });
});

test("an approved payment that was not made yet counts for the next", { tag: "@once" }, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  await fund(owner, "5000000");
  await become(page, owner);
  const [first, second] = [
    await requestApproval(agent, { amount: "4500000", description: "Seat 4" }),
    await requestApproval(agent, { amount: "4500000", description: "Seat 5" }),
  ];
  await page.goto(first.approvalUrl);
  await page.getByRole("button", { name: "Approve 4.50 USDC" }).click();
  await signAction(page, "Approve a payment");
  await expect(heading(page, "Approved. Your agent can pay now")).toBeVisible();
  await page.goto("/dashboard/approvals");
  await expect(page.getByText("Available: 0.50 USDC")).toBeVisible();
  await page.goto(second.approvalUrl);
  await expect(page.getByRole("region", { name: "Payment" })).toContainText(
    "holds 5.00 USDC4.50 USDC of it for other payments4.00 USDC too little",
  );
  await page.getByRole("button", { name: "Approve 4.50 USDC" }).click();
  await signAction(page, "Approve a payment");
  await expect(heading(page, "Approved. Add 4.00 USDC, or the payment fails")).toBeVisible();
  // The one that was approved first still has its money.
  await page.goto(first.approvalUrl);
  await expect(heading(page, "Approved. Your agent can pay now")).toBeVisible();
});

test("a payment to a look-alike of a known address requires that the owner compares both first", {
  tag: "@once",
}, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  const knownAddress = stranger();
  const fake = imitate(knownAddress);
  await remember(owner, knownAddress, "Alice <b>Example</b>");
  const approval = await requestApproval(agent, { payTo: fake, resource: `https://${HOST}/${"long".repeat(60)}` });
  await become(page, owner);
  await page.goto(approval.approvalUrl);
  const card = page.getByRole("region", { name: "Payment" });
  await expect(card).toContainText("First payment to this address");
  await expect(card).toContainText("looks like an address you know, but is a different one");
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
  await page.getByRole("checkbox", { name: /compared both addresses/ }).focus();
  await page.keyboard.press("Space");
  await allow.click();
  await page.getByRole("button", { name: "Not now" }).click();
  await expect(approve).toBeDisabled();
  await page.getByRole("checkbox", { name: /compared both addresses/ }).check();
  await approve.focus();
  await page.keyboard.press("Enter");
  await signAction(page, "Approve a payment");
  await expect(heading(page, UNFUNDED)).toBeFocused();
  expect((await repeat(agent, approval, 200)).xPaymentB64).toBeTruthy();

  const otherApprovalRequest = await requestApproval(agent, { payTo: fake });
  await page.goto(otherApprovalRequest.approvalUrl);
  await expect(approve).toBeDisabled();
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(heading(page, "Rejected. Nothing was signed")).toBeFocused();
});

test("the page shows when the ten minutes are over", { tag: "@once" }, async ({ page }) => {
  // The server's clock cannot be moved from here: the row is, which takes the database of `npm test`.
  const { DATABASE_URL } = process.env;
  test.skip(DATABASE_URL === undefined, "runs in npm test");
  const { owner, agent } = await linkedAgent();
  const approval = await requestApproval(agent);
  await become(page, owner);
  await page.goto(approval.approvalUrl);
  await expect(heading(page, TITLE)).toBeVisible();
  const sql = postgres(DATABASE_URL ?? "", { max: 1 });
  await sql`update approvals set expires_at = now() where id = ${approval.approvalId}`;
  await sql.end();
  await expect(heading(page, "This request has expired")).toBeFocused();
  await expect(page.getByRole("button", { name: /Approve|Reject/ })).toHaveCount(0);
  await expectAccessible(page);
  expect((await repeat(agent, approval, 410)).code).toBe("approval_expired");
});

test("other accounts cannot see the payment or decide on it, without or with the link", { tag: "@once" }, async ({
  page,
}) => {
  const { owner, agent } = await linkedAgent();
  const approval = await requestApproval(agent);
  const bare = approval.approvalUrl.split("?")[0] ?? "";
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
  await page.goto(approval.approvalUrl);
  await expect(heading(page, "This agent is already linked to another account")).toBeVisible();
  await expect(page.getByText("0.25")).toHaveCount(0);
  await expectAccessible(page);
  await become(page, owner);
  await page.goto(bare);
  await expect(heading(page, TITLE)).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no fault on an approval, ${colorScheme}`, { tag: colorScheme === "dark" ? "@once" : [] }, async ({
    page,
  }) => {
    const { owner, agent } = await linkedAgent();
    const approval = await requestApproval(agent, {
      description: "Weekly report. ".repeat(40),
      network: "base-sepolia",
    });
    await page.emulateMedia({ colorScheme });
    await become(page, owner);
    await page.goto(approval.approvalUrl);
    await expect(heading(page, TITLE)).toBeVisible();
    await page.getByText("Always allow this host, up to a limit").click();
    await expectAccessible(page);
    await expectFits(page);
    await page.getByRole("button", { name: "Approve 0.25 USDC" }).click();
    await signAction(page, "Approve a payment");
    await expect(heading(page, UNFUNDED)).toBeVisible();
    await expectAccessible(page);
  });
}
