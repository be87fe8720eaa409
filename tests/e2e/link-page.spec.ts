import type { Browser, Page } from "@playwright/test";
import {
  type Agent,
  call,
  claim,
  type Link,
  makeLink,
  newAgent,
  newPerson,
  type Person,
  payAs,
  propose,
} from "./support/api";
import { answerWallet, become, expect, expectAccessible, expectFits, test } from "./support/test";

const PAY = "Pay 1.25 USDC";
const HOSTILE = `<img src=x onerror=alert(1)> ${"endless".repeat(30)}`;

type Selling = { owner: Person; agent: Agent; link: Link };

async function selling(terms: Record<string, unknown> = {}): Promise<Selling> {
  const [owner, agent] = [await newPerson(), await newAgent("Data seller")];
  await claim(owner, await propose(agent));
  return { owner, agent, link: await makeLink(agent, terms) };
}

/** A funded payer in a separate browser, with the link open and a wallet connected. */
async function visitor(browser: Browser, { url }: Link): Promise<{ page: Page; person: Person }> {
  const [page, person] = [await (await browser.newContext()).newPage(), await newPayer()];
  await become(page, person, false);
  const [viewed] = await Promise.all([reported(page, "viewed"), page.goto(url)]);
  expect(viewed.status()).toBe(200);
  const connected = reported(page, "connected");
  await page.getByRole("button", { name: "Connect a wallet" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Tessera test wallet/ })
    .click();
  await connected;
  return { page, person };
}

async function newPayer(): Promise<Person> {
  const person = await newPerson();
  const json = { address: person.account.address, amount: "40000000", network: "base" };
  await call("POST", "/api/devnet/faucet", { json });
  return person;
}

/** The response to the page's report of a step. */
const reported = (page: Page, step: string) =>
  page.waitForResponse((response) => {
    const request = response.request();
    return request.url().endsWith("/visits") && request.postDataJSON().step === step;
  });

const steps = (page: Page) => page.getByRole("list", { name: "Visits by step" }).getByRole("listitem");
const section = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "About this link" }).getByRole("link", { name });
const rows = (page: Page) => page.getByRole("table").locator("tbody").getByRole("row");
const changes = (page: Page) => page.getByRole("list", { name: "What happened, newest first" }).getByRole("listitem");

test("an owner sees on a link's page how far visitors got, failed attempts, payments and changes @once", async ({
  page,
  browser,
}) => {
  const { owner, agent, link } = await selling({ resourceContent: "The report is at shelf 7.", maxUses: 10 });
  const address = `/dashboard/links/${link.linkId}`;
  await become(page, owner);

  await test.step("the page of a new link shows its terms, and that it has no visits", async () => {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1, name: "AI market report, November" })).toBeVisible();
    await expect(page.getByText("Active", { exact: true })).toBeVisible();
    await expect(page.getByText("No visits in the last 30 days.")).toBeVisible();
    await expect(page.getByRole("img", { name: new RegExp(`QR code. Scan it to pay: ${link.url}`) })).toBeVisible();
    const settings = page.getByRole("region", { name: "Settings" });
    await expect(settings).toContainText("0 of at most 10 times");
    await settings.getByText("What buyers get").click();
    await expect(settings.getByText("The report is at shelf 7.")).toBeVisible();
    await page.getByText("How programs pay").click();
    await expect(page.getByText(`curl -i ${link.url}`)).toBeVisible();
    await expect(page.getByRole("link", { name: "Open", exact: true })).toHaveAttribute("href", link.url);
    await expect(page.getByRole("link", { name: "Edit link" })).toHaveAttribute("href", `${address}/edit`);
  });

  const buyer = await test.step("one visitor rejects, and another pays", async () => {
    const shy = await visitor(browser, link);
    await shy.page.getByRole("button", { name: PAY }).click();
    await answerWallet(shy.page, "Reject");
    await expect(shy.page.getByRole("alert").filter({ hasText: "You did not sign" })).toBeVisible();

    const { page: theirs, person } = await visitor(browser, link);
    const signed = reported(theirs, "signed");
    await theirs.getByRole("button", { name: PAY }).click();
    await answerWallet(theirs, "Sign");
    expect((await signed).status()).toBe(200);
    await expect(theirs.getByRole("heading", { name: "You paid 1.25 USDC" })).toBeVisible();
    await theirs.reload();
    await expect(theirs.getByRole("heading", { name: "You have paid 1.25 USDC already" })).toBeVisible();
    return person;
  });

  const poor = await newPerson();
  await test.step("agents pay, come too late, and come without money", async () => {
    const payer = await newPayer();
    await payAs(payer, link);
    await payAs(payer, link, -60, 402);
    await payAs(poor, link, 60, 500);
  });

  await test.step("the funnel counts each visit once, and the agent's payment separately", async () => {
    await page.goto(address);
    await expect(steps(page)).toHaveText([
      "Opened the link2",
      "Connected a wallet2 · 100%",
      "Signed the payment1 · 50%",
      "Paid1 · 50%",
    ]);
    await expect(page.getByText("Paid without a visit, for example, by agents1")).toBeVisible();
    await expect(page.getByRole("region", { name: "Settings" })).toContainText("2 of at most 10 times");
    await page.getByRole("navigation", { name: "Period" }).getByRole("link", { name: "7 days" }).click();
    await expect(page).toHaveURL(/period=7/);
    await expect(steps(page).first()).toHaveText("Opened the link2");
  });

  await test.step("each payment is listed with its receipt and its own page", async () => {
    await section(page, "Payments").click();
    await expect(page).toHaveURL(/section=payments/);
    await expect(rows(page)).toHaveCount(2);
    const paid = rows(page).filter({
      has: page.getByRole("button", { name: new RegExp(buyer.account.address.slice(-4)) }),
    });
    await expect(paid.getByText("Settled").filter({ visible: true })).toHaveCount(1);
    await expect(paid.getByRole("link", { name: "AI market report, November" })).toHaveAttribute(
      "href",
      /^\/dashboard\/payments\/\d+$/,
    );
    await expect(paid.getByRole("link", { name: "Receipt" }).filter({ visible: true })).toHaveAttribute(
      "href",
      /^\/receipt\/stl_/,
    );
  });

  await test.step("each attempt is listed, newest first, with the reason why it failed", async () => {
    await section(page, "Attempts").click();
    await expect(page).toHaveURL(/section=attempts/);
    await expect(rows(page)).toHaveCount(4);
    await expect(rows(page).nth(0)).toContainText("The payer had too little USDC.");
    await expect(rows(page).nth(1)).toContainText("The signature had expired before it was received. No money moved.");
    await expect(rows(page).nth(1)).toContainText("says it is");
    await expect(rows(page).nth(1)).toContainText("PAYMENT_EXPIRED");
    await expect(rows(page).nth(2)).toContainText("Settled");
    await expect(rows(page).nth(3)).toContainText("Settled");
  });

  await test.step("each change is listed with who made it, the old and the new value", async () => {
    const json = { maxUses: 20, status: "disabled" };
    await call("PATCH", `/api/payment-links/${link.linkId}`, { jwt: agent.jwt, json });
    await section(page, "History").click();
    await expect(page).toHaveURL(/section=history/);
    await expect(changes(page)).toHaveCount(2);
    await expect(changes(page).first()).toContainText(
      "Data seller changed a payment link: switched from on to off, number of payments from 10 to 20",
    );
    await changes(page).first().locator("summary").click();
    await expect(changes(page).first()).toContainText("Max usesfrom 10 to 20");
    await expect(changes(page).last()).toContainText("Data seller created a payment link for 1.25 USDC");
    await expect(page.getByText("Disabled", { exact: true })).toBeVisible();
  });

  await test.step("a deleted link is 404, and so is another owner's", async () => {
    const other = await selling();
    await call("DELETE", `/api/payment-links/${link.linkId}`, { jwt: agent.jwt });
    for (const gone of [link.linkId, other.link.linkId, "lnk_nobody000000000000000000", "x"]) {
      await page.goto(`/dashboard/links/${gone}`);
      await expect(page.getByRole("heading", { level: 1, name: "There is nothing here" })).toBeVisible();
    }
  });
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds no fault and nothing scrolls sideways, ${scheme}`, { tag: scheme === "dark" ? "@once" : [] }, async ({
    page,
  }) => {
    test.slow();
    await page.emulateMedia({ colorScheme: scheme });
    const { owner, link } = await selling({ description: HOSTILE, resourceContent: HOSTILE });
    const fresh = await selling();
    const payer = await newPayer();
    await payAs(payer, link);
    await payAs(payer, link, -60, 402);
    await call("POST", `/api/payment-links/${link.linkId}/visits`, {
      json: { visitId: "v".repeat(24), step: "connected" },
    });
    for (const { owner: viewer, link: shownLink } of [{ owner, link }, fresh]) {
      await page.context().clearCookies();
      await become(page, viewer);
      for (const query of [
        "",
        "?section=payments",
        "?section=attempts",
        "?section=history",
        "?section=payments&payment=0",
      ]) {
        await page.goto(`/dashboard/links/${shownLink.linkId}${query}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await page.waitForLoadState();
        for (const summary of await page.locator("main summary").all()) await summary.click();
        await expectAccessible(page);
        await expectFits(page);
      }
    }
  });
}

test("a link's lists lead forward and back, and its code says that a disabled link cannot be paid @once", async ({
  page,
}) => {
  const { owner, agent, link } = await selling();
  const edit = (json: object) => call("PATCH", `/api/payment-links/${link.linkId}`, { jwt: agent.jwt, json });
  for (let count = 1; count <= 22; count++) await edit({ title: `Edition ${count}` });
  await edit({ status: "disabled" });
  await become(page, owner);
  await page.goto(`/dashboard/links/${link.linkId}?section=history`);
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(pages).toContainText("1–20 of many");
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(pages).toContainText("21–24 of 24");
  await pages.getByRole("link", { name: "Previous" }).click();
  await expect(pages).toContainText("1–20 of many");
  await expect(pages.getByRole("link", { name: "Previous" })).toHaveCount(0);
  await section(page, "Overview").click();
  await expect(page.getByRole("img", { name: /^QR code\. It cannot be paid now/ })).toBeVisible();
});
