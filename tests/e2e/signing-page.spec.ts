import type { Page } from "@playwright/test";
import { claim, newAgent, newPerson, propose } from "./support/api";
import { become, expect, expectFits, SHIFTS_MAX, shiftsOn, signInHere, test, watchShifts } from "./support/test";
import { reviewing } from "./support/vaults";

/** The size of the page on which a mandate is signed: what decides is read at once, and the button is always at hand. */

const WORDS_MAX = 250;
const HEIGHT_MAX = { desktop: 900, phone: 1_700 };

// biome-ignore lint/performance/useDomNodeTextContent: what is folded away is not read
const wordsOn = async (page: Page) => (await page.getByRole("main").innerText()).split(/\s+/).filter(Boolean).length;

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

for (const [held, own] of [
  ["an empty wallet", "0"],
  ["money", "40000000"],
] as const) {
  test(`with ${held}, a mandate is read and signed without scrolling or, on a phone, with the thumb`, async ({
    page,
  }) => {
    const isPhone = test.info().project.name === "phone";
    if (!isPhone) await page.setViewportSize({ width: 1440, height: 900 });
    await watchShifts(page);
    await reviewing(page, {}, own);
    expect(await wordsOn(page)).toBeLessThanOrEqual(WORDS_MAX);
    expect(await heightOf(page)).toBeLessThanOrEqual(isPhone ? HEIGHT_MAX.phone : HEIGHT_MAX.desktop);
    const button = page.getByRole("button", { name: /25\.00 USDC/ });
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Reject", exact: true })).toBeInViewport({ ratio: 1 });

    const limit = page.getByLabel("The most you can lose");
    await limit.fill("2");
    await limit.press("Enter");
    await expect(page.getByText("You lowered it from 25.00 USDC.")).toBeVisible();
    await expect(page.getByRole("button", { name: /2\.00 USDC/ })).toBeInViewport({ ratio: 1 });
    await page.evaluate(() => window.scrollTo({ top: document.documentElement.scrollHeight }));
    await expect(page.getByRole("button", { name: "Reject", exact: true })).toBeVisible();
    expect(await shiftsOn(page)).toBeLessThanOrEqual(SHIFTS_MAX);
  });
}

test("the frame and the place of the heading stay the same from the request to the signed mandate", async ({
  page,
}) => {
  const agent = await newAgent();
  const { authorizationUrl } = await propose(agent);
  await page.goto(authorizationUrl);
  const main = page.getByRole("main");
  const place = async () => {
    const box = await main.boundingBox();
    return box && { x: box.x, width: box.width };
  };
  const first = await place();
  const isSame = async (title: RegExp) => {
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Dashboard" })).toHaveCount(0);
    expect(await place()).toEqual(first);
    await expectFits(page);
  };
  await isSame(/^An agent asks to spend your money/);
  await signInHere(page, "Connect a wallet and sign in");
  await isSame(/^Is this your agent/);
  await page.getByRole("button", { name: "Link Research agent to your account" }).click();
  await isSame(/^Let it spend on its own/);
  await page.getByRole("radio", { name: "Your spending wallet" }).check();
  await page.getByRole("button", { name: /^Sign with your wallet/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign", exact: true }).click();
  await isSame(/^Signed/);
});

test("the test wallet shows a hash on lines of its own, and that a transfer is valid at once", {
  tag: "@once",
}, async ({ page }) => {
  const [person, agent] = [await newPerson(), await newAgent()];
  const proposal = await propose(agent);
  await claim(person, proposal);
  await become(page, person);
  await page.goto(proposal.authorizationUrl);
  await page.getByRole("button", { name: /test USDC/ }).click();
  await page.getByRole("button", { name: /^Sign with your wallet/ }).click();
  const dialog = page.getByRole("dialog", { name: "Sign: Receive with authorization" });
  await page
    .getByRole("button", { name: /Tessera test wallet/ })
    .or(dialog)
    .first()
    .waitFor();
  if (!(await dialog.isVisible())) await page.getByRole("button", { name: /Tessera test wallet/ }).click();
  const line = (label: RegExp) => dialog.locator("dl > div").filter({ has: page.getByText(label) });
  await expect(line(/^Not before/)).toContainText("now");
  const hash = line(/^Number of the payment/).locator("dd");
  const height = await hash.evaluate((element) => element.getBoundingClientRect().height);
  expect(height).toBeLessThanOrEqual(2 * 22);
});
