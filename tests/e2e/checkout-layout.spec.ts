import { pngOf } from "../support/images";
import { type Agent, BASE_URL, call, makeLink, newPayee, newPerson } from "./support/api";
import { heading, PAY, payment, visitAndPay, visitor } from "./support/checkout";
import { linked } from "./support/links";
import {
  answerWallet,
  expect,
  expectAccessible,
  expectFits,
  SHIFTS_MAX,
  shiftsOn,
  test,
  watchShifts,
} from "./support/test";

const LONG = "Maps that work offline, 24 places to eat, and the times of all trains. ".repeat(14).trim();

/** A link with a title, a long description and an image. */
async function illustrated(agent: Agent, cookie: string, link: object = {}) {
  const response = await fetch(new URL(`/api/agents/${agent.agentId}/link-images`, BASE_URL), {
    method: "POST",
    headers: { Origin: new URL(BASE_URL).origin, Cookie: cookie, "Content-Type": "application/octet-stream" },
    body: new Uint8Array(pngOf(64)),
  });
  const { image } = (await response.json()) as { image: { imageId: string } };
  return makeLink(agent, { title: "Lisbon in three days", description: LONG, imageId: image.imageId, ...link });
}

test("price and button are on the first screen of a phone, and a long description can be read (axe)", async ({
  page,
}) => {
  const owner = await newPerson();
  const agent = await linked(owner, "Lisbon guides");
  const link = await illustrated(agent, owner.cookie);
  await page.goto(link.url);
  const offer = page.getByRole("region", { name: "What you pay for" });
  await expect(offer.getByText("1.25 USDC", { exact: true }).last()).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Connect a wallet" })).toBeInViewport({ ratio: 1 });
  const words = offer.getByRole("blockquote");
  const height = () => words.evaluate((element) => element.clientHeight);
  const more = offer.getByRole("checkbox", { name: "Read more" });
  if (test.info().project.name !== "phone") return expect(more).toBeHidden();
  const wide = await illustrated(agent, owner.cookie, { title: "W".repeat(64) });
  await page.goto(wide.url);
  await expect(page.getByRole("button", { name: "Connect a wallet" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  expect(await height()).toBeLessThan(80);
  await more.focus();
  await page.keyboard.press("Space");
  await expect(offer.getByText("Read less")).toBeVisible();
  expect(await height()).toBeGreaterThan(300);
  // The panel is now below the screen.
  const floating = page.locator('a[href="#payment"]');
  await expect(floating).toBeInViewport({ ratio: 1 });
  await floating.click();
  await expect(page.getByRole("button", { name: "Connect a wallet" })).toBeInViewport({ ratio: 1 });
  await expectFits(page);
});

test("nothing moves while the page loads", async ({ page }) => {
  const owner = await newPerson();
  const link = await illustrated(await linked(owner, "Lisbon guides"), owner.cookie, {
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await watchShifts(page);
  await page.goto(link.url, { waitUntil: "networkidle" });
  expect(await shiftsOn(page)).toBeLessThanOrEqual(SHIFTS_MAX);
});

test("without scripts the page says how to pay, and public pages show their content", { tag: "@once" }, async ({
  browser,
}) => {
  const link = await makeLink(await newPayee(), { maxQuantity: 3 });
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  for (const url of [link.url, `${BASE_URL}/embed/pay/${link.linkId}`]) {
    await page.goto(url);
    await expect(page.getByRole("heading", { name: "Paying on this page needs JavaScript" })).toBeVisible();
    await expect(page.getByRole("link", { name: "MetaMask" })).toHaveAttribute("href", /^https:\/\/link\.metamask\.io/);
    await expect(page.getByRole("button", { name: "Connect a wallet" })).toBeHidden();
  }
  await page.goto(link.url);
  await expect(page.getByText(`${link.url}?quantity=1`, { exact: true })).toBeVisible();
  await page.goto(`${link.url}?lang=de`);
  await expect(page.getByRole("heading", { name: "Das Bezahlen auf dieser Seite erfordert JavaScript" })).toBeVisible();
  await page.goto(`${BASE_URL}/identity`);
  await expect(page.getByRole("heading", { level: 1, name: "Agent identity" })).toBeVisible();
  await page.context().close();
});

test("after the payment the page speaks of it in the past, without what applied before", { tag: "@once" }, async ({
  page,
}) => {
  const link = await makeLink(await newPayee(), { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  await visitor(page);
  await page.goto(link.url);
  const offer = page.getByRole("region", { name: "What you pay for" });
  const before = [
    page.getByText("Network fee"),
    page.getByText("Don't send USDC to this address yourself"),
    page.getByText("USDC is a digital dollar"),
    page.getByText("Can be paid until"),
    offer.getByText("You pay", { exact: true }),
    offer.getByText(/^Expires in/),
  ];
  for (const part of before) await expect(part).toBeVisible();
  await visitAndPay(page, link.url);
  await answerWallet(page, "Sign");
  await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
  for (const part of before) await expect(part).toBeHidden();
  await expect(page.getByRole("heading", { level: 1, name: "You paid", exact: true })).toBeVisible();
  await expect(offer.getByText("You paid", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Pay again" }).click();
  await expect(page.getByRole("button", { name: PAY })).toBeVisible();
  for (const part of before) await expect(part).toBeVisible();
});

test("a link that cannot be paid shows no price, fee or warning, and leads to terms and privacy", {
  tag: "@once",
}, async ({ page }) => {
  const seller = await newPayee();
  const link = await makeLink(seller, { title: "Lisbon in three days" });
  await call("PATCH", `/api/payment-links/${link.linkId}`, { jwt: seller.jwt, json: { status: "disabled" } });
  await page.goto(link.url);
  await expect(heading(page, "This link is disabled")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "This link cannot be paid now" })).toBeAttached();
  const main = page.getByRole("main");
  await expect(main).toContainText("Lisbon in three days");
  for (const gone of ["1.25", "You pay", "Network fee", "Don't send USDC", "digital dollar"]) {
    await expect(main.getByText(gone).filter({ visible: true })).toHaveCount(0);
  }
  await expect(page.locator('a[href="#payment"]')).toHaveCount(0);
  const footer = page.getByRole("navigation", { name: "Footer" });
  await expect(footer.getByRole("link", { name: "Privacy" })).toHaveAttribute("href", "/privacy");
  await footer.getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Terms" })).toBeVisible();
});

test("a sold-out link speaks of another place only while a payment is pending", { tag: "@once" }, async ({ page }) => {
  const link = await makeLink(await newPayee(), { maxUses: 1 });
  await visitor(page);
  await visitAndPay(page, link.url);
  await answerWallet(page, "Sign");
  await expect(heading(page, "You paid 1.25 USDC")).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(heading(page, "Sold out")).toBeVisible();
  await expect(payment(page)).not.toContainText("A place opens again");
});
