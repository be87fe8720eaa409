import type { Page } from "@playwright/test";
import { call, fund, newAgent, newPayee, newPerson, payUpl, propose, sign } from "./support/api";
import { linkedAgent, requestApproval } from "./support/approval";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

/** Fails if the page is loaded again. */
const markLoad = (page: Page) => page.evaluate(() => Object.assign(window, { isSameLoad: true }));
const isSameLoad = (page: Page) => page.evaluate(() => "isSameLoad" in window);

const streamsIn = (page: Page): string[] => {
  const urls: string[] = [];
  page.context().on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/events") urls.push(request.url());
  });
  return urls;
};

/** Resolves when the page hears of changes. */
const connected = (page: Page) => page.waitForResponse((response) => response.url().includes("/api/events"));

test("the overview shows, counts and removes a waiting payment without a reload (axe)", async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  await become(page, owner);
  const connecting = connected(page);
  await page.goto("/dashboard");
  await connecting;
  await expect(page).toHaveTitle("(1) Overview · Tessera");
  await markLoad(page);
  const { approvalId } = await requestApproval(agent);
  const row = page.getByRole("list", { name: "Payments waiting for your approval" }).getByRole("listitem");
  await expect(row).toBeVisible();
  await expect(row).toHaveAttribute("data-new", "");
  await expect(page).toHaveTitle("(2) Overview · Tessera");
  await expect(page.getByRole("status").filter({ hasText: "2 decisions are waiting for you" })).toHaveCount(1);
  if (test.info().project.name === "desktop") {
    await expect(page.getByRole("link", { name: "Approvals 2 waiting for you" })).toBeVisible();
  } else {
    await page.getByRole("button", { name: "Menu" }).click();
    await expect(page.getByRole("link", { name: "Approvals 2 waiting for you" })).toBeVisible();
    await page.keyboard.press("Escape");
  }
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: `test-results/live-overview-${test.info().project.name}.png` });
  await call("POST", `/api/approvals/${approvalId}/deny`, { cookie: owner.cookie, json: {} });
  await expect(row).toHaveCount(0);
  await expect(page).toHaveTitle("(1) Overview · Tessera");
  expect(await isSameLoad(page)).toBe(true);
});

test("the tabs of a browser share one event stream, and another tab takes over when its tab closes", {
  tag: "@once",
}, async ({ page }) => {
  const { owner, agent } = await linkedAgent();
  await become(page, owner);
  const streams = streamsIn(page);
  const connecting = connected(page);
  await page.goto("/dashboard/activity");
  await connecting;
  const second = await page.context().newPage();
  await second.goto("/dashboard");
  const mandates = second.getByRole("list", { name: "Mandates waiting for you" }).getByRole("listitem");
  await expect(mandates).toHaveCount(1);
  await propose(agent);
  const items = page.getByRole("list", { name: "What happened, newest first" }).getByRole("listitem");
  await expect(items.filter({ hasText: "asked for a mandate" })).toHaveCount(2);
  await expect(mandates).toHaveCount(2);
  expect(streams).toHaveLength(1);

  const taking = second.waitForResponse((response) => response.url().includes("/api/events"));
  await page.close();
  await taking;
  await propose(agent);
  await expect(mandates).toHaveCount(3);
  expect(streams).toHaveLength(2);
});

test("a page without an event stream polls, and one that reconnects shows what it missed", { tag: "@once" }, async ({
  page,
}) => {
  const { owner, agent } = await linkedAgent();
  await become(page, owner);
  await page.route("**/api/events*", (route) => route.fulfill({ status: 429, body: "{}" }));
  await page.goto("/dashboard");
  await propose(agent);
  const mandates = page.getByRole("list", { name: "Mandates waiting for you" }).getByRole("listitem");
  await expect(mandates).toHaveCount(2);
  await page.unroute("**/api/events*");
  await connected(page);
  await propose(agent);
  await expect(mandates).toHaveCount(3);
});

test("the page does not refresh while a dialog is open or while the person types", { tag: "@once" }, async ({
  page,
}) => {
  const { owner, agent } = await linkedAgent();
  await become(page, owner);
  const connecting = connected(page);
  await page.goto("/dashboard/settings");
  await connecting;
  const refreshes: string[] = [];
  page.on("request", (request) => {
    if (request.headers().rsc === "1" && request.headers()["next-router-prefetch"] === undefined) {
      refreshes.push(request.url());
    }
  });
  const field = page.getByRole("textbox").first();
  await field.click();
  await field.press("End");
  await field.pressSequentially("1");
  await propose(agent);
  await page.waitForTimeout(2_500);
  expect(refreshes).toEqual([]);
  await field.blur();
  await expect.poll(() => refreshes.length).toBeGreaterThan(0);
});

test("a mandate's page shows a payment once it is signed, and a request's page shows a decision made elsewhere", {
  tag: "@once",
}, async ({ page }) => {
  const person = await newPerson();
  const agent = await newAgent();
  await fund(person);
  const proposal = await propose(agent);
  await sign(person, proposal);
  await become(page, person);
  const connecting = connected(page);
  await page.goto(`/mandates/${proposal.mandateId}`);
  await connecting;
  await payUpl(agent, proposal.mandateId, await newPayee(), "1250000");
  await expect(page.getByText("1.25").first()).toBeVisible();
  await expectFits(page);

  const { approvalId } = await requestApproval(agent);
  await page.goto(`/authorize/payment/${approvalId}`);
  await expect(page.getByRole("heading", { level: 1, name: /^Pay 0\.25 USDC/ })).toBeVisible();
  await call("POST", `/api/approvals/${approvalId}/deny`, { cookie: person.cookie, json: {} });
  await expect(page.getByRole("heading", { level: 1, name: /^Pay 0\.25 USDC/ })).toHaveCount(0);
});
