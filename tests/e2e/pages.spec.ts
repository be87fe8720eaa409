import { spawn } from "node:child_process";
import { once } from "node:events";
import { REDIRECT_TRICKS } from "@/dev/redirect-tricks";
import { BASE_URL, call, fund, newAgent, newPayee, newPerson, payUpl, propose, sign } from "./support/api";
import { become, expect, expectAccessible, expectFits, signAction, signInHere, test } from "./support/test";

const TRIES_MAX = 10;

/** A payment that was claimed and then declined: three at once, out of a wallet that holds enough for one. */
async function payBeyondTheWallet() {
  const person = await newPerson();
  const agent = await newAgent();
  const proposal = await propose(agent, { limitAmount: "40000000" });
  await sign(person, proposal);
  const payee = await newPayee();
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    await fund(person, "1000000");
    const three = [1, 2, 3].map(() => payUpl(agent, proposal.mandateId, payee, "1000000").then(() => "", String));
    const settlementId = /stl_\w+/.exec((await Promise.all(three)).join())?.[0];
    // A proof presented after the money had left was refused at admission, and has no settlement.
    if (settlementId) return { person, proposal, settlementId };
  }
  throw new Error("no payment was declined");
}

test("a mandate's page opens without a sign-in but shows nothing, and is 404 for another owner", {
  tag: "@once",
}, async ({ page }) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await sign(person, proposal);
  const path = `/mandates/${proposal.mandateId}`;
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to see this mandate");
  await expectAccessible(page);
  await become(page, await newPerson());
  const response = await page.goto(path);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
  await expectAccessible(page);
});

test("an owner who signs in on a mandate's page sees the mandate there", { tag: "@once" }, async ({ page }) => {
  const person = await newPerson();
  const proposal = await propose(await newAgent());
  await sign(person, proposal);
  await become(page, person, false);
  await page.goto(`/mandates/${proposal.mandateId}`);
  await signInHere(page, "Sign in with your wallet");
  await expect(page.getByRole("heading", { level: 1, name: "Mandate of 25.00 USDC" })).toBeFocused();
});

test("the owner pauses, resumes and revokes a mandate, and the agent's payments are refused at once", async ({
  page,
}) => {
  const person = await newPerson();
  const agent = await newAgent();
  const proposal = await propose(agent);
  await sign(person, proposal);
  await fund(person);
  await become(page, person);
  await page.goto(`/mandates/${proposal.mandateId}`);
  const status = page.getByRole("main").locator("header").first();
  const payee = await newPayee();

  await expect(page.getByRole("button", { name: "Pause mandate" })).toBeInViewport();
  await expect(page.getByRole("button", { name: "Revoke mandate" })).toBeInViewport();
  await page.getByRole("button", { name: "Pause mandate" }).click();
  await expect(status).toContainText("Paused");
  await expectAccessible(page);
  await expect(payUpl(agent, proposal.mandateId, payee, "1000000")).rejects.toThrow("mandate_disabled");
  await page.getByRole("button", { name: "Resume mandate" }).click();
  const signing = page.getByRole("dialog", { name: "Resume a mandate: sign with your wallet" });
  await expect(signing).toContainText(agent.name);
  await page.screenshot({ path: test.info().outputPath("resume.png") });
  await signing.getByRole("button", { name: "Do not sign" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "You did not sign" })).toBeVisible();
  await expect(status).toContainText("Paused");
  await page.getByRole("button", { name: "Resume mandate" }).click();
  await signAction(page, "Resume a mandate");
  await expect(status).toContainText("Active");
  await payUpl(agent, proposal.mandateId, payee, "1000000");

  await page.getByRole("button", { name: "Revoke mandate" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke this mandate for good?" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Revoke mandate" }).click();
  await expect(status).toContainText("Revoked");
  await expect(page.getByRole("button", { name: /^(Pause|Resume|Revoke) mandate/ })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(payUpl(agent, proposal.mandateId, payee, "1000000")).rejects.toThrow("mandate_revoked");
  await page.goto(proposal.authorizationUrl);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This mandate is revoked");
  await expectAccessible(page);
});

test("payments are listed newest first in pages, and their evidence can be opened", { tag: "@once" }, async ({
  page,
}) => {
  const person = await newPerson();
  const agent = await newAgent();
  const proposal = await propose(agent);
  await sign(person, proposal);
  const body = { mandateId: proposal.mandateId, payTo: person.account.address, resource: "https://data.example.com/" };
  for (let cents = 1; cents <= 21; cents++) {
    await call("POST", "/api/payment/x402V3Payment", {
      jwt: agent.jwt,
      json: { ...body, amount: String(cents * 10_000) },
    });
  }
  await become(page, person);
  await page.goto(`/mandates/${proposal.mandateId}`);
  const rows = page.getByRole("rowgroup").last().getByRole("row");
  await expect(rows).toHaveCount(20);
  await expect(rows.first()).toContainText("0.21");
  await page.getByText("Evidence: what you signed").click();
  await expect(page.getByRole("region", { name: "typed data" })).toContainText('"primaryType": "SpendingMandate"');
  await expectAccessible(page);
  await expectFits(page);
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(pages).toContainText("1–20 of many");
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText("0.01");
  await expect(pages).toContainText("21–21 of 21");
  await pages.getByRole("link", { name: "Previous" }).click();
  await expect(rows).toHaveCount(20);
});

test("a receipt says until when an unsettled payment can still be paid", { tag: "@once" }, async ({
  page,
  request,
}) => {
  const { settlementId } = await payBeyondTheWallet();
  await page.goto(`/receipt/${settlementId}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not settled. Do not pay again yet");
  await expect(page.getByText("It can still be paid")).toBeVisible();
  // The page is called a receipt only once the payment has settled.
  await expect(page.getByRole("main")).not.toContainText(/receipt/i);
  await expect(page).toHaveTitle("Payment · Tessera");
  await expectAccessible(page);
  await expectFits(page);
  const json = await request.get(`/receipt/${settlementId}`, { headers: { Accept: "application/json" } });
  expect(await json.json()).toMatchObject({
    settlementId,
    settlementStatus: "pending",
    failureCode: "INSUFFICIENT_FUNDS",
    txHash: null,
  });
});

test("an unknown receipt is 404 for people and for agents", { tag: "@once" }, async ({ page, request }) => {
  const path = "/receipt/stl_000000000000000000000000";
  const response = await page.goto(path);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is nothing here");
  await expectAccessible(page);
  const json = await request.get(path, { headers: { Accept: "application/json" } });
  expect(json.status()).toBe(404);
});

test("the start page says what the service is, and its commands make a payment", { tag: "@once" }, async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  await page.getByText("With curl", { exact: true }).click();
  const script = (await page.getByRole("region", { name: "the commands" }).textContent()) ?? "";
  const shell = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  let message = "";
  shell.stdout.on("data", (chunk: Buffer) => {
    message += chunk;
  });
  await expect(() => expect(message).toContain("token=")).toPass();
  const authorizationUrl = /https?:\S+token=\S+/.exec(message)?.[0] ?? "";
  const mandateId = /mand_\w+/.exec(authorizationUrl)?.[0] ?? "";
  const person = await newPerson();
  await sign(person, { authorizationUrl, mandateId });
  await fund(person);
  const [code] = await once(shell, "exit");
  expect(code).toBe(0);
  expect(message).toMatch(/"success": ?true/);
});

test("the sign-in redirects only to a path of this site", { tag: "@once" }, async ({ page }) => {
  // Loads two pages for each address.
  test.setTimeout(180_000);
  const person = await newPerson();
  await become(page, person, false);
  await page.goto("/sign-in?callbackUrl=/%3Fa=1%26b=2");
  await expectAccessible(page);
  await expectFits(page);
  await signInHere(page, "Choose a wallet");
  await expect(page).toHaveURL(`${BASE_URL}/?a=1&b=2`);
  // Every ninth: a browser's own parser has the last word, and it is the same for all of them.
  for (const elsewhere of ["/x/..//evil.example", ...REDIRECT_TRICKS.filter((_, index) => index % 9 === 0)]) {
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(elsewhere)}`);
    await page.waitForURL((url) => url.pathname !== "/sign-in");
    expect([elsewhere, new URL(page.url()).origin]).toEqual([elsewhere, BASE_URL]);
  }
});

test.describe("in the dark color scheme", () => {
  test.use({ colorScheme: "dark" });

  test("every page keeps its contrast", { tag: "@once" }, async ({ page }) => {
    const { person, proposal, settlementId } = await payBeyondTheWallet();
    const waiting = await propose(await newAgent(), { hostAllowlist: [] });
    await page.goto(waiting.authorizationUrl);
    await expect(page.locator("html")).toHaveClass(/dark/);
    await expectAccessible(page);
    await become(page, person);
    const pages = ["/", `/mandates/${proposal.mandateId}`, `/receipt/${settlementId}`];
    for (const path of [...pages, waiting.authorizationUrl, proposal.authorizationUrl]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectAccessible(page);
    }
  });
});
