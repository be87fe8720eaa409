import type { FrameLocator, Page } from "@playwright/test";
import { BASE_URL, makeLink, newPerson } from "./support/api";
import { mint, PAY } from "./support/checkout";
import { linked } from "./support/links";
import { openShop, type Shop } from "./support/shop";
import { become, expect, expectAccessible, expectFits, test } from "./support/test";

let shop: Shop;

test.beforeEach(async () => {
  shop = await openShop();
});
test.afterEach(() => shop.close());

const news = (page: Page) => page.getByRole("list", { name: "News" }).getByRole("listitem");
const inFrame = (page: Page) => page.frameLocator("iframe[title=Checkout]");

/** An owner with a link, whose session is in this browser with the wallet of a buyer. */
async function selling(page: Page) {
  const [owner, buyer] = [await newPerson(), await newPerson()];
  await mint(buyer.account.address, "40000000");
  const link = await makeLink(await linked(owner, "Data seller"), { resourceContent: "The report is at shelf 7." });
  await become(page, { ...buyer, cookie: owner.cookie });
  return { owner, link };
}

/** The snippets of the link's page, as an owner copies them. */
async function snippets(page: Page, linkId: string): Promise<{ button: string; frame: string }> {
  await page.goto(`/dashboard/links/${linkId}`);
  const embed = page.getByRole("region", { name: "Embed" });
  const read = async (name: string) => (await embed.getByRole("region", { name }).textContent()) ?? "";
  return { button: await read("Button, HTML"), frame: await read("Frame, HTML") };
}

/** Without the style by which Playwright hides the caret, which the shop's policy forbids. */
const photograph = (page: Page, name: string) =>
  page.screenshot({ path: `test-results/${name}.png`, fullPage: true, caret: "initial" });

/** The wallet may also connect by itself, as it is known to this browser; on a slow machine it does so before the click. */
async function connect(frame: FrameLocator): Promise<void> {
  const isConnected = frame.getByRole("button", { name: PAY });
  const wallet = frame.getByRole("dialog").getByRole("button", { name: /Tessera test wallet/ });
  await expect(async () => {
    if (await isConnected.isVisible()) return;
    await frame.getByRole("button", { name: "Connect a wallet" }).click({ timeout: 3_000 });
    await wallet.click({ timeout: 3_000 });
    await expect(isConnected).toBeVisible();
  }).toPass();
}

async function pay(frame: FrameLocator): Promise<void> {
  await connect(frame);
  await frame.getByRole("button", { name: PAY }).click();
  await frame.getByRole("dialog", { name: /^Sign/ }).getByRole("button", { name: "Sign", exact: true }).click();
  await expect(frame.getByRole("heading", { name: "You paid 1.25 USDC" })).toBeVisible();
}

test("an owner verifies a domain, and its page sells in a frame without the owner's session (axe)", async ({
  page,
}) => {
  test.slow();
  const { owner, link } = await selling(page);

  const { frame: html } =
    await test.step("the link's page says what to do first, and then shows the snippets", async () => {
      await page.goto(`/dashboard/links/${link.linkId}`);
      const embed = page.getByRole("region", { name: "Embed" });
      await expect(embed).toContainText("Verify the domain of your site first");
      await expect(embed.getByRole("link", { name: "Verify a domain" })).toHaveAttribute(
        "href",
        "/dashboard/settings#domains",
      );
      await shop.verify(owner);
      const found = await snippets(page, link.linkId);
      await expect(embed).toContainText(shop.origin);
      await embed.scrollIntoViewIfNeeded();
      await expectAccessible(page);
      await expectFits(page);
      await page.screenshot({ path: `test-results/embed-snippets-${test.info().project.name}.png`, fullPage: true });
      return found;
    });

  shop.show(html);
  const cookies: string[] = [];
  page.on("request", async (request) => {
    const { pathname } = new URL(request.url());
    const isCall = request.url().startsWith(BASE_URL) && /^\/(?:api|paymentlink)\//.test(pathname);
    if (isCall && request.frame().parentFrame() && (await request.allHeaders()).cookie) cookies.push(pathname);
  });
  await page.goto(shop.origin);
  const frame = inFrame(page);

  await test.step("a buyer pays in the frame, and the embedding page gets the event", async () => {
    await expect(frame.getByRole("heading", { level: 1 })).toContainText("You pay");
    await expect(news(page)).toHaveText([`message tessera.ready  ${link.linkId} `]);
    await pay(frame);
    await expect(news(page)).toHaveCount(2);
    await expect(news(page).last()).toHaveText(
      new RegExp(`^message tessera.payment settled ${link.linkId} stl_[0-9A-Za-z]+$`),
    );
    await expect(frame.getByText("The report is at shelf 7.")).toBeVisible();
    await expectAccessible(page);
    await photograph(page, `embed-frame-${test.info().project.name}`);
    expect(cookies).toEqual([]);
  });

  await test.step("nothing inside the frame can navigate to another page", async () => {
    const receipt = frame.getByRole("link", { name: "See the receipt" });
    await expect(receipt).toHaveAttribute("target", "_blank");
    const [tab] = await Promise.all([page.context().waitForEvent("page"), receipt.click()]);
    await expect(tab).toHaveURL(/\/receipt\/stl_/);
    await tab.close();
    await frame.getByRole("heading", { name: "You paid 1.25 USDC" }).click();
    await page.keyboard.press("Escape");
    await expect(news(page).last()).toContainText(`message tessera.payment closed ${link.linkId} stl_`);
  });
});

test("the compact checkout has no fault in either color scheme (axe)", async ({ page }) => {
  const { link } = await selling(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`/embed/pay/${link.linkId}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.locator("main summary").first().click();
    await expectAccessible(page);
    await expectFits(page);
    await page.screenshot({
      path: `test-results/embed-alone-${colorScheme}-${test.info().project.name}.png`,
      fullPage: true,
    });
  }
  await page.goto("/embed/pay/lnk_nobody000000000000000000");
  await expect(page.getByRole("heading", { level: 1, name: "There is no such payment link" })).toBeVisible();
});

test("the embedded button opens the checkout over the page, also by keyboard", async ({ page }, { project }) => {
  test.slow();
  const { owner, link } = await selling(page);
  await shop.verify(owner);
  const { button: html } = await snippets(page, link.linkId);
  shop.show(`${html}<p><tessera-button link="${link.url}?x=1">Buy now</tessera-button></p>`);
  await page.goto(shop.origin);
  const [anchor, button] = [page.getByRole("link", { name: PAY }), page.getByRole("link", { name: "Buy now" })];

  if (project.name === "phone") {
    for (const each of [anchor, button]) {
      const [tab] = await Promise.all([page.context().waitForEvent("page"), each.click()]);
      await expect(tab).toHaveURL(new RegExp(`/pay/${link.linkId}`));
      await tab.close();
    }
    await expect(page.locator("iframe")).toHaveCount(0);
    return;
  }
  const dialog = page.getByRole("dialog", { name: "Checkout" });

  await test.step("the focus moves into the dialog, Escape closes the dialog, and the focus returns", async () => {
    for (const each of [anchor, button]) {
      await each.focus();
      await page.keyboard.press("Enter");
      await expect(dialog.getByRole("button", { name: "Close" })).toBeFocused();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(each).toBeFocused();
    }
    await expect(news(page).last()).toHaveText(`event tessera-button closed ${link.linkId} `);
  });

  await test.step("Escape inside the frame closes the dialog too", async () => {
    await anchor.click();
    await inFrame(page).getByText("Seller (name not verified)").click();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(anchor).toBeFocused();
  });

  await test.step("a click with a modifier key opens an ordinary link", async () => {
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      anchor.click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await expect(tab).toHaveURL(link.url);
    await tab.close();
    await expect(dialog).toBeHidden();
  });

  await test.step("a buyer pays in the overlay, and the embedding page gets the event", async () => {
    await button.click();
    await photograph(page, "embed-overlay");
    await pay(inFrame(page));
    await photograph(page, "embed-overlay-paid");
    await expect(news(page).filter({ hasText: `event tessera-button settled ${link.linkId} stl_` })).toHaveCount(1);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
    await expect(button).toBeFocused();
  });
});

test("other origins cannot frame a checkout, and verified ones cannot frame any other page", { tag: "@once" }, async ({
  page,
}) => {
  test.slow();
  const { owner, link } = await selling(page);
  const { url } = link;
  const framed = `${BASE_URL}/embed/pay/${link.linkId}`;
  await shop.verify(owner);
  const { button } = await snippets(page, link.linkId);
  // Not watched: the browser writes an error for each refused frame.
  const visitor = await page.context().newPage();
  const framesOn = async (origin: string, address: string) => {
    shop.show(`<iframe src="${address}"></iframe>`);
    await visitor.goto(origin);
    await expect.poll(() => visitor.frames().at(1)?.url()).toMatch(/^(?:http|chrome-error:)/);
    return visitor.frames().at(1)?.url();
  };
  const REFUSED = "chrome-error://chromewebdata/";
  expect(await framesOn(shop.origin, framed)).toBe(framed);
  expect(await framesOn(shop.otherOrigin, framed)).toBe(REFUSED);
  for (const address of [url, `${url}?embed=1`, `${BASE_URL}/dashboard`, `${BASE_URL}/sign-in`, `${BASE_URL}/`]) {
    expect([address, await framesOn(shop.origin, address)]).toEqual([address, REFUSED]);
  }
  const otherLink = await makeLink(await linked(await newPerson(), "Other seller"));
  expect(await framesOn(shop.origin, `${BASE_URL}/embed/pay/${otherLink.linkId}`)).toBe(REFUSED);

  await test.step("on a refused origin the button opens a tab, or says that it cannot", async () => {
    shop.show(button);
    await visitor.goto(shop.otherOrigin);
    const opened = visitor
      .context()
      .waitForEvent("page", { timeout: 10_000 })
      .catch(() => null);
    await visitor.getByRole("link", { name: PAY }).click();
    const notice = visitor.getByRole("alert").filter({ hasText: "cannot be shown here" });
    const tab = await Promise.race([opened, notice.waitFor().then(() => null)]);
    if (tab) await expect(tab).toHaveURL(url);
    else await expect(visitor.getByRole("link", { name: "Open in a new tab" })).toBeFocused();
  });
  await visitor.close();
});
