import type { Page } from "@playwright/test";
import { makeLink, newPerson, payAs } from "./support/api";
import { mint } from "./support/checkout";
import { seller } from "./support/links";
import { expect, expectAccessible, expectFits, test } from "./support/test";

const palette = (page: Page) => page.getByRole("dialog", { name: "Search" });
const field = (page: Page) => palette(page).getByRole("combobox");
const options = (page: Page) => palette(page).getByRole("option");

test("Ctrl-K finds the owner's agents, links and pages, and Enter opens them (axe)", async ({ page }) => {
  const { agents } = await seller(page, "Weather zebra");
  const [agent] = agents;
  if (!agent) throw new Error("no agent");
  const link = await makeLink(agent, { title: "<b>Zebra</b> report", description: "Striped" });
  let requestCount = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/search")) requestCount++;
  });
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
  await expect(options(page).first()).toContainText("Overview");
  await expectAccessible(page);
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toBeHidden();

  await page.keyboard.press("Meta+k");
  await field(page).pressSequentially("zebra", { delay: 20 });
  await expect(options(page).filter({ hasText: "<b>Zebra</b> report" })).toBeVisible();
  await expect(options(page).filter({ hasText: "Weather zebra" })).toBeVisible();
  // One question after a pause, not one for each letter.
  expect(requestCount).toBeLessThan(3);
  await expect(palette(page).locator("b")).toHaveCount(0);
  await expect(options(page).first()).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await expectFits(page);
  await page.screenshot({ path: test.info().outputPath("palette.png") });

  const linkAt = (await options(page).allTextContents()).findIndex((text) => text.includes("<b>Zebra"));
  for (let step = 0; step < linkAt; step++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/dashboard/links/${link.linkId}$`));
  await expect(palette(page)).toBeHidden();

  const buyer = await newPerson();
  await mint(buyer.account.address, "2000000");
  await payAs(buyer, link);
  await page.keyboard.press("Control+k");
  await field(page).fill(buyer.account.address);
  await expect(options(page)).toHaveText([/1\.25 USDC.*Payment received/]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard\/payments\/\d+$/);

  await page.keyboard.press("Control+k");
  await field(page).fill("webh");
  await expect(options(page)).toHaveText([/Webhooks/]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard\/webhooks$/);
  await page.keyboard.press("Control+k");
  await field(page).fill("nothing of this name");
  await expect(palette(page).getByRole("status")).toHaveText("No results");
});

test("the button opens the search too, and closing it returns the focus", { tag: "@once" }, async ({ page }) => {
  await seller(page);
  await page.goto("/dashboard");
  const button = page.getByRole("button", { name: /^Search/ }).filter({ visible: true });
  await button.click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await expectFits(page);
});

test("the ? key lists the keyboard shortcuts, except while typing", { tag: "@once" }, async ({ page }) => {
  await seller(page);
  await page.goto("/dashboard/links");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys).toContainText("Ctrl K");
  await expectAccessible(page);
  await page.screenshot({ path: test.info().outputPath("keys.png") });
  await page.keyboard.press("?");
  await expect(keys).toBeHidden();
  await page.keyboard.press("Control+k");
  await field(page).pressSequentially("why?");
  await expect(field(page)).toHaveValue("why?");
  await expect(keys).toBeHidden();
});

test("dialogs start with the focus on a field or on the harmless button, and return the focus when closed", {
  tag: "@once",
}, async ({ page }) => {
  const { agents } = await seller(page, "Weather agent");
  const [agent] = agents;
  if (!agent) throw new Error("no agent");
  await makeLink(agent, { description: "A report" });
  await page.goto("/dashboard/agents");

  const rename = page.getByRole("button", { name: "Rename" });
  await rename.click();
  await expect(page.getByRole("dialog").getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(rename).toBeFocused();

  const unlink = page.getByRole("button", { name: /^(?:Unlink|Delete)$/ });
  await unlink.click();
  const focused = page.getByRole("dialog").locator(":focus");
  await expect(focused).toHaveText(/Go back|^$/);
  await expect(focused).not.toHaveAccessibleName("Close");
  await page.keyboard.press("Escape");
  await expect(unlink).toBeFocused();

  await page.goto("/dashboard/links");
  const menu = page
    .getByRole("button", { name: /^More about/ })
    .filter({ visible: true })
    .first();
  await menu.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: /Delete/ }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Go back" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(menu).toBeFocused();
});
